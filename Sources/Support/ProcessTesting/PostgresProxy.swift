import EventMVVM
import Foundation

/// A proxy between a program and a PostgreSQL server: counts round trips, and cuts connections.
///
/// A round trip is a message for whose answer a program can wait.
package final class PostgresProxy: Sendable {
  /// The point at which a connection is cut, once.
  package enum Cut: Sendable, CaseIterable {
    /// Before a commit reaches the server.
    case beforeCommit
    /// After the commit, before the server's answer reaches the program.
    case afterCommit
  }

  private struct State {
    var roundTrips = 0
    var cut: Cut?
    /// Whether new connections are refused from the cut on.
    var isLastCut = false
    var isRefusing = false
    var open: Set<Int32> = []
    var statements: [String] = []
  }

  private let state = Locked(State())
  private let folder: String
  private let target: String
  private let listener: Int32

  /// The address by which programs connect.
  package var address: String { "postgresql://test@/postgres?host=\(folder)" }

  /// Creates a proxy for the server whose socket is in a folder.
  package init(_ server: PostgresServer, port: Int = 5432) throws {
    folder = "/tmp/pgp-\(UUID().uuidString.prefix(8))"
    target = "\(server.folder)/.s.PGSQL.\(port)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let isBound = withAddress("\(folder)/.s.PGSQL.5432") { [listener] in bind(listener, $0, $1) }
    guard isBound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let self else { return }
        take(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns the number of round trips since the last call.
  package func takeRoundTrips() -> Int {
    state.withLock { state in
      defer { state.roundTrips = 0 }
      return state.roundTrips
    }
  }

  /// Returns the statements since the last call.
  package func takeStatements() -> [String] {
    state.withLock { state in
      defer { state.statements = [] }
      return state.statements
    }
  }

  /// How many connections are open.
  package var connections: Int { state.withLock { $0.open.count / 2 } }

  /// Cuts the next connection with a commit, and can refuse new ones from then on, until
  /// ``bringBack()``.
  package func cut(_ cut: Cut, refusingOthers isLast: Bool = false) {
    state.withLock { ($0.cut, $0.isLastCut) = (cut, isLast) }
  }
  /// Whether the cut has not happened yet.
  package var isToCut: Bool { state.withLock { $0.cut != nil } }

  /// Cuts all connections, and refuses new ones until ``bringBack()``.
  package func takeDown() {
    state.withLock { state in
      state.isRefusing = true
      for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
  /// Accepts connections again.
  package func bringBack() { state.withLock { $0.isRefusing = false } }

  private func take(_ client: Int32) {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let isRefused = state.withLock { state in
      guard !state.isRefusing else { return true }
      state.open.formUnion([client, server])
      return false
    }
    guard !isRefused, withAddress(target, { connect(server, $0, $1) }) == 0 else {
      close(client)
      close(server)
      return
    }
    let link = Link(client: client, server: server)
    Thread.detachNewThread { [self] in
      forwardMessages(link)
      finish(link)
    }
    Thread.detachNewThread { [self] in
      forwardAnswers(link)
      finish(link)
    }
  }

  /// A connection with its two ends.
  private final class Link: Sendable {
    let client: Int32
    let server: Int32
    let isCommitting = Locked(false)
    let finished = Locked(0)

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    func cut() { for end in [client, server] { shutdown(end, Int32(SHUT_RDWR)) } }
  }

  private func finish(_ link: Link) {
    link.cut()
    let isLast = link.finished.withLock { count in
      count += 1
      return count == 2
    }
    guard isLast else { return }
    state.withLock { $0.open.subtract([link.client, link.server]) }
    close(link.client)
    close(link.server)
  }

  /// Forwards the program's messages, one at a time.
  private func forwardMessages(_ link: Link) {
    var waiting: [UInt8] = []
    var isStarted = false
    while let bytes = receive(link.client) {
      waiting += bytes
      var start = 0
      while true {
        // The first message has no letter.
        let header = isStarted ? 1 : 0
        guard waiting.count >= start + header + 4 else { break }
        let length = waiting[(start + header)..<(start + header + 4)]
          .reduce(0) { $0 << 8 | Int($1) }
        let end = start + header + length
        guard waiting.count >= end else { break }
        if isStarted, !note(waiting[start..<end], link) { return }
        isStarted = true
        start = end
      }
      guard forward(waiting[..<start], to: link.server) else { return }
      waiting.removeFirst(start)
    }
  }

  /// Counts a message; returns false if the connection is to be cut before it.
  private func note(_ message: ArraySlice<UInt8>, _ link: Link) -> Bool {
    let letter = message.first.map { Character(Unicode.Scalar($0)) }
    return state.withLock { state in
      switch letter {
      case "S", "H", "Q": state.roundTrips += 1
      case "P":
        // The name of the statement, which is empty, and its text.
        let text = String(decoding: message.dropFirst(6).prefix { $0 != 0 }, as: UTF8.self)
        state.statements.append(text)
        guard text == "COMMIT", let cut = state.cut else { break }
        state.cut = nil
        if state.isLastCut { state.isRefusing = true }
        if cut == .beforeCommit { return false }
        link.isCommitting.withLock { $0 = true }
      default: break
      }
      return true
    }
  }

  /// Forwards the server's messages.
  private func forwardAnswers(_ link: Link) {
    var held: [UInt8] = []
    while let bytes = receive(link.server) {
      if link.isCommitting.withLock({ $0 }) {
        held += bytes
        // The server's answer to a commit.
        guard String(decoding: held, as: UTF8.self).contains("COMMIT\0") else { continue }
        return
      }
      guard forward(bytes[...], to: link.client) else { return }
    }
  }

  private func receive(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private func forward(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Calls `body` with the address of a socket in the file system.
private func withAddress<T>(
  _ path: String,
  _ body: (UnsafePointer<sockaddr>, socklen_t) -> T
) -> T {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
