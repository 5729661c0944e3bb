import Foundation
import Synchronization

/// Limits what is in progress: calls that have arrived and are not finished.
///
/// Counting takes no lock, as every call is counted twice; only a waiting thread takes one.
final class InFlightLimit: Sendable {
  private let limits: RPCLimits
  /// How long the reader waits for earlier calls without any of them finishing, in seconds; then it
  /// passes on a call that they may depend on.
  private let patience: Double
  private let calls = Atomic(0)
  private let bytes = Atomic(0)
  /// The numbers of requests so far, and of unanswered ones.
  private let requests = Atomic(0)
  private let unanswered = Atomic(0)
  /// How many calls are passed on before the next one waits for them; only the thread that waits
  /// for room touches it.
  private let ahead: Atomic<Int>
  /// The waiting threads check again when no more calls than these are in progress; below zero if
  /// none waits.
  private let wakesAt = Atomic(-1)
  private let condition = NSCondition()

  init(_ limits: RPCLimits = RPCLimits(), patience: Double = 0.001) {
    self.limits = limits
    self.patience = patience
    ahead = Atomic(limits.ahead)
  }

  func add(_ count: Int) {
    calls.add(1, ordering: .sequentiallyConsistent)
    bytes.add(count, ordering: .sequentiallyConsistent)
  }

  func remove(_ count: Int) {
    bytes.subtract(count, ordering: .sequentiallyConsistent)
    let left = calls.subtract(1, ordering: .sequentiallyConsistent).newValue
    // A thread that begins to wait stores so before it checks, so that one of both sees the other.
    if left <= wakesAt.load(ordering: .sequentiallyConsistent) { wake() }
  }

  // MARK: Answers

  /// Expects an answer.
  ///
  /// - Returns: The number of the request.
  func expectAnswer() -> Int {
    unanswered.add(1, ordering: .sequentiallyConsistent)
    return requests.add(1, ordering: .relaxed).newValue
  }

  /// Whether other requests are unanswered, and one of them came after the request of a number, as
  /// far as is known.
  ///
  /// Earlier unanswered requests may take long, and so don't count.
  func isFollowed(_ number: Int) -> Bool {
    requests.load(ordering: .relaxed) > number && unanswered.load(ordering: .relaxed) > 1
  }

  /// Notes that an answer has been given.
  ///
  /// - Returns: Whether it was the last one.
  func hasAnswered() -> Bool {
    unanswered.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
  }

  // MARK: Waiting

  private var count: Int { calls.load(ordering: .sequentiallyConsistent) }

  /// Whether nothing is in progress.
  var isIdle: Bool { count == 0 }

  private var hasRoom: Bool {
    count < limits.calls && bytes.load(ordering: .sequentiallyConsistent) < limits.bytes
  }

  /// Waits until there is room for more; a call that exceeds the limit alone has room when nothing
  /// else is in progress.
  func waitForRoom(until isOver: () -> Bool) {
    let count = count
    if count < limits.ahead { ahead.store(limits.ahead, ordering: .relaxed) }
    if count >= ahead.load(ordering: .relaxed) { waitForEarlier(isOver) }
    guard !hasRoom else { return }
    wait(until: nil, wakingAt: .max) { hasRoom || isOver() }
  }

  /// Waits until half of the calls that may be ahead are finished, as long as any of them finish.
  private func waitForEarlier(_ isOver: () -> Bool) {
    let enough = ahead.load(ordering: .relaxed) - limits.ahead / 2
    var before = count
    while before > enough, !isOver() {
      let limit = Date(timeIntervalSinceNow: patience)
      wait(until: limit, wakingAt: enough) { count <= enough || isOver() }
      let now = count
      // They may all wait for a later call.
      if now == before { return ahead.store(now + limits.ahead, ordering: .relaxed) }
      before = now
    }
  }

  /// Waits until nothing is in progress.
  ///
  /// - Parameters:
  ///   - seconds: The limit.
  ///   - isPatient: Whether the time starts again whenever a call has finished in it.
  ///   - isWanted: Called every second, and at each call of ``wake()``; false ends the wait.
  func waitUntilIdle(
    within seconds: Double,
    isPatient: Bool = false,
    while isWanted: () -> Bool = { true }
  ) {
    var before = count
    var limit = Date(timeIntervalSinceNow: seconds)
    while count > 0, isWanted(), limit.timeIntervalSinceNow > 0 {
      wait(until: min(limit, Date(timeIntervalSinceNow: 1)), wakingAt: 0) {
        count == 0 || !isWanted()
      }
      guard isPatient, count < before else { continue }
      before = count
      limit = Date(timeIntervalSinceNow: seconds)
    }
  }

  /// Waits for a condition; nil means no limit, as no date can stand for that: a
  /// condition traps on the distant future.
  private func wait(until limit: Date?, wakingAt few: Int, _ isDone: () -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    while true {
      // Under the lock no other thread sets it; a thread that must wait again sets it again.
      let others = wakesAt.load(ordering: .sequentiallyConsistent)
      wakesAt.store(max(others, few), ordering: .sequentiallyConsistent)
      guard !isDone() else { return }
      guard let limit else {
        condition.wait()
        continue
      }
      guard condition.wait(until: limit) else { return }
    }
  }

  /// Wakes the waiting threads.
  func wake() {
    condition.lock()
    wakesAt.store(-1, ordering: .sequentiallyConsistent)
    condition.broadcast()
    condition.unlock()
  }
}
