import EventMVVM
import Foundation
import Platform

/// What the system must have to spare before a session begins: what is missing later would end the
/// process, or make it wait without a limit.
enum SpareResources {
  /// The needs of a session.
  private struct Needs {
    /// One thread closes the store's file; in a lasting session the others deliver, watch, write, keep
    /// time, and answer slow requests.
    let threads: Int
    /// Dispatch opens five files; the others are the first of the session's own.
    let files: Int
    /// The bytes of address space: what the bounds of a session permit, and the stacks of its threads.
    let memory: Int
  }

  private static let short = Needs(threads: 1, files: 0, memory: 64 << 20)
  private static let lasting = Needs(threads: 6, files: 12, memory: 512 << 20)

  /// Checks the needs of a session, and starts Dispatch for one that lasts.
  ///
  /// - Throws: What is missing, and what to do about it.
  static func check(isLasting: Bool) throws(Failure) {
    let needs = isLasting ? lasting : short
    try checkMemory(needs.memory)
    guard canStartThreads(needs.threads) else { throw Failure.noThread }
    guard needs.files > 0 else { return }
    if let problem = SystemProblem.ofOpening(needs.files) {
      throw Failure(.unanswered, "A session can't begin: \(problem.text).")
    }
    startDispatch()
  }

  /// Makes Dispatch open its files now: when its first thread starts and finds no descriptor, it ends
  /// the process.
  private static func startDispatch() {
    let started = DispatchGroup()
    DispatchQueue.global().async(group: started) {}
    started.wait()
  }

  /// Checks a limit of the address space, if there is one: an allocation that fails ends the process.
  private static func checkMemory(_ needed: Int) throws(Failure) {
    #if canImport(Glibc)
      guard let limit = SystemLimit.memory.value else { return }
      SystemLimit.allocateFromOneArena()
      let used = addressSpace() ?? 0
      guard limit - used < needed else { return }
      throw Failure(
        .unanswered,
        "'ulimit -v' leaves this process \(max(0, limit - used) >> 20) MiB of memory, and it needs "
          + "\(needed >> 20): raise it."
      )
    #endif
  }

  #if canImport(Glibc)
    /// The bytes of the address space that are in use.
    private static func addressSpace() -> Int? {
      let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return status?.split(separator: " ").first.flatMap { Int($0) }
        .map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }
  #endif

  /// Whether a number of threads could be started at once; they are ended again.
  ///
  /// Dispatch, which other libraries use, waits without a limit if there are none.
  private static func canStartThreads(_ count: Int) -> Bool {
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
}
