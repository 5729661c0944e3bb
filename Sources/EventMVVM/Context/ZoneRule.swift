#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The offset of local time from UTC, as a rule.
///
/// No conversion traps: instants outside the years 1…9999 count as the nearest instant inside.
/// Calendar days and minutes, and what converts them by a zone, stand in EventCommands.
public struct ZoneRule: Sendable {
  /// What the zone is called, for people: `UTC`, `+02:00`, `Europe/Berlin`.
  public let name: String
  private let rule: @Sendable (Instant) -> Int

  /// Makes a zone from a rule that gives the seconds local time is ahead of UTC at an instant.
  ///
  /// The rule is only asked about whole seconds of the years 1…9999. Its answers are clamped to
  /// less than a day either way.
  public init(name: String, offsetSeconds rule: @escaping @Sendable (Instant) -> Int) {
    self.name = name
    self.rule = rule
  }

  /// Coordinated Universal Time, the offset 0.
  public static let utc = ZoneRule(name: "UTC") { _ in 0 }

  /// The zone of this process: that of the variable `TZ` if it is set, else that of the system.
  ///
  /// The first use reads it with `tzset`; later changes of the variable have no effect.
  public static let current: ZoneRule = {
    tzset()
    return ZoneRule(name: systemName(), offsetSeconds: systemOffset)
  }()

  /// The seconds local time is ahead of UTC at an instant, negative west of Greenwich.
  public func offsetSeconds(at instant: Instant) -> Int {
    min(max(rule(Instant(milliseconds: Self.seconds(of: instant) * 1000)), -86_399), 86_399)
  }

  /// The second of an instant, rounded down and clamped from 0001-01-01T00:00:00 to
  /// 9999-12-31T23:59:59.
  package static func seconds(of instant: Instant) -> Int64 {
    let (seconds, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: 1000)
    return min(max(rest < 0 ? seconds - 1 : seconds, -62_135_596_800), 253_402_300_799)
  }

  /// What the C library says about the process's zone.
  @Sendable private static func systemOffset(at instant: Instant) -> Int {
    var second = time_t(instant.milliseconds / 1000)
    var parts = tm()
    guard localtime_r(&second, &parts) != nil else { return 0 }
    return Int(parts.tm_gmtoff)
  }

  /// The value of `TZ`, else what the system's link to the zone database points at.
  private static func systemName() -> String {
    if let value = getenv("TZ") {
      let name = String(cString: value)
      return name.isEmpty ? "UTC" : String(name.drop { $0 == ":" })
    }
    var path = [CChar](repeating: 0, count: 1024)
    let length = max(readlink("/etc/localtime", &path, path.count), 0)
    let target = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parts = target.split(separator: "/")
    guard let root = parts.lastIndex(of: "zoneinfo"), root + 1 < parts.count else { return "local" }
    return String(target[parts[root + 1].startIndex...])
  }
}
