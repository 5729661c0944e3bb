public import EventMVVM
import JSONText

/// A date as people write it; it stays symbolic until a handler resolves it against the clock.
///
/// `tomorrow 9am`, `fri 14:00`, `1 dec`, `in 3 days`, `+1m`, `end of month`, `2026-W49`, `2 days ago`, or
/// ISO 8601, with or without an offset. Case and blanks count for nothing, and a `T` may stand between a day
/// and its time, so that both are one word: `tomorrowT9am`.
///
/// ```swift
/// let when = try When(word: "tomorrow 9am")
/// let due = try when.date(of: "due", at: now, in: .utc)
/// ```
public enum When: CommandValue, Hashable, Codable {
  /// A day or a minute in local time.
  case local(CivilTime)
  /// An instant: the input had an offset.
  case instant(Instant)
  /// A number of days from today.
  case inDays(Int)
  /// The next such weekday, strictly later than today.
  case next(Weekday)
  /// Anything else that depends on the clock.
  case phrase(DatePhrase)

  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = ValueShape(
      "DATE",
      explanation: [
        "tomorrow, fri, 1 dec, 15th, 3d, in 2 weeks, +1m, eom, next week, 2026-12-01; with a",
        "time in quotes, 'tomorrow 9am', 'fri 14:00', or as one word, tomorrowT9am. With an",
        "offset, such as 2026-12-01T09:30Z, it is converted to your time zone. 'help dates'",
        "has all forms.",
      ],
      schema: [
        "type": "string",
        "description":
          "a date as people write it, such as tomorrow 9am, fri, 1 dec, +3d, or ISO 8601",
      ],
      candidates: { RequestDateCandidates(prefix: $0) }
    )
    shape.ofWords = length(of:)
    return shape
  }

  /// Returns how many of these words are one date.
  private static func length(of words: [String]) -> (count: Int, asOne: String?) {
    for count in stride(from: words.count, to: 1, by: -1) {
      let date = Array(words.prefix(count)).joined(by: " ")
      guard let when = try? read(date, .current) else { continue }
      let asOne = Array(words.prefix(count - 1)).joined(by: "") + "T" + words[count - 1]
      return (count, (try? read(asOne, .current)) == when ? asOne : nil)
    }
    return (1, nil)
  }

  /// The words for days that need no calendar, for completion.
  public static let words =
    ["today", "tomorrow", "+1w", "eow", "eom"] + Weekday.allCases.map(\.word)

  /// Reads the date from a word, by the rules of the process.
  public init(word: String) throws(ValueError) {
    if let when = When.dated(word) { self = when } else { try self.init(word: word, .current) }
  }

  /// Reads the date from a word.
  ///
  /// - Throws: Why it is none, with what was probably meant.
  public init(word: String, _ rules: DateRules) throws(ValueError) {
    let read: When?
    do throws(DateRefusal) {
      read = try When.read(word, rules)
    } catch {
      throw error.error(of: word)
    }
    guard let read else { throw DateRefusal.error(word, rules) }
    self = read
  }

  /// Reads the date from a text; nil if it is none.
  static func read(_ text: String, _ rules: DateRules) throws(DateRefusal) -> When? {
    if let when = dated(text) { return when }
    guard var reader = DateReader(text, rules) else { return nil }
    return try reader.read()
  }

  private static func dated(_ word: String) -> When? {
    guard word.mayBeName else { return nil }
    if let time = CivilTime(word) { return .local(time) }
    return Instant(iso8601: word).map { .instant($0) }
  }

  private static let firstInstant = Instant(
    milliseconds: Int64(CivilDay.first.daysSinceEpoch) * 86_400_000
  )
  private static let lastInstant = Instant(
    milliseconds: Int64(CivilDay.last.daysSinceEpoch + 1) * 86_400_000 - 1
  )

  /// Resolves the date at an instant in a zone.
  ///
  /// - Parameters:
  ///   - now: The instant.
  ///   - zone: The zone.
  ///   - direction: On which side of now a date lies that is said without its year or its week.
  /// - Returns: The date; nil outside the years 1 to 9999, or if it has no meaning then.
  public func resolved(
    at now: Instant,
    in zone: ZoneRule,
    _ direction: DateDirection = .ahead
  ) -> CivilTime? {
    try? resolution(at: now, in: zone, direction)
  }

  private func resolution(
    at now: Instant,
    in zone: ZoneRule,
    _ direction: DateDirection
  ) throws(DateProblem) -> CivilTime {
    switch self {
    case .local(let time): return time
    case .instant(let instant):
      guard let minute = When.minute(at: instant, in: zone) else { throw .outside }
      return .minute(minute)
    case .inDays(let days):
      return try DatePhrase(.fromToday(days)).resolved(at: now, in: zone, direction)
    case .next(let weekday):
      return try DatePhrase(.nextWeekday(weekday)).resolved(at: now, in: zone, direction)
    case .phrase(let phrase): return try phrase.resolved(at: now, in: zone, direction)
    }
  }

  /// Resolves the date, for a field that the error names.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - now: The clock.
  ///   - zone: The zone.
  ///   - direction: On which side of now a date lies that is said without its year or its week.
  /// - Returns: The date.
  /// - Throws: A validation failure if it is outside the years 1 to 9999, or has no meaning at that instant.
  public func date(
    of field: String? = nil,
    at now: Instant,
    in zone: ZoneRule,
    _ direction: DateDirection = .ahead
  ) throws(Failure) -> CivilTime {
    do throws(DateProblem) {
      return try resolution(at: now, in: zone, direction)
    } catch {
      let isClockWrong = isRelative && When.minute(at: now, in: zone) == nil
      throw Failure(
        .validation,
        isClockWrong ? DateProblem.wrongClock : error.message,
        field: field
      )
    }
  }

  /// The span after the earlier value of a field, such as `due+1w`, and the name of that field; nil if it
  /// is a date by itself.
  public var spanAfterValue: (field: String, span: TimeSpan)? {
    guard case .phrase(let phrase) = self, case .afterValue(let field, let span) = phrase.day else {
      return nil
    }
    return (field, span)
  }

  /// Whether it depends on the clock.
  private var isRelative: Bool {
    switch self {
    case .local, .instant: false
    case .inDays, .next, .phrase: true
    }
  }

  /// Returns the local minute at an instant; nil outside the years 1 to 9999.
  fileprivate static func minute(at instant: Instant, in zone: ZoneRule) -> CivilMinute? {
    let local = instant.adding(milliseconds: Int64(zone.offsetSeconds(at: instant)) * 1000)
    guard (firstInstant...lastInstant).contains(local) else { return nil }
    return zone.civil(at: instant)
  }
}

extension DatePhrase {
  fileprivate func resolved(
    at now: Instant,
    in zone: ZoneRule,
    _ direction: DateDirection
  ) throws(DateProblem) -> CivilTime {
    guard let minute = When.minute(at: now, in: zone) else { throw .outside }
    return try resolved(at: minute, direction) { minutes in
      let (milliseconds, overflow) = Int64(minutes).multipliedReportingOverflow(by: 60_000)
      return overflow ? nil : When.minute(at: now.adding(milliseconds: milliseconds), in: zone)
    }
  }
}

extension Weekday {
  private static let words = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Its English name, in lower case.
  public var word: String { Self.words[rawValue - 1] }
}
