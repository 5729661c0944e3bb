import Dispatch
package import EventCommands
package import EventMVVM
import EventRPC
import EventServing
import Foundation
import Platform

/// Serves further clients beside the frontend of a session: each that connects to a Unix socket has a
/// JSON-RPC session of its own on the same stream.
///
/// It listens where `--listen` asks for it, in a session that lasts. A client has screens, names and
/// undo of its own, as it is an origin of its own; its `exit` or the end of its input ends its
/// session, and not the process. A client that hangs, floods or dies harms no other: each has a
/// thread that reads, and what is written for it waits in an outbox of its own.
package final class SocketListener: ProgramPlugin {
  package let name = "sockets"
  /// How many clients there are at most, at a time.
  static let mostClients = 64

  private struct State {
    var place = SocketPlace.nowhere
    var stream: EventStream?
    var socket: ListeningSocket?
    var clients: [Int: SocketClient] = [:]
    var count = 0
    var isEnding = false
  }

  private let state = Locked(State())
  /// Entered by each client, and by the thread that waits for them.
  private let running = DispatchGroup()

  /// Listens nowhere yet.
  package init() {}

  package var options: PluginOptions? {
    PluginOptions(SocketOptions.spec, SocketOptions(), forSessions: true) { [self] options in
      state.withLock { $0.place = options.listen }
    }
  }

  package func join(_ stream: EventStream) {
    state.withLock { $0.stream = stream }
  }

  package func begin(_ session: ProcessSession) throws {
    let (place, stream) = state.withLock { ($0.place, $0.stream) }
    guard place != .nowhere, let stream else { return }
    guard session.isLasting else {
      throw Failure(.usage, "--listen is for a session that lasts: the REPL, or 'serve'.")
    }
    let socket = try ListeningSocket(at: try path(place, session))
    state.withLock { $0.socket = socket }
    let source = EventSource(session.catalogue, ViewPort(stream), .background)
    running.enter()
    let isStarted = startThread { [self] in
      while let descriptor = socket.accept() { serve(descriptor, stream, source, session) }
      running.leave()
    }
    guard !isStarted else { return }
    running.leave()
    socket.end()
    throw Failure.noThread
  }

  /// Ends the clients' sessions: each is told, and gets the answers that it is owed.
  package func finish(_ session: ProcessSession) {
    let (socket, clients) = state.withLock { state in
      state.isEnding = true
      return (state.socket, state.clients.values)
    }
    guard let socket else { return }
    socket.end()
    for client in clients { client.close("The process ends.") }
    // Their last answers need the stream, which goes on meanwhile; one that reads nothing is left.
    _ = running.wait(timeout: .now() + 2)
  }

  // MARK: Clients

  private func serve(
    _ descriptor: Int32,
    _ stream: EventStream,
    _ source: EventSource,
    _ session: ProcessSession
  ) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let client = SocketClient(
      descriptor,
      ViewPort(stream.joined(as: "socket \(number)")),
      source,
      session.catalogue,
      SessionOptions(program: session.program, version: session.version)
    )
    let isServed = state.withLock { state in
      guard state.clients.count < Self.mostClients, !state.isEnding else { return false }
      state.clients[number] = client
      return true
    }
    // Its descriptor is closed with it, which tells the other end.
    guard isServed else { return }
    running.enter()
    let isStarted = startThread { [self] in
      client.run()
      state.withLock { $0.clients[number] = nil }
      running.leave()
    }
    guard !isStarted else { return }
    state.withLock { $0.clients[number] = nil }
    running.leave()
  }

  // MARK: Where

  private func path(_ place: SocketPlace, _ session: ProcessSession) throws(Failure) -> String {
    if case .path(let path) = place { return path }
    guard let base = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), base.hasPrefix("/")
    else {
      throw Failure(
        .usage,
        "--listen finds no place, as $XDG_RUNTIME_DIR is not set; name one with --listen=PATH."
      )
    }
    let folder = "\(base)/\(session.program)"
    var status = stat()
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST, lstat(folder, &status) == 0,
      status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else {
      throw Failure(.usage, "\(folder) can't be used: it has to be a folder that only you change.")
    }
    return "\(folder)/\(Self.number(ofStore: session.store)).sock"
  }

  /// A number that is the same for all names of a store: FNV-1a, 64 bits, of its real path.
  static func number(ofStore store: String) -> String {
    let folder = store.folder
    let real = realpath(folder, nil)
      .map { path in
        defer { free(path) }
        return String(cString: path)
      }
    let name = store.split(separator: "/").last ?? ""
    let path = "\(real ?? folder)/\(name)"
    let number = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A client that has connected.
final class SocketClient: Sendable {
  private let descriptor: Int32
  private let port: ViewPort
  private let session: Session

  init(
    _ descriptor: Int32,
    _ port: ViewPort,
    _ source: EventSource,
    _ catalogue: Catalogue,
    _ options: SessionOptions
  ) {
    self.descriptor = descriptor
    self.port = port
    let peer = RPCPeer(input: descriptor, output: descriptor)
    session = Session(catalogue, options, port, peer, source)
  }

  deinit { Foundation.close(descriptor) }

  /// Serves it to its end; then what is kept for it alone is released.
  func run() {
    _ = session.serve()
    shutdown(descriptor, Int32(SHUT_RDWR))
    port.end()
  }

  /// Tells it why the session ends, and ends it.
  func close(_ reason: String) { session.close(reason) }
}
