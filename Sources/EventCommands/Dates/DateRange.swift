public import EventMVVM
import JSONText

/// Days as a person asks for them, both ends included; symbolic until they are resolved, as ``When`` is.
///
/// A day, `this week`, `next month`, `december`, `2026-12`, `2026-W49`, `2026`; from one day to another,
/// `mon..fri`, and open at one end, `..fri` or `-7d..`.
public enum DateRange: Sendable, Hashable, Codable {
  /// From a day to a day; nil for no limit.
  case days(When?, When?)
  /// The week, month, quarter or year that is so many from this one; weeks begin with that weekday.
  case period(DatePhrase.Period, from: Int, first: Weekday)
  /// A month; without a year the next one, or this.
  case month(Int, year: Int?)
  /// A week by ISO 8601; without a year the next one, or this.
  case week(Int, year: Int?)
  /// A year.
  case year(Int)
}

extension DateRange: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = When.shape
    shape.placeholder = "DAYS"
    shape.choices = ["today", "tomorrow", "this week", "next week", "this month"]
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
    if word.mayBeName, let dots = word.firstRange(of: "..") {
      func end(_ text: Substring) throws(ValueError) -> When? {
        let text = text.withoutBlanksAround
        return text.isEmpty ? nil : try When(word: text, rules)
      }
      self = .days(try end(word[..<dots.lowerBound]), try end(word[dots.upperBound...]))
      if self == .days(nil, nil) {
        throw ValueError("'..' needs a date before it, after it, or both")
      }
      return
    }
    if var reader = DateReader(word, rules), let range = reader.range() {
      self = range
      return
    }
    let day = try When(word: word, rules)
    self = .days(day, day)
  }
}

extension DateRange {
  /// Returns the first day and the last one, at an instant in a zone; nil for no limit.
  ///
  /// - Throws: A validation failure, for a field if it is given, where they are outside the years 1 to 9999, or
  ///   the last one is before the first.
  public func resolved(
    of field: String? = nil,
    at now: Instant,
    in zone: ZoneRule
  ) throws(Failure) -> (first: CivilDay?, last: CivilDay?) {
    let today = try When.inDays(0).date(of: field, at: now, in: zone).day
    guard case .days(let start, let end) = self else {
      guard let days = days(today) else {
        throw Failure(.validation, "There are no such days.", field: field)
      }
      return (days.lowerBound, days.upperBound)
    }
    let first = try start?.date(of: field, at: now, in: zone).day
    var last = try end?.date(of: field, at: now, in: zone).day
    if let first, let found = last, found < first, end?.isNext == true {
      // `mon..fri` is the Friday after that Monday.
      let noon = zone.instant(of: CivilMinute(day: first, minuteOfDay: 12 * 60))
      last = try end?.date(of: field, at: noon, in: zone).day
    }
    if let first, let last, last < first {
      throw Failure(
        .validation,
        "\(last.text) is before \(first.text); write the earlier one first.",
        field: field
      )
    }
    return (first, last)
  }

  private func days(_ today: CivilDay) -> ClosedRange<CivilDay>? {
    switch self {
    case .days: return nil
    case .period(let period, let count, let first):
      return Self.range(
        today.edge(.start, of: period, from: count, first: first),
        today.edge(.end, of: period, from: count, first: first)
      )
    case .year(let year):
      return Self.range(
        CivilDay(year: year, month: 1, day: 1),
        CivilDay(year: year, month: 12, day: 31)
      )
    case .month(let month, let year):
      let year = year ?? (month < today.month ? today.year + 1 : today.year)
      let start = CivilDay(year: year, month: month, day: 1)
      return Self.range(start, start?.endOfMonth)
    case .week(let week, let year):
      func monday(_ year: Int) -> CivilDay? { CivilDay(week: week, of: year, .monday) }
      let start =
        year.map(monday)
        ?? (-1...8).lazy.compactMap { monday(today.year + $0) }
        .first { $0.daysSinceEpoch + 6 >= today.daysSinceEpoch }
      return Self.range(start, start?.adding(days: 6))
    }
  }

  private static func range(_ first: CivilDay?, _ last: CivilDay?) -> ClosedRange<CivilDay>? {
    guard let first, let last, first <= last else { return nil }
    return first...last
  }
}

extension When {
  /// Whether it is the next day of its kind, so that it depends on the day from which it is counted.
  fileprivate var isNext: Bool {
    switch self {
    case .next: return true
    case .local, .instant, .inDays: return false
    case .phrase(let phrase):
      switch phrase.day {
      case .dayOfMonth, .dayOfYear, .nextWeekday, .weekend, .ofMonth: return true
      default: return false
      }
    }
  }
}

extension DateReader {
  /// Reads what is several days by itself; nil if it is a day.
  fileprivate mutating func range() -> DateRange? {
    if let range = whole({ $0.neighbouringPeriod() }) { return range }
    if let range = whole({ $0.month() }) { return range }
    if let range = whole({ $0.weekOfYear() }) { return range }
    return whole { reader in reader.number(digits: 4...4).map { .year($0) } }
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

  private mutating func month() -> DateRange? {
    if let month = word(DateWords.months) { return .month(month, year: number(digits: 4...4)) }
    guard let year = number(digits: 4...4), skip(mark: "-"), let month = number(digits: 2...2),
      (1...12).contains(month)
    else { return nil }
    return .month(month, year: year)
  }

  private mutating func weekOfYear() -> DateRange? {
    let year = number(digits: 4...4)
    if year != nil { _ = skip(mark: "-") }
    guard skip("w") || (year == nil && skip("week")), let week = number(digits: 1...2) else {
      return nil
    }
    return .week(week, year: year)
  }
}
