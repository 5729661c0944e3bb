import EventMVVM
import Foundation

/// Checks that the system has threads to spare, by starting them all at once and ending them.
///
/// Dispatch, which other libraries use, waits without a limit if there are none.
///
/// - Parameter count: The number of threads.
/// - Returns: Whether all could be started.
func canStartThreads(_ count: Int) -> Bool {
  let (end, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  var started = 0
  while started < count,
    startThread({
      end.wait()
      ended.signal()
    })
  {
    started += 1
  }
  for _ in 0..<started { end.signal() }
  for _ in 0..<started { ended.wait() }
  return started == count
}
