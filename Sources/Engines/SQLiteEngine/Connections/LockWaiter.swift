import Platform
import EventMVVM
import Foundation
import Seams

/// Waits for a lock on a thread of its own, since `flock` has no time limit.
///
/// Repeated attempts would starve: a committing writer begins again at once, before the next
/// attempt. Writers that wait in the system get the lock in turn. One thread with one descriptor
/// waits for a file, however many writers give up meanwhile.
final class LockWaiter: Sendable {
  private enum State {
    case wanted, abandoned, locked, released
  }

  /// The waiters that writers have abandoned, until they have the lock.
  private static let abandoned = Locked<[FileIdentity: LockWaiter]>([:])

  private let descriptor: Int32
  private let state = Locked(State.wanted)
  private let isLocked = DispatchSemaphore(value: 0)

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Locks a file, once it is unlocked.
  ///
  /// - Parameters:
  ///   - descriptor: The file; closed if another descriptor waits for it already.
  ///   - patience: How long to wait, in seconds.
  /// - Returns: A descriptor that holds the lock; nil if the time is over, or the system has no
  ///   thread to wait.
  static func lock(_ descriptor: Int32, for patience: TimeInterval) -> Int32? {
    guard let waiter = waiter(for: descriptor) else { return nil }
    if waiter.isLocked.wait(timeout: .now() + patience) == .success { return waiter.descriptor }
    return waiter.abandon() ? nil : waiter.descriptor
  }

  private static func waiter(for descriptor: Int32) -> LockWaiter? {
    if let identity = FileIdentity(of: descriptor),
      let waiter = abandoned.withLock({ $0.removeValue(forKey: identity) }), waiter.reclaim()
    {
      close(descriptor)
      return waiter
    }
    let waiter = LockWaiter(descriptor)
    guard !startThread({ waiter.wait() }) else { return waiter }
    close(descriptor)
    return nil
  }

  private func reclaim() -> Bool {
    state.withLock { state in
      guard state == .abandoned else { return false }
      state = .wanted
      return true
    }
  }

  /// Leaves the thread to the next writer; returns false if it has the lock by now.
  private func abandon() -> Bool {
    let identity = FileIdentity(of: descriptor)
    let isAbandoned = state.withLock { state in
      guard state == .wanted else { return false }
      state = .abandoned
      return true
    }
    if isAbandoned, let identity { Self.abandoned.withLock { $0[identity] = self } }
    return isAbandoned
  }

  private func wait() {
    Seam.pass(.thread)
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    let isWanted = state.withLock { state in
      state = state == .wanted ? .locked : .released
      return state == .locked
    }
    guard !isWanted else {
      isLocked.signal()
      return
    }
    let identity = FileIdentity(of: descriptor)
    flock(descriptor, LOCK_UN)
    if let identity {
      Self.abandoned.withLock { if $0[identity] === self { $0[identity] = nil } }
    }
    close(descriptor)
  }
}
