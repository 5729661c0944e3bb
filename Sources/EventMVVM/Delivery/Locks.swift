#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lock with a condition, on POSIX threads: ThreadSanitizer knows them, unlike futexes.
@usableFromInline
final class Signal: @unchecked Sendable {
  // Unchecked: both pointers are immutable, and what they point to is made for many threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  @usableFromInline func lock() {
    Seam.pass(.lock)
    pthread_mutex_lock(mutex)
  }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
  /// Wakes all that sleep.
  @usableFromInline func wake() { pthread_cond_broadcast(condition) }
  /// Gives the lock up until woken, perhaps for nothing: look again at what is waited for.
  func sleep() { pthread_cond_wait(condition, mutex) }
}

/// A value protected by a lock, which is never held while calling out.
public final class Locked<Value>: @unchecked Sendable {
  // Unchecked: the value is touched under the lock alone. Nor is overlapping access looked for at
  // run time, as the thread inside has the lock, and no other gets it.
  @usableFromInline let signal = Signal()
  @usableFromInline @exclusivity(unchecked) var value: Value

  /// Guards a value.
  public init(_ value: sending Value) {
    self.value = value
  }

  /// Reads or changes the value while no other thread does.
  @inlinable
  public func withLock<R, E: Error>(
    _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    signal.lock()
    defer { signal.unlock() }
    return try body(&value)
  }
}
