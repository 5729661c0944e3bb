// The days of a rule. All of it is about days as numbers since 1970-01-01.

extension RecurrenceRule {
  /// Returns the first day of the rule that comes after a day.
  ///
  /// It gives up where no day was found in all that the calendar repeats, which is 400 years for each period and
  /// more for each so many of them.
  ///
  /// - Parameters:
  ///   - start: The day from which it begins.
  ///   - earliest: A day before which none is meant; nil for the first after the start.
  /// - Returns: The day; nil if there is none any more.
  public func next(after start: CivilDay, from earliest: CivilDay? = nil) -> CivilDay? {
    let first = max(start.daysSinceEpoch + 1, earliest?.daysSinceEpoch ?? Int.min)
    var found: CivilDay?
    bound(to: start)
      .forEachDay(after: start.daysSinceEpoch, near: first) { day in
        guard day >= first else { return true }
        found = CivilDay(daysSinceEpoch: day)
        return false
      }
    return found
  }

  /// Returns the first days of the rule from a day on, which is among them if the rule has it.
  public func days(from start: CivilDay, _ most: Int) -> [CivilDay] {
    var days: [CivilDay] = []
    let limit = Swift.min(most, count ?? most)
    guard limit > 0 else { return days }
    let rule = bound(to: start)
    rule.forEachDay(after: start.daysSinceEpoch - 1, aligned: start.daysSinceEpoch) { day in
      days.append(CivilDay(daysSinceEpoch: day))
      return days.count < limit
    }
    return days
  }

  /// Calls a body with the days after a day, in order, until it returns false.
  ///
  /// - Parameters:
  ///   - start: The day after which they come.
  ///   - aligned: A day in the first period; by default the start.
  ///   - near: A day before which the body needs none; nil if it needs all.
  ///   - body: Gets each day.
  private func forEachDay(
    after start: Int,
    aligned: Int? = nil,
    near: Int? = nil,
    _ body: (_ day: Int) -> Bool
  ) {
    let last = Swift.min(until?.day.daysSinceEpoch ?? .max, CivilDay.dayRange.upperBound)
    var periods = Periods(self, at: aligned ?? start)
    if let near { periods.skip(to: near) }
    var empty = 0
    while let days = periods.next(), periods.first <= last, empty <= frequency.cycle {
      let days = chosen(days)
      empty = days.isEmpty ? empty + 1 : 0
      for day in days where day > start {
        guard day <= last, body(day) else { return }
      }
    }
  }

  /// Returns those of the days of a period that ``positions`` mean.
  private func chosen(_ days: [Int]) -> [Int] {
    guard !positions.isEmpty, !days.isEmpty else { return days }
    var chosen: [Int] = []
    for position in positions {
      let index = position > 0 ? position - 1 : days.count + position
      if days.indices.contains(index), !chosen.contains(days[index]) { chosen.append(days[index]) }
    }
    return chosen.sorted()
  }

  /// Whether the rule has a day, whatever its period.
  fileprivate func has(_ day: Int, _ date: (year: Int, month: Int, day: Int)) -> Bool {
    if !months.isEmpty, !months.contains(date.month) { return false }
    if !monthDays.isEmpty {
      let behind = date.day - daysInMonth(date.month, ofYear: date.year) - 1
      guard monthDays.contains(date.day) || monthDays.contains(behind) else { return false }
    }
    if !weekdays.isEmpty {
      let weekday = weekdayIndex(day)
      guard weekdays.contains(where: { $0.weekday.rawValue == weekday && isOrdinal($0, date) })
      else { return false }
    }
    if !yearDays.isEmpty {
      let first = daysFromCivil(year: date.year, month: 1, day: 1)
      let next = daysFromCivil(year: date.year + 1, month: 1, day: 1)
      guard yearDays.contains(day - first + 1) || yearDays.contains(day - next) else {
        return false
      }
    }
    if !weeks.isEmpty {
      let (week, count) = week(of: day, date.year)
      guard weeks.contains(week) || weeks.contains(week - count - 1) else { return false }
    }
    return true
  }

  /// Whether a date is the first, the last such weekday of its month or its year.
  private func isOrdinal(_ wanted: Day, _ date: (year: Int, month: Int, day: Int)) -> Bool {
    guard wanted.ordinal != 0 else { return true }
    let (day, length): (Int, Int)
    switch frequency {
    case .daily, .weekly: return true
    case .yearly where months.isEmpty:
      let first = daysFromCivil(year: date.year, month: 1, day: 1)
      day = daysFromCivil(year: date.year, month: date.month, day: date.day) - first
      length = daysFromCivil(year: date.year + 1, month: 1, day: 1) - first
    case .monthly, .yearly:
      (day, length) = (date.day - 1, daysInMonth(date.month, ofYear: date.year))
    }
    return wanted.ordinal > 0
      ? day / 7 + 1 == wanted.ordinal : (length - 1 - day) / 7 + 1 == -wanted.ordinal
  }

  /// The week of a day in the year to which most of its days belong, and how many weeks that has.
  private func week(of day: Int, _ year: Int) -> (week: Int, count: Int) {
    let start = self.start(ofWeekOf: day)
    for year in [year + 1, year, year - 1] {
      let first = firstWeek(of: year)
      guard start >= first else { continue }
      return ((start - first) / 7 + 1, (firstWeek(of: year + 1) - first) / 7)
    }
    return (0, 0)
  }

  /// The first day of the first week with at least four days in a year.
  private func firstWeek(of year: Int) -> Int {
    start(ofWeekOf: daysFromCivil(year: year, month: 1, day: 4))
  }

  /// The first day of the week of a day.
  fileprivate func start(ofWeekOf day: Int) -> Int {
    day - (weekdayIndex(day) - weekStart.rawValue + 7) % 7
  }

  /// The number of the weekday of a day, from 1 for Monday.
  private func weekdayIndex(_ day: Int) -> Int {
    Int(Int64(day + 3).quotientAndRemainder(flooringBy: 7).remainder) + 1
  }
}

extension RecurrenceRule.Frequency {
  /// The periods after which the calendar is the same again, with its weekdays: those of 400 years.
  ///
  /// Each so many of them meet no more than that.
  fileprivate var cycle: Int {
    switch self {
    case .daily: 146_097
    case .weekly: 146_097 / 7
    case .monthly: 4800
    case .yearly: 400
    }
  }
}

/// The periods of a rule, from that of a day on, each with its days.
private struct Periods {
  private let rule: RecurrenceRule
  /// The number of the next one: a day, the first day of a week, a month or a year.
  private var period: Int
  /// The first day of the one that was returned last.
  private(set) var first = 0

  init(_ rule: RecurrenceRule, at day: Int) {
    self.rule = rule
    period = Self.period(of: day, rule)
  }

  /// The number of the period of a day.
  private static func period(of day: Int, _ rule: RecurrenceRule) -> Int {
    let date = civilFromDays(day)
    return switch rule.frequency {
    case .daily: day
    case .weekly: rule.start(ofWeekOf: day)
    case .monthly: date.year * 12 + date.month - 1
    case .yearly: date.year
    }
  }

  /// How much the numbers of two periods differ.
  private var step: Int { rule.interval * (rule.frequency == .weekly ? 7 : 1) }

  /// Leaves out the periods that end before a day.
  mutating func skip(to day: Int) {
    let ahead = Self.period(of: day, rule) - period
    if ahead > 0 { period += ahead / step * step }
  }

  /// Returns the days of the rule in the next period; nil after the year 9999.
  mutating func next() -> [Int]? {
    let dates: Range<Int>
    switch rule.frequency {
    case .daily: dates = period..<period + 1
    case .weekly: dates = period..<period + 7
    case .monthly:
      let (year, month) = (period / 12, period % 12 + 1)
      let start = daysFromCivil(year: year, month: month, day: 1)
      dates = start..<start + daysInMonth(month, ofYear: year)
    case .yearly:
      dates =
        daysFromCivil(
          year: period,
          month: 1,
          day: 1
        )..<daysFromCivil(year: period + 1, month: 1, day: 1)
    }
    first = dates.lowerBound
    guard first <= CivilDay.dayRange.upperBound else { return nil }
    period += step
    var days: [Int] = []
    var day = dates.lowerBound
    var date = civilFromDays(day)
    while day < dates.upperBound {
      if !rule.months.isEmpty, !rule.months.contains(date.month) {
        // The rest of the month is none of it.
        day += daysInMonth(date.month, ofYear: date.year) - date.day + 1
        date = civilFromDays(day)
        continue
      }
      if rule.has(day, date) { days.append(day) }
      day += 1
      date.day += 1
      if date.day > 28 { date = civilFromDays(day) }
    }
    return days
  }
}
