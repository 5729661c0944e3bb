import EventCommands
import EventMVVM
import EventRPC
import EventServing
import Foundation
import JSONText
import Platform

/// A process that serves the same store and listens for clients, as `serve --attach` joins it: what
/// the client says goes there, and what comes from there goes to the client.
struct Attachment {
  private let descriptor: Int32

  /// Joins a process.
  ///
  /// - Parameters:
  ///   - place: Where it listens.
  ///   - session: The session that this process would hold by itself.
  /// - Throws: Why there is none to join: nobody listens, or something else is served.
  init(_ place: SocketPlace, _ session: ProcessSession) throws(Failure) {
    let path = try place.path(session)
    // What it serves is asked on a connection of its own: the client's begins with the client.
    let probe = try Self.connect(path)
    defer { close(probe) }
    try Self.check(Self.description(over: probe, path), session, path)
    descriptor = try Self.connect(path)
  }

  private static func connect(_ path: String) throws(Failure) -> Int32 {
    guard let descriptor = try UnixSocket.connect(to: path) else {
      throw Failure(.unanswered, "\(path): no process listens there.")
    }
    return descriptor
  }

  // MARK: What is served there

  /// How long a process may take to say what it serves, in seconds.
  private static let patience = 2

  /// Asks what a process serves.
  private static func description(
    over descriptor: Int32,
    _ path: String
  ) throws(Failure) -> JSON {
    let questions = """
      {"jsonrpc":"2.0","id":1,"method":"initialize"}
      {"jsonrpc":"2.0","id":2,"method":"session/describe"}

      """
    _ = writeAll(Array(questions.utf8), to: descriptor)
    let end = ContinuousClock.now.advanced(by: .seconds(patience))
    var reader = FrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while ContinuousClock.now < end {
      var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&place, 1, 100) > 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      reader.append(Array(buffer[..<count]))
      while case .message(let bytes)? = reader.next() {
        guard let json = try? JSON(parsing: bytes), json["id"] == 2 else { continue }
        if let description = json["result"] { return description }
      }
    }
    throw Failure(.unanswered, "\(path): what listens there does not say what it serves.")
  }

  private static func check(
    _ description: JSON,
    _ session: ProcessSession,
    _ path: String
  ) throws(Failure) {
    let own = SessionOptions(session).description
    for (member, what) in [
      ("program", "another program"), ("version", "another version"), ("store", "another store"),
      ("plugins", "other plugins"),
    ] where description[member] != own[member] {
      throw Failure(.unanswered, "\(path): the process that listens there has \(what).")
    }
  }

  // MARK: The client

  /// Hands on what the client and the process say to each other, until the session there has ended.
  ///
  /// - Parameter isWanted: Asked every second; false ends the session.
  /// - Returns: Success if the client has asked for the end.
  func run(while isWanted: @escaping @Sendable () -> Bool) -> ExitStatus {
    defer { close(descriptor) }
    let hasShutDown = Locked(false)
    // A thread for each direction: none waits for the other end to read.
    let isStarted = startThread { [descriptor] in
      Self.readClient(descriptor, isWanted) { hasShutDown.withLock { $0 = true } }
    }
    guard isStarted else { return .failed }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, writeAll(Array(buffer[..<count]), to: 1) == nil else { break }
    }
    return hasShutDown.withLock { $0 } ? .success : .failed
  }

  /// Hands on what the client says, until its input ends.
  private static func readClient(
    _ descriptor: Int32,
    _ isWanted: () -> Bool,
    noteShutdown: () -> Void
  ) {
    var reader = FrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      var place = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard poll(&place, 1, 1000) > 0 else {
        guard isWanted() else { break }
        continue
      }
      let count = read(0, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      let bytes = Array(buffer[..<count])
      reader.append(bytes)
      while let found = reader.next() {
        if case .message(let message) = found, isShutdown(message) { noteShutdown() }
      }
      guard writeAll(bytes, to: descriptor) == nil else { break }
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Whether a message asks for the end; such a one is short.
  private static func isShutdown(_ message: [UInt8]) -> Bool {
    guard message.count < 1000, let json = try? JSON(parsing: message) else { return false }
    return json["method"] == "shutdown"
  }
}
