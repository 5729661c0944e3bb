#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

import Seams

/// A lock with a condition, on POSIX threads, which ThreadSanitizer supports, unlike futexes.
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
  /// Wakes all sleeping threads.
  @usableFromInline func wake() { pthread_cond_broadcast(condition) }
  /// Releases the lock until woken, possibly without cause: the caller checks its condition again.
  func sleep() { pthread_cond_wait(condition, mutex) }
}

/// A value protected by a lock, which is never held while calling out.
///
/// ```swift
/// let answer = Locked<String?>(nil)
/// Thread.detachNewThread { answer.withLock { $0 = "yes" } }
/// ```
public final class Locked<Value>: @unchecked Sendable {
  // Unchecked: the value is touched under the lock alone. Overlapping access is not checked at
  // run time, as only the thread that holds the lock touches it.
  @usableFromInline let signal = Signal()
  @usableFromInline @exclusivity(unchecked) var value: Value

  /// Creates a lock that guards a value.
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

/// Returns a number that identifies the calling thread.
@usableFromInline
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// Runs `body` on a new thread with a stack of 8 MiB.
///
/// Foundation's threads don't report that they could not be started, and Dispatch waits until
/// one is available.
///
/// - Parameters:
///   - delay: How long it sleeps first, in milliseconds.
///   - body: What the thread does.
/// - Returns: Whether it was started; the system may have none available.
package func startThread(
  after delay: Int = 0,
  _ body: @escaping @Sendable () -> Void
) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 8 << 20)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let box = Unmanaged.passRetained(
    Box {
      Seam.pass(.thread)
      if delay > 0 { usleep(UInt32(clamping: delay * 1000)) }
      body()
    }
  )
  var status: Int32 = EAGAIN
  // One that has just ended may count for a moment longer.
  for attempt in 0..<10 where status == EAGAIN {
    if attempt > 0 { usleep(1000) }
    status = pthread_create(
      &thread,
      &attributes,
      { argument in
        // Optional on Linux alone.
        let box: UnsafeMutableRawPointer? = argument
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      },
      box.toOpaque()
    )
  }
  pthread_attr_destroy(&attributes)
  if status != 0 { box.release() }
  return status == 0
}

/// The queue entry that goes on with a task on the home thread.
struct HomeJob: StreamEntry {
  let body: @Sendable () -> Void

  static func _take(_ address: _EntryAddress, _ router: _Router) { _move(address).body() }
}

extension EventStream {
  /// Goes on with a task on the home thread, at a position in the queue that a replay reproduces.
  package func goOn(_ body: @escaping @Sendable () -> Void) {
    router.submit(HomeJob(body: body), _Header(origin: origin))
  }
}
