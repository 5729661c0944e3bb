import Foundation
import Synchronization

/// How much is under way: calls that have come and are not dealt with.
///
/// Counting takes no lock, as every call is counted twice; only who waits takes one.
final class InFlightLimit: Sendable {
  private let limits: RPCLimits
  /// How long none of those before may be dealt with until a call is handed on that might be what
  /// they wait for: in seconds.
  private let patience: Double
  private let calls = Atomic(0)
  private let bytes = Atomic(0)
  /// How many requests have come, and how many of them are unanswered.
  private let requests = Atomic(0)
  private let unanswered = Atomic(0)
  /// How many calls are handed on before the next waits for them; only who waits for room touches
  /// it.
  private let ahead: Atomic<Int>
  /// The waiting threads look again when no more calls than these are under way; below zero if none
  /// waits.
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
    // A thread that begins to wait says so before it looks, so that one of both sees the other.
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
  /// What was asked for before and is not answered yet may take long; what comes after it does not
  /// tell.
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

  /// Whether nothing is under way.
  var isIdle: Bool { count == 0 }

  private var hasRoom: Bool {
    count < limits.calls && bytes.load(ordering: .sequentiallyConsistent) < limits.bytes
  }

  /// Waits until there is room for more; one that is too long alone has room when nothing else is
  /// there.
  func waitForRoom(until isOver: () -> Bool) {
    let count = count
    if count < limits.ahead { ahead.store(limits.ahead, ordering: .relaxed) }
    if count >= ahead.load(ordering: .relaxed) { waitForEarlier(isOver) }
    guard !hasRoom else { return }
    wait(until: nil, wakingAt: .max) { hasRoom || isOver() }
  }

  /// Waits until half of the calls that may be ahead are dealt with, as long as any are dealt with
  /// at all.
  private func waitForEarlier(_ isOver: () -> Bool) {
    let enough = ahead.load(ordering: .relaxed) - limits.ahead / 2
    var before = count
    while before > enough, !isOver() {
      let limit = Date(timeIntervalSinceNow: patience)
      wait(until: limit, wakingAt: enough) { count <= enough || isOver() }
      let now = count
      // They may all wait for what comes next.
      if now == before { return ahead.store(now + limits.ahead, ordering: .relaxed) }
      before = now
    }
  }

  /// Waits until nothing is under way.
  ///
  /// - Parameters:
  ///   - seconds: When to give up.
  ///   - isPatient: Whether that time begins anew whenever something was dealt with in it.
  ///   - isWanted: Asked every second, and at each call of ``wake()``; false ends it.
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

  /// Waits for something; without a limit for as long as it takes, as no date stands for that: a
  /// condition traps on the distant future.
  private func wait(until limit: Date?, wakingAt few: Int, _ isDone: () -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    while true {
      // Under the lock no other thread does; one that is woken in vain sets it again.
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
