import EventMVVM

/// A clock that stands still until a test advances it: tasks that sleep by it wake in order,
/// without a wait.
///
/// ```swift
/// let clock = TestClock()
/// clock.advance(by: .seconds(4))
/// ```
///
/// Any thread.
public final class TestClock: Clock {
  /// A point in time, as the duration since the clock was created.
  public struct Instant: InstantProtocol {
    /// The time since then.
    public let offset: Duration

    /// Returns a later instant, or an earlier one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration from this instant to another one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether the left instant is before the right one.
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

  /// Creates a clock at zero.
  public init() {}

  /// The time of the clock.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }
  /// The number of tasks that sleep by it.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Advances it, and wakes the sleepers whose time has come, the earliest first; their work runs
  /// when their executor is drained.
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

  /// Sleeps until the clock is advanced to an instant.
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
