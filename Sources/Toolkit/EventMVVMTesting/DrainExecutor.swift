import EventMVVM

/// An executor that runs nothing until it is drained, on the thread that drains it.
///
/// It makes asynchronous handlers synchronous in tests: no sleeping, no waiting, one order.
public final class DrainExecutor: TaskExecutor {
  private let jobs = Locked<[UnownedJob]>([])

  /// Creates an executor with nothing to do.
  public init() {}

  /// Stores a job for the next drain; any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the stored jobs, and the jobs that they add.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func drain() -> Bool {
    var ran = false
    while true {
      let batch = jobs.withLock { jobs in
        defer { jobs = [] }
        return jobs
      }
      guard !batch.isEmpty else { return ran }
      ran = true
      for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}
