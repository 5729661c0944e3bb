#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The failure of a wait whose condition did not hold in time.
///
/// `waitUntil` throws it, so that a test ends there, with this as its failure.
public struct WaitedInVain: Error, Equatable, CustomStringConvertible {
  /// What was waited for.
  public let wanted: String
  /// The limit of the wait.
  public let limit: Duration
  /// What happened instead, such as the events so far; may be empty.
  public let seen: String

  /// A sentence, and what happened instead beneath it.
  public var description: String {
    let sentence = "waited \(limit) until \(wanted), in vain"
    return seen.isEmpty ? sentence : "\(sentence); what had come:\n\(seen)"
  }
}

/// How long tests wait.
public enum Patience {
  /// The multiple of the usual time, by `$EVENTMVVM_PATIENCE`: more where a machine is slow or
  /// disturbed on purpose; 1 unless set.
  public static let factor: Int = {
    getenv("EVENTMVVM_PATIENCE").flatMap { Int(String(cString: $0)) }.map { max(1, $0) } ?? 1
  }()

  /// The usual limit for a wait on another thread or process.
  public static var usual: Duration { .seconds(60 * factor) }
}

/// Waits until a condition holds that another thread or process brings about; blocks the thread
/// meanwhile.
///
/// All waits of tests use it: a wait without a limit can hang.
///
/// ```swift
/// let answer = Locked<String?>(nil)
/// Thread.detachNewThread { answer.withLock { $0 = "yes" } }
/// try waitUntil("there is an answer") { answer.withLock { $0 != nil } }
/// ```
///
/// - Parameters:
///   - wanted: What is waited for, as the end of "waited until …".
///   - limit: The limit.
///   - seen: What happened instead, for the failure.
///   - isSo: The condition; checked repeatedly, up to a hundred times a second.
/// - Throws: ``WaitedInVain``, or what the condition throws.
public func waitUntil(
  _ wanted: String,
  within limit: Duration = Patience.usual,
  showing seen: () -> String = { "" },
  _ isSo: () throws -> Bool
) throws {
  var pauses = Pauses()
  let end = ContinuousClock.now + limit
  while try !isSo() {
    guard ContinuousClock.now < end else {
      throw WaitedInVain(wanted: wanted, limit: limit, seen: seen())
    }
    usleep(pauses.next())
  }
}

/// Waits until a condition holds that another thread or process brings about, and leaves the thread
/// to other tasks meanwhile.
///
/// Only the pauses between two checks count: where all threads of the pool are blocked for minutes,
/// as by many tests on few cores, the condition could not have come to hold in that time.
///
/// - Parameters:
///   - wanted: What is waited for, as the end of "waited until …".
///   - limit: The limit, as the sum of pauses.
///   - seen: What happened instead, for the failure.
///   - isSo: The condition; checked repeatedly, up to a hundred times a second.
/// - Throws: ``WaitedInVain``, or what the condition throws; `CancellationError` once the task is
///   cancelled.
public func waitUntil(
  _ wanted: String,
  within limit: Duration = Patience.usual,
  showing seen: () -> String = { "" },
  _ isSo: () throws -> Bool
) async throws {
  var pauses = Pauses()
  var left = limit
  while try !isSo() {
    guard left > .zero else { throw WaitedInVain(wanted: wanted, limit: limit, seen: seen()) }
    let pause = Duration.microseconds(pauses.next())
    try await Task.sleep(for: pause)
    left -= pause
  }
}

/// The pauses between two checks: short ones first, as most conditions hold soon.
private struct Pauses {
  private var microseconds: UInt32 = 50

  /// Returns the microseconds until the next check.
  mutating func next() -> UInt32 {
    defer { microseconds = min(microseconds * 2, 10_000) }
    return microseconds
  }
}
