public import EventMVVM
import JSONText

/// A date as people write it; it stays symbolic until a handler resolves it against the clock.
///
/// `2026-12-01`, `2026-12-01T09:30`, with or without an offset, `today`, `tomorrow`, a weekday,
/// `+3d` or `+2w`.
public enum When: CommandValue, Hashable, Codable {
  /// A day or a minute in local time.
  case local(CivilTime)
  /// An instant: the input had an offset.
  case instant(Instant)
  /// A number of days from today.
  case inDays(Int)
  /// The next such weekday, strictly later than today.
  case next(Weekday)

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape(
      "DATE",
      choices: words,
      explanation: [
        "2026-12-01, or 2026-12-01T09:30, in your time zone; with an offset, such as",
        "2026-12-01T09:30Z, it is converted to it. Or from today: today, tomorrow, +3d, +2w,",
        "or a weekday, which is the next one after today. The years are 1 to 9999.",
      ],
      schema: [
        "type": "string",
        "description": "ISO 8601, today, tomorrow, a weekday, +3d or +2w",
      ]
    )
  }

  /// The words for days that need no calendar, for completion.
  public static let words = ["today", "tomorrow", "+1w"] + Weekday.allCases.map(\.word)

  /// Reads the date from a word.
  public init(word: String) throws(ValueError) {
    guard word.mayBeName, let when = When.dated(word) ?? When.named(word.lowercased()) else {
      throw ValueError(
        "'\(word.quotable)' is no date\(When.reason(word)); write 2026-12-01, 2026-12-01T09:30, "
          + "today, tomorrow, a weekday, +3d or +2w"
      )
    }
    self = when
  }

  /// Returns the problem of a text that is written like a date; empty if it is not.
  private static func reason(_ word: String) -> String {
    guard word.mayBeName else { return "" }
    let parts = word.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2]
    else { return "" }
    if !(1...9999).contains(year) { return ": the years are 1 to 9999" }
    if CivilDay(year: year, month: month, day: day) == nil { return ": there is no such day" }
    let time = (parts.dropFirst().first ?? "").prefix(5).split(separator: ":").map { Int($0) }
    guard time.count == 2, let hour = time[0], let minute = time[1] else { return "" }
    return hour > 23 || minute > 59 ? ": there is no such time" : ""
  }

  private static func named(_ word: String) -> When? {
    if word.isIdentical(to: "today") { return .inDays(0) }
    if word.isIdentical(to: "tomorrow") { return .inDays(1) }
    if let weekday = Weekday(word) { return .next(weekday) }
    switch word.utf8.last {
    case UInt8(ascii: "d"): return ahead(word).map { .inDays($0) }
    case UInt8(ascii: "w"): return ahead(word).map { .inDays($0 * 7) }
    default: return nil
    }
  }

  /// Returns the number in `+3d`, at most 4 000 000, which leads out of the calendar from any day.
  private static func ahead(_ word: String) -> Int? {
    let digits = word.utf8.dropFirst().dropLast()
    guard word.utf8.first == UInt8(ascii: "+"), !digits.isEmpty,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return min(Int(String(Substring(digits))) ?? .max, 4_000_000)
  }

  private static func dated(_ word: String) -> When? {
    if let time = CivilTime(word) { return .local(time) }
    if let instant = Instant(iso8601: word) { return .instant(instant) }
    guard word.utf8.count > 16, let instant = Instant(iso8601: word + "Z"),
      let minute = CivilMinute(word.prefix(16))
    else { return nil }
    _ = instant
    return .local(.minute(minute))
  }

  private static let firstInstant = Instant(
    milliseconds: Int64(CivilDay.first.daysSinceEpoch) * 86_400_000
  )
  private static let lastInstant = Instant(
    milliseconds: Int64(CivilDay.last.daysSinceEpoch + 1) * 86_400_000 - 1
  )

  /// Returns the date, resolved at an instant in a zone; nil outside the years 1 to 9999.
  public func resolved(at now: Instant, in zone: ZoneRule) -> CivilTime? {
    switch self {
    case .local(let time): return time
    case .instant(let instant):
      return When.minute(at: instant, in: zone).map { .minute($0) }
    case .inDays(let days):
      return When.minute(at: now, in: zone)?.day.adding(days: days).map { .day($0) }
    case .next(let weekday):
      guard let today = When.minute(at: now, in: zone)?.day else { return nil }
      let ahead = (weekday.rawValue - today.weekday.rawValue + 6) % 7 + 1
      return today.adding(days: ahead).map { .day($0) }
    }
  }

  /// Returns the resolved date, for a field that the error names.
  ///
  /// - Throws: A validation failure if it is outside the years 1 to 9999.
  public func date(
    of field: String? = nil,
    at now: Instant,
    in zone: ZoneRule
  ) throws(Failure) -> CivilTime {
    if let time = resolved(at: now, in: zone) { return time }
    let isClockWrong = isRelative && When.inDays(0).resolved(at: now, in: zone) == nil
    throw Failure(
      .validation,
      isClockWrong
        ? "The clock is outside the years 1 to 9999; set it, or write a date with its year."
        : "The date is outside the years 1 to 9999.",
      field: field
    )
  }

  /// Whether it counts from today.
  private var isRelative: Bool {
    switch self {
    case .local, .instant: false
    case .inDays, .next: true
    }
  }

  /// Returns the local minute at an instant; nil outside the years 1 to 9999.
  private static func minute(at instant: Instant, in zone: ZoneRule) -> CivilMinute? {
    let local = instant.adding(milliseconds: Int64(zone.offsetSeconds(at: instant)) * 1000)
    guard (firstInstant...lastInstant).contains(local) else { return nil }
    return zone.civil(at: instant)
  }
}

extension Weekday {
  private static let words = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Its English name, in lower case.
  public var word: String { Self.words[rawValue - 1] }

  /// Reads a name in lower case, whole or its first three letters.
  fileprivate init?(_ word: String) {
    guard
      let index = Self.words.firstIndex(where: { name in
        name.isIdentical(to: word) || (word.utf8.count == 3 && name.starts(withText: word))
      })
    else { return nil }
    self.init(rawValue: index + 1)
  }
}
