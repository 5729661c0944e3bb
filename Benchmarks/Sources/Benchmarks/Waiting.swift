import Dispatch
import Foundation

/// Runs asynchronous work to its end.
func wait(for work: @escaping @Sendable () async -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    await work()
    isDone.signal()
  }
  isDone.wait()
}

/// Runs work on two threads to its end: threads of its own, as a pool may run one after the other.
func onTwoThreads(_ work: @escaping @Sendable (_ thread: Int) -> Void) {
  let group = DispatchGroup()
  for thread in 0..<2 {
    group.enter()
    Thread.detachNewThread {
      work(thread)
      group.leave()
    }
  }
  group.wait()
}
