import EventCommands
import EventMVVM
import EventRPC
import EventServing
import Foundation
import JSONText
import Platform

/// A connection to a process that serves the same store and listens for clients, for
/// `serve --attach`: messages of the client are passed to it, and its messages to the client.
struct Attachment {
  private let descriptor: Int32

  /// Connects to a process.
  ///
  /// - Parameters:
  ///   - place: The location of its socket.
  ///   - session: The session that this process would run by itself.
  /// - Throws: Why there is none to connect to: no process listens, or it serves something else.
  init(_ place: SocketPlace, _ session: ProcessSession) throws(Failure) {
    let path = try place.path(session, for: "--attach")
    // A separate connection requests what it serves: the client's begins with the client.
    let probe = try Self.connect(path)
    defer { close(probe) }
    try Self.check(Self.description(over: probe, path), session, path)
    // The probe's connection ends before the client's begins.
    shutdown(probe, Int32(SHUT_WR))
    Self.readToEnd(probe)
    descriptor = try Self.connect(path)
  }

  private static func connect(_ path: String) throws(Failure) -> Int32 {
    guard let descriptor = try UnixSocket.connect(to: path) else {
      let cause =
        [ENOENT, ECONNREFUSED].contains(errno) ? "" : " (\(SystemProblem(errno).text))"
      throw Failure(.unanswered, "\(path): no process listens there\(cause).")
    }
    return descriptor
  }

  private static func readToEnd(_ descriptor: Int32) {
    let end = ContinuousClock.now.advanced(by: .seconds(patience))
    var buffer = [UInt8](repeating: 0, count: 4096)
    while ContinuousClock.now < end {
      var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&place, 1, 100) > 0, read(descriptor, &buffer, buffer.count) <= 0 { return }
    }
  }

  // MARK: The description of the process

  /// The limit for a process to describe what it serves, in seconds.
  private static let patience = 2

  /// Requests the description of what a process serves.
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
      ("plugins", "other plugins"), ("yes", "another answer to what a person would be asked"),
    ] where description[member] != own[member] {
      throw Failure(.unanswered, "\(path): the process that listens there has \(what).")
    }
  }

  // MARK: The client

  /// Waits for the client's first message, as it may connect long before.
  ///
  /// - Parameter isWanted: Called every second; false ends the wait.
  static func waitForClient(while isWanted: () -> Bool) {
    var place = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    while poll(&place, 1, 1000) <= 0, isWanted() {}
  }

  /// Relays the messages of the client and the process, until the session there has ended.
  ///
  /// After the client's end, answers have two seconds to arrive, and after a `shutdown` ten: the
  /// process may be stopped.
  ///
  /// - Parameter isWanted: Called every second; false ends the session.
  /// - Returns: Success once a `shutdown` was answered.
  /// - Throws: A failure if there is no thread for it.
  func run(while isWanted: @escaping @Sendable () -> Bool) throws(Failure) -> ExitStatus {
    let end = RelayEnd()
    // A thread for each direction: none waits for the other end to read.
    let isStarted = startThread { [descriptor] in
      Self.readClient(descriptor, isWanted, end)
      end.noteClientGone()
    }
    guard isStarted else {
      close(descriptor)
      throw Failure.noThread
    }
    var reader = FrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while !end.isLate {
      var places = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: 0, events: 0, revents: 0),
      ]
      _ = poll(&places, 2, 200)
      // The other thread may be blocked by a process that does not read.
      if places[1].revents & Int16(POLLHUP) != 0 || !isWanted() { end.noteClientGone() }
      guard places[0].revents != 0 else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      let bytes = Array(buffer[..<count])
      reader.append(bytes)
      while let found = reader.next() { end.noteAnswer(found) }
      guard writeAll(bytes, to: 1) == nil else { break }
    }
    return end.isShutDown ? .success : .failed
  }

  /// Relays the client's messages, until its input ends.
  private static func readClient(_ descriptor: Int32, _ isWanted: () -> Bool, _ end: RelayEnd) {
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
      while let found = reader.next() { end.noteRequest(found) }
      guard writeAll(bytes, to: descriptor) == nil else { break }
    }
    shutdown(descriptor, Int32(SHUT_WR))
  }
}

/// The progress of a relayed session to its end.
private final class RelayEnd: Sendable {
  private struct State {
    /// The ids of the `shutdown` requests.
    var asked: [JSON] = []
    var isShutDown = false
    /// The limit for the remaining messages; nil while the client is connected.
    var limit: ContinuousClock.Instant?
  }

  private let state = Locked(State())

  /// Whether a `shutdown` was answered.
  var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// Whether there is no time left.
  var isLate: Bool { state.withLock { $0.limit.map { $0 < .now } ?? false } }

  func noteClientGone() {
    state.withLock { state in
      if state.limit == nil {
        state.limit = .now.advanced(by: .seconds(state.asked.isEmpty ? 2 : 10))
      }
    }
  }

  func noteRequest(_ found: FrameReader.Found) {
    for message in Self.messages(found) where message["method"] == "shutdown" {
      if let id = message["id"] { state.withLock { $0.asked.append(id) } }
    }
  }

  func noteAnswer(_ found: FrameReader.Found) {
    guard state.withLock({ !$0.asked.isEmpty }) else { return }
    for message in Self.messages(found) where message["result"] != nil {
      guard let id = message["id"] else { continue }
      state.withLock { if $0.asked.contains(id) { $0.isShutDown = true } }
    }
  }

  /// Returns the messages that were found, including those of a batch; long ones are ignored.
  private static func messages(_ found: FrameReader.Found) -> [JSON] {
    guard case .message(let bytes) = found, bytes.count < 4096,
      let json = try? JSON(parsing: bytes)
    else { return [] }
    if case .array(let messages) = json { return messages }
    return [json]
  }
}
