import EventCommands
import EventMVVM
import Foundation
import Platform

/// The file of a session's events, in the form of a recording; a thread of its own writes it.
///
/// Memory and file are bounded: what does not fit is dropped, and the file says how many events that were.
final class EventSpool: Sendable {
  /// Something to write.
  enum Item: Sendable {
    /// An event, by what writes its line.
    case event(@Sendable (EventLines) -> Void)
    /// An origin with its name.
    case origin(Origin, String)
  }

  private struct State {
    var items: [Item] = []
    /// How many events were dropped.
    var dropped = 0
    var isEnding = false
    /// Why it is no longer written.
    var problem: String?
  }

  /// The most events that wait to be written.
  private static let mostItems = 32_768
  /// The most bytes of the file.
  private static let mostBytes = 1 << 30
  /// How often it is written, in milliseconds.
  private static let pause = 20

  /// The open file, which has no name any more.
  let descriptor: Int32
  private let state = Locked(State())
  private let isWritten = DispatchSemaphore(value: 0)

  /// Creates the file, and its first line.
  ///
  /// - Throws: Why there is no file.
  init(_ session: ProcessSession, _ environment: Environment) throws(Failure) {
    var path = Array((NSTemporaryDirectory() + "/\(session.program)-events-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw Failure(.store, "The events can't be kept: \(SystemProblem(errno).text).")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    let header = EventLines(session: environment.session)
    header.begin(
      program: "\(session.program) \(session.version)",
      start: environment.now(),
      zone: environment.zone.name,
      isInteractive: session.isLasting,
      plugins: session.plugins
    )
    write(header)
    let session = environment.session
    guard startThread({ [self] in run(EventLines(session: session)) }) else {
      throw Failure.noThread
    }
  }

  deinit { close(descriptor) }

  /// Adds something; on the home thread, which does not wait.
  func add(_ item: Item) {
    state.withLock { state in
      if case .event = item, state.items.count >= Self.mostItems {
        state.dropped += 1
      } else {
        state.items.append(item)
      }
    }
  }

  /// Writes what is left, and the end; called once.
  ///
  /// - Returns: Why events are missing; nil if none are.
  func end() -> String? {
    state.withLock { $0.isEnding = true }
    isWritten.wait()
    return state.withLock { state in
      state.problem
        ?? (state.dropped > 0 ? "\(state.dropped) came too fast, or were too many" : nil)
    }
  }

  private func run(_ lines: EventLines) {
    var (written, told) = (0, 0)
    while true {
      let (items, isEnding) = state.withLock { state in
        defer { state.items = [] }
        return (state.items, state.isEnding)
      }
      for item in items {
        switch item {
        case .event(let write) where written < Self.mostBytes: write(lines)
        case .event: state.withLock { $0.dropped += 1 }
        case .origin(let origin, let name): lines.declare(origin, name)
        }
        if lines.count > 1 << 16 { written += write(lines) }
      }
      let dropped = state.withLock { $0.dropped }
      // Only where there are many more, so that a full file does not grow by that.
      if dropped > told * 2 || isEnding && dropped > told {
        lines.drop(dropped)
        told = dropped
      }
      if isEnding { lines.end() }
      written += write(lines)
      guard !isEnding else { break }
      if items.isEmpty { usleep(UInt32(Self.pause) * 1000) }
    }
    isWritten.signal()
  }

  @discardableResult
  private func write(_ lines: EventLines) -> Int {
    let bytes = lines.take()
    guard !bytes.isEmpty, state.withLock({ $0.problem == nil }) else { return 0 }
    if let code = writeAll(bytes, to: descriptor) {
      state.withLock { $0.problem = SystemProblem(code).text }
    }
    return bytes.count
  }
}

/// Hands the events of a stream over to a spool; used by the home thread alone.
final class EventTapper: EventObserver {
  private let spool: EventSpool
  // Not checked for overlapping access: no handler runs inside another one (promise 2).
  @exclusivity(unchecked) private var origins: Set<Origin> = []

  init(_ spool: EventSpool) { self.spool = spool }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    if origins.insert(turn.origin).inserted { spool.add(.origin(turn.origin, turn.originName)) }
    let line = EventLine(turn)
    spool.add(.event { $0.write(event, line) })
  }
}
