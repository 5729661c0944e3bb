#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calling thread, as a number.
@usableFromInline
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// Runs a body on a new thread with a stack of 8 MiB.
///
/// Foundation's threads don't say that they could not be started, and Dispatch waits until they
/// can.
///
/// - Parameters:
///   - delay: How long it sleeps first, in milliseconds.
///   - body: What the thread does.
/// - Returns: Whether it was started; the system may have no thread to spare.
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
