#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What was waited for and did not come in time.
///
/// `waitUntil` throws it, so that a test ends there, with this as its failure.
public struct WaitedInVain: Error, Equatable, CustomStringConvertible {
  /// What was waited for.
  public let wanted: String
  /// How long.
  public let limit: Duration
  /// What had come instead, such as the events so far; empty where nothing is known.
  public let seen: String

  /// A sentence, and what had come beneath it.
  public var description: String {
    let sentence = "waited \(limit) until \(wanted), in vain"
    return seen.isEmpty ? sentence : "\(sentence); what had come:\n\(seen)"
  }
}

/// How long tests wait.
public enum Patience {
  /// How often the usual time, by `$EVENTMVVM_PATIENCE`: more where a machine is slow or disturbed
  /// on purpose; 1 unless set.
  public static let factor: Int = {
    getenv("EVENTMVVM_PATIENCE").flatMap { Int(String(cString: $0)) }.map { max(1, $0) } ?? 1
  }()

  /// How long a fact is waited for that nothing but another thread or process stands in the way of.
  public static var usual: Duration { .seconds(60 * factor) }
}

/// Waits until a condition holds that another thread or process brings about; blocks the thread
/// meanwhile.
///
/// All waiting of tests is done here: what no limit bounds can hang.
///
/// ```swift
/// let answer = Locked<String?>(nil)
/// Thread.detachNewThread { answer.withLock { $0 = "yes" } }
/// try waitUntil("there is an answer") { answer.withLock { $0 != nil } }
/// ```
///
/// - Parameters:
///   - wanted: What is waited for, as the end of "waited until …".
///   - limit: How long.
///   - seen: What had come instead, for the failure.
///   - isSo: The condition; looked at again and again, up to a hundred times a second.
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
/// What counts are the pauses between two looks: where all threads of the pool are blocked for
/// minutes, as by many tests on few cores, that is no time in which the fact could have come about.
///
/// - Parameters:
///   - wanted: What is waited for, as the end of "waited until …".
///   - limit: How long, in pauses.
///   - seen: What had come instead, for the failure.
///   - isSo: The condition; looked at again and again, up to a hundred times a second.
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

/// The pauses between two looks: short ones first, as most of what is waited for is nearly there.
private struct Pauses {
  private var microseconds: UInt32 = 50

  /// The microseconds until the next look.
  mutating func next() -> UInt32 {
    defer { microseconds = min(microseconds * 2, 10_000) }
    return microseconds
  }
}
