import Seams
public import Synchronization

/// The entries that other threads hand over to the home thread, which may be asleep.
@usableFromInline
final class Inbox: @unchecked Sendable {
  // Unchecked: the queue is touched under the lock alone.
  @usableFromInline let mail = Atomic<Bool>(false)
  @usableFromInline let signal = Signal()
  @usableFromInline @exclusivity(unchecked) var queue = EntryQueue()

  deinit { queue.destroy() }

  /// Whether an entry waits; may lag behind another thread's post that has not returned.
  @inlinable @inline(__always)
  var hasMail: Bool { mail.load(ordering: .acquiring) }

  /// Appends an entry and wakes the home thread; never waits for a delivery.
  @inlinable
  func post<E: StreamEntry>(_ entry: E, _ header: _Header) {
    lock()
    queue.push(entry, header)
    mail.store(true, ordering: .releasing)
    signal.unlock()
    signal.wake()  // After unlocking, so that the woken thread finds the lock free.
  }

  @usableFromInline func lock() {
    Seam.pass(.send)
    signal.lock()
  }

  /// Appends all waiting entries to the home thread's queue, in constant time.
  @usableFromInline
  func collect(into home: inout EntryQueue) {
    Seam.pass(.inbox)
    signal.lock()
    home.append(&queue)
    mail.store(false, ordering: .releasing)
    signal.unlock()
  }

  /// Sleeps until an entry waits.
  func sleep() {
    signal.lock()
    while !mail.load(ordering: .relaxed) { signal.sleep() }
    signal.unlock()
    Seam.pass(.inbox)
  }
}
