public import EventMVVM
import JSONText

/// A date as people say it; it stays symbolic until a handler resolves it against the clock.
///
/// `2026-12-01`, `2026-12-01T09:30`, with or without an offset, `today`, `tomorrow`, a weekday,
/// `+3d` or `+2w`.
public enum When: CommandValue, Hashable {
  /// A day or a minute in local time.
  case local(CivilTime)
  /// An instant: the input had an offset.
  case instant(Instant)
  /// So many days from today.
  case inDays(Int)
  /// The next such day, strictly later than today.
  case next(Weekday)

  /// What its values look like.
  public static var shape: ValueShape {
    ValueShape(
      "DATE",
      choices: words,
      schema: [
        "type": "string",
        "description": "ISO 8601, today, tomorrow, a weekday, +3d or +2w",
      ]
    )
  }

  /// The words for days that need no calendar, for completion.
  public static let words = ["today", "tomorrow", "+1w"] + Weekday.allCases.map(\.word)

  /// Reads it from a word.
  public init(word: String) throws(ValueError) {
    guard let when = When.dated(word) ?? When.named(word.lowercased()) else {
      throw ValueError(
        "'\(word)' is no date; write 2026-12-01, 2026-12-01T09:30, today, tomorrow, a weekday, "
          + "+3d or +2w"
      )
    }
    self = when
  }

  private static func named(_ word: String) -> When? {
    switch word {
    case "today": return .inDays(0)
    case "tomorrow": return .inDays(1)
    default: break
    }
    if let weekday = Weekday(word) { return .next(weekday) }
    guard word.hasPrefix("+"), let number = Int(word.dropFirst().dropLast()), number >= 0,
      number <= 4_000_000
    else { return nil }
    switch word.last {
    case "d": return .inDays(number)
    case "w": return .inDays(number * 7)
    default: return nil
    }
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

  /// The date that is meant, seen from an instant in a zone; nil outside the years 1 to 9999.
  public func resolved(at now: Instant, in zone: ZoneRule) -> CivilTime? {
    switch self {
    case .local(let time): return time
    case .instant(let instant):
      let local = instant.adding(milliseconds: Int64(zone.offsetSeconds(at: instant)) * 1000)
      guard (When.firstInstant...When.lastInstant).contains(local) else { return nil }
      return .minute(zone.civil(at: instant))
    case .inDays(let days): return zone.day(at: now).adding(days: days).map { .day($0) }
    case .next(let weekday):
      let today = zone.day(at: now)
      let ahead = (weekday.rawValue - today.weekday.rawValue + 6) % 7 + 1
      return today.adding(days: ahead).map { .day($0) }
    }
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
        name == word || (word.utf8.count == 3 && name.hasPrefix(word))
      })
    else { return nil }
    self.init(rawValue: index + 1)
  }
}
