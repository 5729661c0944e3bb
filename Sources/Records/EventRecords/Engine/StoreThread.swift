import Dispatch
import EventMVVM

/// The thread on which a distant store is used: one use at a time, in the order of the requests.
///
/// It starts with the first use and ends once this object is released. Where the system has no
/// thread to spare, the caller's is used.
final class StoreThread: TaskExecutor {
  private let queue = Queue()

  deinit { queue.end() }

  /// Runs a part of a task, after what was enqueued before.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.add { job.runSynchronously(on: executor) }
  }

  /// Runs a closure, after what was enqueued before.
  func run(_ body: @escaping @Sendable () -> Void) { queue.add(body) }

  /// Runs a closure after what was enqueued before, and waits for its end.
  func runAndWait(_ body: @escaping @Sendable () -> Void) {
    let end = DispatchSemaphore(value: 0)
    queue.add {
      body()
      end.signal()
    }
    end.wait()
  }

  /// What is enqueued; the thread retains it, and not its owner.
  private final class Queue: Sendable {
    private let state = Locked<(waiting: [@Sendable () -> Void], hasThread: Bool)>(([], false))
    /// Counts what is waiting, and the end.
    private let arrivals = DispatchSemaphore(value: 0)

    func add(_ body: @escaping @Sendable () -> Void) {
      let isTaken = state.withLock { state in
        if !state.hasThread { state.hasThread = startThread { self.work() } }
        if state.hasThread { state.waiting.append(body) }
        return state.hasThread
      }
      if isTaken { arrivals.signal() } else { body() }
    }

    func end() { arrivals.signal() }

    private func work() {
      while true {
        arrivals.wait()
        let bodies = state.withLock { state in
          defer { state.waiting = [] }
          return state.waiting
        }
        guard let first = bodies.first else { return }
        first()
        for body in bodies.dropFirst() {
          // It has arrived, too.
          arrivals.wait()
          body()
        }
      }
    }
  }
}

/// The use of a store by the calling thread: an engine that waits for another machine asks now and
/// then whether it is still wanted.
public struct StoreUse: Sendable {
  /// Whether it is on behalf of a request that can be cancelled.
  public static var canBeCancelled: Bool { current.check != nil }
  /// Whether that request was cancelled.
  public static var isCancelled: Bool { current.check?() ?? false }

  /// Runs a body that can't be cancelled, such as a commit that has begun.
  public static func uninterrupted<T>(_ body: () throws -> T) rethrows -> T {
    try $current.withValue(StoreUse(), operation: body)
  }

  /// Runs a body on behalf of a request.
  static func cancelled<T>(
    if check: @escaping @Sendable () -> Bool,
    _ body: () throws -> T
  ) rethrows -> T {
    try $current.withValue(StoreUse(check: check), operation: body)
  }

  // Not the function itself: code that Swift 6.3 optimizes finds no type for that, and crashes.
  @TaskLocal private static var current = StoreUse()
  private var check: (@Sendable () -> Bool)?
}
