#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

import Seams

/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
///
/// Leap seconds do not exist on this scale: every day has 86 400 000 milliseconds, as POSIX
/// defines its clock. Every `Int64` is a valid instant, about 292 million years either way.
///
/// ```swift
/// environment.now = { Instant(milliseconds: 1_800_000_000_000) }
/// ```
public struct Instant: Sendable, Hashable {
  /// The milliseconds since 1970-01-01T00:00:00Z, negative before it.
  public var milliseconds: Int64

  /// Creates the instant that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Reads the system's real-time clock.
  ///
  /// This is the only place that reads it; all other code receives its instants.
  public static func now() -> Instant {
    Seam.pass(.clock)
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// The instant that many milliseconds later, or earlier for a negative number.
  ///
  /// The result saturates at the first and last instant that `Int64` can hold.
  public func adding(milliseconds: Int64) -> Instant {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    guard overflow else { return Instant(milliseconds: sum) }
    return Instant(milliseconds: milliseconds < 0 ? .min : .max)
  }
}

extension Instant: Comparable {
  /// Whether the left instant comes before the right one.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
