import EventMVVM

/// A clock that stands still until a test advances it: what sleeps by it wakes in order, without a
/// wait.
///
/// ```swift
/// let clock = TestClock()
/// clock.advance(by: .seconds(4))
/// ```
///
/// Any thread.
public final class TestClock: Clock {
  /// A moment, as the time since the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since then.
    public let offset: Duration

    /// A later moment, or an earlier one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long it is from here to another moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one is before another.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [UInt64: Sleeper] = [:]
    var last: UInt64 = 0
    /// The sleepers that were cancelled before they slept.
    var cancelled: Set<UInt64> = []
  }

  private let state = Locked(State())

  /// A clock that shows nought.
  public init() {}

  /// What it shows.
  public var now: Instant { state.withLock { $0.now } }
  /// It is exact.
  public var minimumResolution: Duration { .zero }
  /// How many sleep by it.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances it, and wakes those whose time has come, the earliest first; what they then do is
  /// done when the executor that they run on is drained.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
        .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      for (number, _) in due { state.sleepers[number] = nil }
      return due.map(\.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Sleeps until the clock is advanced to a moment.
  ///
  /// - Throws: A `CancellationError`, if the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    defer { state.withLock { _ = $0.cancelled.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(number, Sleeper(deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func begin(_ number: UInt64, _ sleeper: Sleeper) {
    let outcome = state.withLock { state -> Result<Void, any Error>? in
      if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
      if sleeper.deadline <= state.now { return .success(()) }
      state.sleepers[number] = sleeper
      return nil
    }
    if let outcome { sleeper.continuation.resume(with: outcome) }
  }

  private func cancel(_ number: UInt64) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: number)
      if sleeper == nil { state.cancelled.insert(number) }
      return sleeper
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
