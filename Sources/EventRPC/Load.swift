import Foundation
import Synchronization

/// How much is under way: calls that have come and are not dealt with.
///
/// Counting takes no lock, as every call is counted twice; only who waits takes one.
final class Load: Sendable {
  private let limits: RPCLimits
  private let calls = Atomic(0)
  private let bytes = Atomic(0)
  private let waiters = Atomic(0)
  private let condition = NSCondition()

  init(_ limits: RPCLimits = RPCLimits()) {
    self.limits = limits
  }

  func add(_ count: Int) {
    calls.add(1, ordering: .sequentiallyConsistent)
    bytes.add(count, ordering: .sequentiallyConsistent)
  }

  func remove(_ count: Int) {
    bytes.subtract(count, ordering: .sequentiallyConsistent)
    calls.subtract(1, ordering: .sequentiallyConsistent)
    // Whoever begins to wait says so before it looks, so that one of both sees the other.
    if waiters.load(ordering: .sequentiallyConsistent) > 0 { wake() }
  }

  private var hasRoom: Bool {
    calls.load(ordering: .sequentiallyConsistent) < limits.calls
      && bytes.load(ordering: .sequentiallyConsistent) < limits.bytes
  }

  /// Waits until there is room for more; one that is too long alone has room when nothing else is there.
  func waitForRoom(until isOver: () -> Bool) {
    guard !hasRoom else { return }
    wait(until: nil) { hasRoom || isOver() }
  }

  /// Waits until nothing is under way.
  func waitUntilIdle(until limit: Date) {
    wait(until: limit) { calls.load(ordering: .sequentiallyConsistent) == 0 }
  }

  /// Waits for something; without a limit for as long as it takes, as no date stands for that: a condition
  /// traps on the distant future.
  private func wait(until limit: Date?, _ isDone: () -> Bool) {
    condition.lock()
    defer { condition.unlock() }
    waiters.add(1, ordering: .sequentiallyConsistent)
    defer { waiters.subtract(1, ordering: .sequentiallyConsistent) }
    while !isDone() {
      guard let limit else {
        condition.wait()
        continue
      }
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
