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
    /// The name of an origin.
    case origin(UInt32, String)
  }

  private struct State {
    var items: [Item] = []
    /// How many events were dropped since the last that was not.
    var dropped = 0
    var isEnding = false
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
      throw Failure(.store, "The events can't be kept: \(String(cString: strerror(errno))).")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
    let lines = EventLines(session: environment.session)
    lines.begin(
      program: "\(session.program) \(session.version)",
      start: environment.now(),
      zone: environment.zone.name,
      isInteractive: session.isLasting,
      plugins: session.plugins
    )
    _ = writeAll(lines.take(), to: descriptor)
    let isStarted = startThread { [self] in run(lines) }
    if !isStarted { isWritten.signal() }
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

  /// Writes what is left, and the end.
  func end() {
    state.withLock { $0.isEnding = true }
    isWritten.wait()
  }

  private func run(_ lines: EventLines) {
    var written = 0
    while true {
      let (items, dropped, isEnding) = state.withLock { state in
        defer { (state.items, state.dropped) = ([], 0) }
        return (state.items, state.dropped, state.isEnding)
      }
      for item in items {
        switch item {
        case .event(let write) where written < Self.mostBytes: write(lines)
        case .event: lines.drop(1)
        case .origin(let number, let name): lines.declare(number, name)
        }
        if lines.count > 1 << 16 { written += write(lines) }
      }
      if dropped > 0 { lines.drop(dropped) }
      if isEnding { lines.end() }
      written += write(lines)
      guard !isEnding else { break }
      if items.isEmpty { usleep(UInt32(Self.pause) * 1000) }
    }
    isWritten.signal()
  }

  private func write(_ lines: EventLines) -> Int {
    let bytes = lines.take()
    _ = writeAll(bytes, to: descriptor)
    return bytes.count
  }
}

/// Hands the events of a stream over to a spool; used by the home thread alone.
final class EventTapper: EventObserver {
  private let spool: EventSpool
  // Not checked for overlapping access: no handler runs inside another one (promise 2).
  @exclusivity(unchecked) private var origins: [Origin: UInt32] = [:]

  init(_ spool: EventSpool) { self.spool = spool }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    let envelope = EventLines.Envelope(
      sequence: turn.sequence,
      cause: turn.cause,
      root: turn.root,
      origin: origins[turn.origin] ?? declare(turn.origin, turn.originName),
      time: turn.time,
      isInput: turn.isInput,
      isHousekeeping: turn.isHousekeeping
    )
    spool.add(.event { $0.write(event, envelope) })
  }

  private func declare(_ origin: Origin, _ name: String) -> UInt32 {
    let number = UInt32(origins.count)
    origins[origin] = number
    spool.add(.origin(number, name))
    return number
  }
}
