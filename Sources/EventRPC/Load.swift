import Foundation

/// How much is under way: calls that have come and are not dealt with.
final class Load: @unchecked Sendable {
  // Unchecked: the variables are touched under the condition's lock alone.

  /// How many calls may be under way.
  static let mostCalls = 65_536
  /// The bytes of the messages that they came in.
  static let mostBytes = 16_777_216

  private let condition = NSCondition()
  private var calls = 0
  private var bytes = 0
  private var waiters = 0

  func add(_ count: Int) {
    condition.lock()
    calls += 1
    bytes += count
    condition.unlock()
  }

  func remove(_ count: Int) {
    condition.lock()
    calls -= 1
    bytes -= count
    if waiters > 0 { condition.broadcast() }
    condition.unlock()
  }

  /// Waits until there is room for more; one that is too long alone has room when nothing else is there.
  func waitForRoom(until isOver: () -> Bool) {
    wait(until: .distantFuture) { (calls < Self.mostCalls && bytes < Self.mostBytes) || isOver() }
  }

  /// Waits until nothing is under way.
  func waitUntilIdle(until limit: Date) {
    wait(until: limit) { calls == 0 }
  }

  private func wait(until limit: Date, _ isDone: () -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    waiters += 1
    defer { waiters -= 1 }
    while !isDone() {
      guard condition.wait(until: limit) else { return }
    }
  }

  /// Has those who wait look again.
  func wake() {
    condition.lock()
    condition.broadcast()
    condition.unlock()
  }
}
