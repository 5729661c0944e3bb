/// A date that depends on the clock: what was said, without the words.
public struct DatePhrase: Sendable, Hashable, Codable {
  /// Which day it is.
  enum Day: Sendable, Hashable, Codable {
    /// This minute.
    case now
    /// So many days from today.
    case fromToday(Int)
    /// The day of a time that has no other: the next one.
    case ofTime
    /// A day that has its year.
    case fixed(CivilDay)
    /// The next such weekday, not today.
    case nextWeekday(Weekday)
    /// A weekday of the week that is so many from this one; weeks begin with the other weekday.
    case weekday(Weekday, weeks: Int, first: Weekday)
    /// The Saturday of the weekend that comes or is there.
    case weekend
    /// The next such day of a month, not today.
    case dayOfMonth(Int)
    /// The next such day of a year, or today.
    case dayOfYear(month: Int, day: Int)
    /// A day of the next such week of ISO 8601 that is not over.
    case week(Int, Weekday)
    /// A weekday of the next such month; the last one is number -1.
    case ofMonth(Int, Weekday, month: Int)
    /// The first or last day of a month that is next.
    case monthEdge(Edge, month: Int)
    /// The first or last day of a stretch of time that is so many from this one.
    case edge(Edge, Period, from: Int, first: Weekday)
    /// So long after today, or before.
    case after(TimeSpan)
    /// So long after the value that a field had.
    case afterValue(field: String, TimeSpan)
  }

  enum Edge: Sendable, Hashable, Codable { case start, end }

  /// A stretch of time of the calendar.
  public enum Period: Sendable, Hashable, Codable {
    /// Seven days.
    case week
    /// A month.
    case month
    /// Three months, from January on.
    case quarter
    /// A year.
    case year
  }

  var day: Day
  /// The minute of the day; nil if all of the day is meant.
  var minute: Int?
  /// The weekday that was said besides.
  var weekday: Weekday?

  init(_ day: Day, minute: Int? = nil, weekday: Weekday? = nil) {
    (self.day, self.minute, self.weekday) = (day, minute, weekday)
  }
}

/// On which side of now a date lies that is said without its year or its week.
public enum DateDirection: Sendable {
  /// Later: what is planned.
  case ahead
  /// Earlier: what was done since.
  case behind
}

/// Why a date can't be resolved.
enum DateProblem: Error, Equatable {
  /// It is outside the years 1 to 9999.
  case outside
  /// It is another weekday than was said.
  case weekday(CivilDay)
  /// It depends on a value that is not there.
  case noValue(field: String)

  var message: String {
    switch self {
    case .outside: "The date is outside the years 1 to 9999."
    case .weekday(let day): "That is no such weekday: \(DateRefusal.weekday(day).message)."
    case .noValue(let field): "There is no '\(field)' here that could be moved; write a date."
    }
  }

  static let wrongClock =
    "The clock is outside the years 1 to 9999; set it, or write a date with its year."
}

extension DatePhrase {
  /// Returns the date, at a local minute.
  ///
  /// - Parameters:
  ///   - now: The local minute.
  ///   - direction: On which side of it the date lies.
  ///   - later: Returns the minute that comes so many minutes later.
  /// - Returns: The date.
  /// - Throws: Why there is none.
  func resolved(
    at now: CivilMinute,
    _ direction: DateDirection,
    later: (Int) -> CivilMinute?
  ) throws(DateProblem) -> CivilTime {
    if case .after(let span) = day, span.minutes != 0 {
      guard let moved = later(span.minutes), let day = moved.day.adding(span) else {
        throw .outside
      }
      return .minute(moved.on(day))
    }
    if case .now = day { return .minute(now) }
    guard let found = day(from: now.day, at: now, direction), (0..<24 * 60).contains(minute ?? 0)
    else {
      throw .outside
    }
    if let weekday, found.weekday != weekday { throw .weekday(found) }
    if case .afterValue(let field, _) = day { throw .noValue(field: field) }
    return minute.map { .minute(CivilMinute(day: found, minuteOfDay: $0)) } ?? .day(found)
  }

  /// Returns the day on that side of another; nil outside the years 1 to 9999.
  ///
  /// - Parameters:
  ///   - today: The other day.
  ///   - now: The minute on it, on which the day of a time alone depends; nil for its beginning.
  ///   - direction: The side.
  /// - Returns: The day.
  func day(
    from today: CivilDay,
    at now: CivilMinute? = nil,
    _ direction: DateDirection
  ) -> CivilDay? {
    let now = now ?? CivilMinute(day: today, minuteOfDay: 0)
    let isAhead = direction == .ahead
    switch day {
    case .now, .afterValue: return today
    case .fromToday(let days): return today.adding(days: days)
    case .fixed(let day): return day
    case .ofTime:
      let isLater = CivilMinute(day: today, minuteOfDay: minute ?? 0) > now
      return today.adding(days: isLater == isAhead ? 0 : isAhead ? 1 : -1)
    case .nextWeekday(let weekday):
      return today.adding(
        days: isAhead ? today.days(to: weekday) : -today.days(to: weekday, backwards: true)
      )
    case .weekday(let weekday, let weeks, let first):
      let start = today.adding(days: 7 &* weeks &- today.days(since: first))
      return start?.adding(days: (weekday.rawValue - first.rawValue + 7) % 7)
    case .weekend:
      return today.adding(
        days: isAhead ? today.days(to: .saturday) % 7 : -today.days(since: .saturday)
      )
    case .dayOfMonth(let number):
      return (0...2).lazy.compactMap { today.ofMonth(number, from: isAhead ? $0 : -$0) }
        .first { isAhead ? $0 > today : $0 <= today }
    case .dayOfYear(let month, let number):
      return year(today, direction) { CivilDay(year: $0, month: month, day: number) }
    case .ofMonth(let count, let weekday, let month):
      return year(today, direction) { year in
        CivilDay.ofMonth(count, weekday, month: month, year: year)
      }
    case .monthEdge(let edge, let month):
      return year(today, direction) { year in
        CivilDay(year: year, month: month, day: 1).flatMap { edge == .start ? $0 : $0.endOfMonth }
      }
    case .week(let number, let weekday):
      return year(today, direction) {
        CivilDay(week: number, of: $0, weekday)
      } isIn: { day in
        let monday = day.daysSinceEpoch - weekday.rawValue + 1
        return isAhead ? monday + 6 >= today.daysSinceEpoch : monday <= today.daysSinceEpoch
      }
    case .edge(let edge, let period, let count, let first):
      return today.edge(edge, of: period, from: count, first: first)
    case .after(let span): return today.adding(span)
    }
  }

  /// Returns the day in the nearest year on the right side.
  private func year(
    _ today: CivilDay,
    _ direction: DateDirection,
    _ day: (Int) -> CivilDay?,
    isIn: ((CivilDay) -> Bool)? = nil
  ) -> CivilDay? {
    let isAhead = direction == .ahead
    // From the year before, as a week may begin in it; the fifth Monday of February comes after 40 at most.
    for years in -1...40 {
      guard let day = day(today.year + (isAhead ? years : -years)) else { continue }
      if isIn?(day) ?? (isAhead ? day >= today : day <= today) { return day }
    }
    return nil
  }
}

// MARK: The calendar

extension CivilDay {
  /// The days until the next such weekday, or since the last one, 1…7.
  fileprivate func days(to weekday: Weekday, backwards: Bool = false) -> Int {
    let days = weekday.rawValue - self.weekday.rawValue
    return ((backwards ? -days : days) + 6) % 7 + 1
  }

  /// The days since the last such weekday, 0…6.
  func days(since weekday: Weekday) -> Int {
    (self.weekday.rawValue - weekday.rawValue + 7) % 7
  }

  /// The last day of its month.
  var endOfMonth: CivilDay? {
    CivilDay(year: year, month: month, day: daysInMonth(month, ofYear: year))
  }

  /// Returns the first day of the month that is so many from its own; nil outside the years 1…9999.
  private func startOfMonth(from count: Int) -> CivilDay? {
    let (months, overflow) = (year * 12 + month - 1).addingReportingOverflow(count)
    guard !overflow, months >= 0 else { return nil }
    return CivilDay(year: months / 12, month: months % 12 + 1, day: 1)
  }

  /// Returns a day of the month that is so many from its own; nil if that has no such day.
  fileprivate func ofMonth(_ day: Int, from count: Int) -> CivilDay? {
    startOfMonth(from: count).flatMap { CivilDay(year: $0.year, month: $0.month, day: day) }
  }

  /// Returns the day that a span later, or earlier, is reached: first by months, of which the last day
  /// stands for those that a month does not have, then by days; nil outside the years 1…9999.
  ///
  /// The minutes are left out.
  public func adding(_ span: TimeSpan) -> CivilDay? {
    guard span.months != 0 else { return adding(days: span.days) }
    guard let start = startOfMonth(from: span.months) else { return nil }
    let length = daysInMonth(start.month, ofYear: start.year)
    return CivilDay(year: start.year, month: start.month, day: min(day, length))?
      .adding(days: span.days)
  }

  /// Creates a day of a week by ISO 8601; nil if the year has no such week.
  init?(week: Int, of year: Int, _ weekday: Weekday) {
    guard (1...53).contains(week), let fourth = CivilDay(year: year, month: 1, day: 4),
      let day = fourth.adding(days: (week - 1) * 7 + weekday.rawValue - fourth.weekday.rawValue),
      let thursday = day.adding(days: 4 - weekday.rawValue), thursday.year == year
    else { return nil }
    self = day
  }

  /// Returns the n-th such weekday of a month, the last one for -1; nil if there is none.
  static func ofMonth(_ count: Int, _ weekday: Weekday, month: Int, year: Int) -> CivilDay? {
    guard (-1...5).contains(count), let first = CivilDay(year: year, month: month, day: 1) else {
      return nil
    }
    let day = 1 + (weekday.rawValue - first.weekday.rawValue + 7) % 7
    guard count < 0 else { return CivilDay(year: year, month: month, day: day + 7 * (count - 1)) }
    return (0...4).reversed().lazy
      .compactMap { CivilDay(year: year, month: month, day: day + 7 * $0) }.first
  }

  /// Returns the first or last day of a week, a month, a quarter or a year that is so many from its own.
  func edge(
    _ edge: DatePhrase.Edge,
    of period: DatePhrase.Period,
    from count: Int,
    first: Weekday
  ) -> CivilDay? {
    let isStart = edge == .start
    switch period {
    case .week: return adding(days: 7 &* count &- days(since: first) &+ (isStart ? 0 : 6))
    case .month:
      let start = startOfMonth(from: count)
      return isStart ? start : start?.endOfMonth
    case .quarter:
      let start = startOfMonth(from: 3 &* count &- (month - 1) % 3)
      return isStart ? start : start?.startOfMonth(from: 2)?.endOfMonth
    case .year:
      let (month, day) = isStart ? (1, 1) : (12, 31)
      return CivilDay(year: year &+ count, month: month, day: day)
    }
  }
}

extension CivilMinute {
  /// The same minute of another day.
  func on(_ day: CivilDay) -> CivilMinute { CivilMinute(day: day, minuteOfDay: hour * 60 + minute) }
}
