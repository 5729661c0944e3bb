/// The offset of local time from UTC, as a rule.
///
/// No conversion traps: instants outside the years 1…9999 count as the nearest instant inside.
/// Calendar days and minutes, and the zone of the process, are in EventCommands.
///
/// ```swift
/// let now = turn.zone.civil(at: turn.time)
/// ```
public struct ZoneRule: Sendable {
  /// The name of the zone, for people: `UTC`, `+02:00`, `Europe/Berlin`.
  public let name: String
  private let rule: @Sendable (Instant) -> Int

  /// Creates a zone from a rule that returns the seconds local time is ahead of UTC at an instant.
  ///
  /// The rule is only called with whole seconds of the years 1…9999. Its results are clamped to
  /// less than a day either way.
  public init(name: String, offsetSeconds rule: @escaping @Sendable (Instant) -> Int) {
    self.name = name
    self.rule = rule
  }

  /// Coordinated Universal Time, the offset 0.
  public static let utc = ZoneRule(name: "UTC") { _ in 0 }

  /// Returns the seconds local time is ahead of UTC at an instant, negative west of Greenwich.
  public func offsetSeconds(at instant: Instant) -> Int {
    min(max(rule(Instant(milliseconds: Self.seconds(of: instant) * 1000)), -86_399), 86_399)
  }

  /// Returns the second of an instant, rounded down and clamped from 0001-01-01T00:00:00 to
  /// 9999-12-31T23:59:59.
  package static func seconds(of instant: Instant) -> Int64 {
    let (seconds, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 1000)
    return min(max(rest < 0 ? seconds - 1 : seconds, -62_135_596_800), 253_402_300_799)
  }
}
