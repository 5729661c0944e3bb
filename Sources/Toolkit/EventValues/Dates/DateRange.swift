public import EventMVVM
import JSONText

/// Days as a person asks for them, both ends included; symbolic until they are resolved, as ``When`` is.
///
/// A day, `this week`, `next month`, `december`, `weekend`, `2026-12`, `2026-W49`, `2026`; from one of them to
/// another, `mon..fri`, `nov..dec`, `1-5 dec`, and open at one end, `..next week` or `-7d..`.
public indirect enum DateRange: Sendable, Hashable, Codable {
  /// From a day to a day; nil for no limit.
  case days(When?, When?)
  /// The week, month, quarter or year that is so many from this one; weeks begin with that weekday.
  case period(DatePhrase.Period, from: Int, first: Weekday)
  /// The Saturday and the Sunday that come, or are there.
  case weekend
  /// A month; without a year the next one, or this.
  case month(Int, year: Int?)
  /// A week by ISO 8601; without a year the next one, or this.
  case week(Int, year: Int?)
  /// A year.
  case year(Int)
  /// From the first day of one to the last day of another; nil for no limit.
  case between(DateRange?, DateRange?)
}

extension DateRange: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = When.shape
    shape.placeholder = "DAYS"
    shape.ofWords = { words in
      for count in stride(from: words.count, to: 1, by: -1) {
        let days = Array(words.prefix(count)).joined(by: " ")
        if (try? DateRange(word: days)) != nil { return (count, nil) }
      }
      return (1, nil)
    }
    shape.choices = ["this week", "next week", "this month"]
    shape.explanation = [
      "A day, such as today, fri or 1 dec; all of 'this week', 'next month', december,",
      "2026-12 or 2026-W49; from one to another, mon..fri; or open: ..fri, -7d..",
    ]
    shape.schema = [
      "type": "string",
      "description":
        "a day, a week, a month or a range: today, this week, 2026-12, mon..fri, ..fri",
    ]
    return shape
  }

  /// Reads the range from a word, by the rules of the process.
  public init(word: String) throws(ValueError) { try self.init(word: word, .current) }

  /// Reads the range from a word.
  ///
  /// - Throws: Why it is none.
  public init(word: String, _ rules: DateRules) throws(ValueError) {
    if word.mayBeName, word.firstRange(of: "...") != nil, let error = Self.joined(word, rules) {
      throw error
    }
    guard word.mayBeName, let dots = word.firstRange(of: "..") else {
      self = try Self.part(word, rules)
      return
    }
    func end(_ text: Substring) throws(ValueError) -> DateRange? {
      let text = text.withoutBlanksAround
      return text.isEmpty ? nil : try Self.part(text, rules)
    }
    let ends = (try end(word[..<dots.lowerBound]), try end(word[dots.upperBound...]))
    switch ends {
    case (nil, nil): throw ValueError("'..' needs a date before it, after it, or both")
    case (.days(let first, _)?, .days(let last, _)?)
    where ends.0?.isDay == true && ends.1?.isDay == true:
      self = .days(first, last)
    default: self = .between(ends.0, ends.1)
    }
  }

  /// Reads what has no dots.
  private static func part(_ word: String, _ rules: DateRules) throws(ValueError) -> DateRange {
    if var reader = DateReader(word, rules), let range = reader.range() { return range }
    let read: When?
    do throws(DateRefusal) {
      read = try When.read(word, rules)
    } catch .severalDays(let first, let last, let month) {
      guard last < first else { throw DateRefusal.noSuchDay.error(of: word) }
      let days = "\(last)-\(first) \(DateWords.monthNames[month - 1].prefix(3))"
      throw ValueError("'\(word.quotable)' runs backwards; write \(days)")
    } catch {
      throw joined(word, rules) ?? error.error(of: word)
    }
    guard let day = read else { throw joined(word, rules) ?? DateRefusal.error(word, rules) }
    if day.spanAfterValue != nil {
      throw ValueError(
        "'\(word.quotable)' moves a date that is there; write days, such as today or +1w"
      )
    }
    return .days(day, day)
  }

  /// Returns the error for two days that are joined by something else than dots; nil for anything else.
  private static func joined(_ word: String, _ rules: DateRules) -> ValueError? {
    for joint in ["...", " to ", " until ", " - ", "-"] {
      guard word.mayBeName, let found = word.firstRange(of: joint) else { continue }
      let (first, last) = (word[..<found.lowerBound], word[found.upperBound...])
      let ends = [first, last].map { $0.withoutBlanksAround }
      guard ends.allSatisfy({ !$0.isEmpty && (try? part($0, rules)) != nil }) else { continue }
      return ValueError(
        "'\(word.quotable)' is no day; write '\(ends[0])..\(ends[1])' for all from one to the other"
      )
    }
    return nil
  }
}

extension DateRange {
  /// Returns the first day and the last one, at an instant in a zone; nil for no limit.
  ///
  /// What is said without its week, its month or its year is the next one, or the last one of times that lie behind.
  /// Where the first would be after the last, it is the one before that if only the year, the month or the week
  /// was left out: on the 27th of November, `20 nov..30 nov` began a week ago.
  ///
  /// - Throws: A validation failure, for a field if it is given, where they are outside the years 1 to 9999, or
  ///   the last one is before the first.
  public func resolved(
    of field: String? = nil,
    at now: Instant,
    in zone: ZoneRule,
    _ direction: DateDirection = .ahead
  ) throws(Failure) -> (first: CivilDay?, last: CivilDay?) {
    func days(
      _ range: DateRange?,
      at instant: Instant = now,
      _ direction: DateDirection
    ) throws(Failure) -> ClosedRange<CivilDay>? {
      try range?.days(of: field, at: instant, in: zone, direction)
    }
    func noon(_ day: CivilDay) -> Instant {
      zone.instant(of: CivilMinute(day: day, minuteOfDay: 12 * 60))
    }
    let today = try When.inDays(0).date(of: field, at: now, in: zone).day
    let (start, end) = ends
    var first = try days(start, direction)?.lowerBound
    var last = try days(end, direction)?.upperBound
    if let from = first, let to = last, to < from {
      let (startRepeats, endRepeats) = (start?.repeats, end?.repeats)
      if startRepeats == .soon && endRepeats == .soon || startRepeats == nil {
        // `mon..fri` is the Friday after that Monday.
        if endRepeats != nil { last = try days(end, at: noon(from), .ahead)?.upperBound }
      } else {
        first = try days(start, at: noon(to), .behind)?.lowerBound
        if let found = first, endRepeats != nil, found.adding(days: 366).map({ $0 < to }) ?? false {
          // A day of leap years is rather to come.
          (first, last) = (from, try days(end, at: noon(from), .ahead)?.upperBound)
        }
      }
    }
    if let first, let last, last < first {
      throw Failure(
        .validation,
        "\(last.dated(besides: today)) is before \(first.dated(besides: today)); write the earlier one first.",
        field: field
      )
    }
    return (first, last)
  }

  private var isDay: Bool {
    if case .days(let first?, let last?) = self { first == last } else { false }
  }

  /// What it begins and ends with.
  private var ends: (start: DateRange?, end: DateRange?) {
    switch self {
    case .days(let first, let last): (first.map { .days($0, $0) }, last.map { .days($0, $0) })
    case .between(let start, let end): (start, end)
    default: (self, self)
    }
  }

  /// How soon it comes again, if it depends on the day from which it is counted.
  private var repeats: When.Repetition? {
    switch self {
    case .days(let day, _): day?.repeats
    case .month(_, nil), .week(_, nil): .yearly
    case .weekend: .soon
    case .period, .month, .week, .year, .between: nil
    }
  }

  /// Returns the days of what has no dots.
  private func days(
    of field: String?,
    at now: Instant,
    in zone: ZoneRule,
    _ direction: DateDirection
  ) throws(Failure) -> ClosedRange<CivilDay> {
    if case .days(let day?, _) = self {
      let day = try day.date(of: field, at: now, in: zone, direction).day
      return day...day
    }
    let today = try When.inDays(0).date(of: field, at: now, in: zone).day
    guard let days = days(today, direction) else {
      throw Failure(.validation, "There are no such days.", field: field)
    }
    return days
  }

  private func days(_ today: CivilDay, _ direction: DateDirection) -> ClosedRange<CivilDay>? {
    let isAhead = direction == .ahead
    switch self {
    case .days, .between: return nil
    case .period(let period, let count, let first):
      return Self.range(
        today.edge(.start, of: period, from: count, first: first),
        today.edge(.end, of: period, from: count, first: first)
      )
    case .weekend:
      let sinceSaturday = today.days(since: .saturday)
      let isThere = sinceSaturday < 2 || !isAhead
      let saturday = today.adding(days: isThere ? -sinceSaturday : 7 - sinceSaturday)
      return Self.range(saturday, saturday?.adding(days: 1))
    case .year(let year):
      return Self.range(
        CivilDay(year: year, month: 1, day: 1),
        CivilDay(year: year, month: 12, day: 31)
      )
    case .month(let month, let year):
      let isOver = isAhead ? month < today.month : month > today.month
      let year = year ?? (isOver ? today.year + (isAhead ? 1 : -1) : today.year)
      let start = CivilDay(year: year, month: month, day: 1)
      return Self.range(start, start?.endOfMonth)
    case .week(let week, let year):
      let day = DatePhrase(.week(week, .monday)).day(from: today, direction)
      let start = year.map { CivilDay(week: week, of: $0, .monday) } ?? day
      return Self.range(start, start?.adding(days: 6))
    }
  }

  private static func range(_ first: CivilDay?, _ last: CivilDay?) -> ClosedRange<CivilDay>? {
    guard let first, let last, first <= last else { return nil }
    return first...last
  }
}

extension When {
  /// How soon a day comes again whose year, month or week was left out.
  fileprivate enum Repetition { case soon, yearly }

  /// How soon it comes again; nil if it is the same whichever day it is counted from.
  fileprivate var repeats: Repetition? {
    switch self {
    case .next: return .soon
    case .local, .instant, .inDays: return nil
    case .phrase(let phrase):
      switch phrase.day {
      case .dayOfMonth, .nextWeekday, .weekend: return .soon
      case .dayOfYear, .ofMonth, .monthEdge, .week: return .yearly
      default: return nil
      }
    }
  }
}

extension DateReader {
  /// Reads what is several days by itself; nil if it is a day.
  fileprivate mutating func range() -> DateRange? {
    if let range = whole({ $0.neighbouringPeriod() }) { return range }
    if let range = whole({ $0.weekend() }) { return range }
    if let range = whole({ $0.month() }) { return range }
    if let range = whole({ $0.weekOfYear() }) { return range }
    if let range = whole({ $0.daysOfMonth() }) { return range }
    return whole { reader in
      guard let year = reader.number(digits: 4...4), year > 0 else { return nil }
      return .year(year)
    }
  }

  private mutating func whole(_ form: (inout DateReader) -> DateRange?) -> DateRange? {
    attempt { reader in
      let range = form(&reader)
      return reader.isAtEnd ? range : nil
    }
  }

  private mutating func neighbouringPeriod() -> DateRange? {
    guard let count = word(DateWords.neighbours), let period = word(DateWords.periods) else {
      return nil
    }
    return .period(period, from: count, first: rules.firstWeekday)
  }

  private mutating func weekend() -> DateRange? {
    _ = skip("this", "the")
    return skip("weekend") ? .weekend : nil
  }

  private mutating func month() -> DateRange? {
    if let month = word(DateWords.months) {
      let year = number(digits: 4...4)
      return year == 0 ? nil : .month(month, year: year)
    }
    guard let year = number(digits: 4...4), year > 0, skip(mark: "-"),
      let month = number(digits: 2...2), (1...12).contains(month)
    else { return nil }
    return .month(month, year: year)
  }

  private mutating func weekOfYear() -> DateRange? {
    let year = number(digits: 4...4)
    if year != nil { _ = skip(mark: "-") }
    guard skip("w") || (year == nil && skip("week")), let week = number(digits: 1...2),
      CivilDay(week: week, of: year ?? Self.yearOfMostWeeks, .monday) != nil
    else { return nil }
    return .week(week, year: year)
  }

  /// A year of 53 weeks.
  private static let yearOfMostWeeks = 2020

  /// `1-5 dec`, `1-5 dec 2026`.
  private mutating func daysOfMonth() -> DateRange? {
    guard let first = number(digits: 1...2), skip(mark: "-"), let last = number(digits: 1...2),
      first <= last, let month = word(DateWords.months)
    else { return nil }
    let year = number(digits: 4...4)
    func day(_ day: Int) -> When? {
      if let year { return CivilDay(year: year, month: month, day: day).map { .local(.day($0)) } }
      guard CivilDay(year: 2000, month: month, day: day) != nil else { return nil }
      return .phrase(DatePhrase(.dayOfYear(month: month, day: day)))
    }
    guard let start = day(first), let end = day(last) else { return nil }
    return .days(start, end)
  }
}
