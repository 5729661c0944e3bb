// A rule as people say it.

extension RecurrenceRule {
  /// Reads a rule as people say it: `2 weeks on mon,thu`, `month on the 31st`, `daily 9:00`, `24 dec`, `last fri of the month`,
  /// each perhaps with `until 2027-06-30` or `10 times` after it.
  ///
  /// What begins with `FREQ=` or `RRULE:` is one of RFC 5545.
  ///
  /// - Throws: What can be written instead.
  public init(words: String) throws(ValueError) {
    let (rule, end) = try Self.read(words)
    self = rule
    guard let end else { return }
    guard case .local(let time) = end else {
      throw ValueError("'\(words.quotable)' has an end that depends on the clock")
    }
    until = time
  }

  /// Reads a rule as people say it, with its end.
  static func read(_ words: String) throws(ValueError) -> (rule: RecurrenceRule, end: When?) {
    let upper = words.uppercased()
    if upper.hasPrefix("RRULE:") || upper.contains("FREQ=") {
      return (try RecurrenceRule(words), nil)
    }
    let (head, end) = words.parted(at: ["until", "till"])
    let lower = head.lowercased()
    if lower.hasPrefix("after ") || lower.contains(" after ") {
      throw ValueError("what comes some time after it is done is given by --after: --after 3d")
    }
    guard var reader = DateReader(head, DateRules()) else { throw refusal(words) }
    let rule: RecurrenceRule?
    do throws(DateRefusal) {
      rule = try reader.rule()
    } catch {
      throw ValueError("'\(words.quotable)' says no time: \(error.message)")
    }
    guard let rule, reader.isAtEnd else { throw refusal(words) }
    guard let end else { return (rule, nil) }
    guard rule.count == nil else {
      throw ValueError("it comes so many times, or until a day, not both")
    }
    return (rule, try When(word: end))
  }

  private static func refusal(_ words: String) -> ValueError {
    ValueError(
      "'\(words.quotable)' does not say how often; write for example \(examples)"
    )
  }

  // MARK: In words

  /// The rule in words: `every 2 weeks on Monday and Thursday`; one that has no words is said as RFC 5545 writes it.
  public var words: String {
    guard let days = wordsOfDays else { return "by the rule \(text)" }
    var words = days
    if let minuteOfDay {
      words += " at \(CivilMinute(day: .first, minuteOfDay: minuteOfDay).text.suffix(5))"
    }
    if let until { words += ", until \(until.text)" }
    switch count {
    case nil: break
    case 1: words += ", for the last time"
    case let count?: words += ", \(count) times"
    }
    return words
  }

  private var wordsOfDays: String? {
    guard weeks.isEmpty, yearDays.isEmpty, weekStart == .monday || interval == 1 else { return nil }
    let unit =
      switch frequency {
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    let every = interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
    switch frequency {
    case .daily:
      return months.isEmpty && monthDays.isEmpty && weekdays.isEmpty && positions.isEmpty
        ? every : nil
    case .weekly:
      guard months.isEmpty, positions.isEmpty else { return nil }
      if weekdays.isEmpty { return every }
      if interval == 1, Set(weekdays) == Set(Self.workdays) { return "every weekday" }
      return every + " on " + weekdays.map(\.weekday.title).inWords
    case .monthly:
      if interval == 1, months == [3, 6, 9, 12] || months == [1, 4, 7, 10] {
        let month = months[0] == 3 ? "last" : "first"
        return wordsInMonth.map { "in the \(month) month of every quarter on \($0)" }
      }
      guard months.isEmpty else { return nil }
      return hasNoDays ? every : wordsInMonth.map { "\(every) on \($0)" }
    case .yearly:
      if hasNoDays, months.isEmpty { return every }
      guard months.count == 1, (1...12).contains(months[0]), let days = wordsInMonth else {
        return nil
      }
      let month = DateWords.monthNames[months[0] - 1].capitalizedASCII
      if months == [2], lastOfMonth?.last == 29, monthDays == [28, 29] {
        return "\(every) on 29 \(month), or its last day"
      }
      return monthDays.count == 1 && monthDays[0] > 0 && weekdays.isEmpty
        ? "\(every) on \(monthDays[0]) \(month)" : "\(every) on \(days) of \(month)"
    }
  }

  private var hasNoDays: Bool { monthDays.isEmpty && weekdays.isEmpty && positions.isEmpty }

  /// `the 1st and 15th`, `the 31st, or its last day`, `the last Friday`.
  private var wordsInMonth: String? {
    if weekdays.isEmpty, !monthDays.isEmpty {
      if let (others, last) = lastOfMonth {
        return "the " + (others + [last]).map(\.ordinal).inWords + ", or its last day"
      }
      guard positions.isEmpty else { return nil }
      return "the " + monthDays.map { $0 > 0 ? $0.ordinal : $0.fromEnd("day") }.inWords
    }
    guard monthDays.isEmpty, !weekdays.isEmpty else { return nil }
    if positions.count == 1, Set(weekdays) == Set(Self.workdays) {
      let position = positions[0]
      return "the " + (position > 0 ? "\(position.ordinal) weekday" : position.fromEnd("weekday"))
    }
    guard positions.isEmpty, weekdays.allSatisfy({ $0.ordinal != 0 }) else { return nil }
    return "the "
      + weekdays.map { day in
        let title = day.weekday.title
        return day.ordinal > 0 ? "\(day.ordinal.ordinal) \(title)" : day.ordinal.fromEnd(title)
      }
      .inWords
  }

  /// Monday to Friday.
  static let workdays = Weekday.allCases.prefix(5).map { Day($0) }
}

extension Recurrence {
  /// How it comes again, in words: `every month on the 31st, or its last day`, `3d after it is done`.
  public var words: String {
    switch bound.way {
    case .after(let span): "\(span.text) after it is done"
    case .every(let rule): rule.words + (piles ? ", each of them" : "")
    }
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  fileprivate var inWords: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}

extension Int {
  /// `1st`, `22nd`, `13th`.
  fileprivate var ordinal: String {
    switch (self % 10, self % 100) {
    case (_, 11...13): "\(self)th"
    case (1, _): "\(self)st"
    case (2, _): "\(self)nd"
    case (3, _): "\(self)rd"
    default: "\(self)th"
    }
  }

  /// `last day`, `2nd last day`.
  fileprivate func fromEnd(_ unit: String) -> String {
    self == -1 ? "last \(unit)" : "\((-self).ordinal) last \(unit)"
  }
}

extension Weekday {
  /// Its name with a capital.
  fileprivate var title: String { word.capitalizedASCII }
}

extension String {
  /// Returns what stands before one of these words, and what after it; nil after it if it has none.
  fileprivate func parted(at words: [String]) -> (String, String?) {
    let parts = split(separator: " ")
    guard let index = parts.firstIndex(where: { words.contains($0.lowercased()) }) else {
      return (self, nil)
    }
    var head = parts[..<index].joined(separator: " ")
    if head.hasSuffix(",") { head.removeLast() }
    return (head, parts[(index + 1)...].joined(separator: " "))
  }
}

// MARK: - Reading

extension DateReader {
  /// Reads a rule and what limits it; nil if it is none.
  fileprivate mutating func rule() throws(DateRefusal) -> RecurrenceRule? {
    let minute = try trying { reader throws(DateRefusal) in
      let isMarked = reader.skip("at")
      return try reader.time(isMarked: isMarked)
    }
    _ = skip("every", "each", "on")
    let isDaily = minute != nil && isAtEnd
    guard var rule = isDaily ? RecurrenceRule(.daily) : period() ?? daysAlone() else { return nil }
    (rule.minuteOfDay, rule.endsWithMonth) = (minute, true)
    while !isAtEnd {
      _ = skip(mark: ",")
      if rule.count == nil, let count = attempt({ $0.times() }) {
        rule.count = count
        continue
      }
      // A year is no time.
      if case .number(_, digits: 4)? = next { return nil }
      let isMarked = skip("at")
      guard rule.minuteOfDay == nil, let minute = try time(isMarked: isMarked) else { return nil }
      rule.minuteOfDay = minute
    }
    return rule
  }

  /// `10 times`, `for 3 times`, `10x`.
  private mutating func times() -> Int? {
    _ = skip("for")
    guard let count = number(digits: 1...6) ?? word(DateWords.numbers), skip("times", "time", "x"),
      (1...RecurrenceRule.greatestCount).contains(count)
    else { return nil }
    return count
  }

  // MARK: Periods

  /// `2 weeks on mon,thu`, `month on the 31st`, `year on 24 dec`, `weekly`, `other day`.
  private mutating func period() -> RecurrenceRule? {
    attempt { reader in
      if reader.skip("quarter", "quarterly") { return reader.quarter() }
      guard var rule = reader.interval() else { return nil }
      let isSaid = reader.skip("on", "in")
      switch rule.frequency {
      case .daily: return isSaid ? nil : rule
      case .weekly:
        if !rule.weekdays.isEmpty { return isSaid ? nil : rule }
        if let days = reader.weekdays() { rule.weekdays = days } else if isSaid { return nil }
      case .monthly:
        let isRead = reader.take { $0.daysOfMonth(in: &rule, isMarked: isSaid) }
        if isSaid, !isRead { return nil }
      case .yearly:
        let isRead = reader.take { $0.dayOfYear(in: &rule) }
        if isSaid, !isRead { return nil }
      }
      return rule
    }
  }

  /// The rest of `quarter on the last day`: the last month of the quarter for what is counted from its end, else the first.
  private mutating func quarter() -> RecurrenceRule? {
    var rule = RecurrenceRule(.monthly)
    let isSaid = skip("on")
    guard take({ $0.daysOfMonth(in: &rule, isMarked: isSaid) }) else {
      return isSaid ? nil : RecurrenceRule(.monthly, interval: 3)
    }
    rule.setQuarter()
    return rule
  }

  private mutating func interval() -> RecurrenceRule? {
    if skip("daily") { return RecurrenceRule(.daily) }
    if skip("weekly") { return RecurrenceRule(.weekly) }
    if skip("fortnightly", "fortnight") { return RecurrenceRule(.weekly, interval: 2) }
    if skip("monthly") { return RecurrenceRule(.monthly) }
    if skip("yearly", "annually", "annual") { return RecurrenceRule(.yearly) }
    let isOther = skip("other")
    if isOther, let days = weekdays() {
      var rule = RecurrenceRule(.weekly, interval: 2)
      rule.weekdays = days
      return rule
    }
    // `every 3rd day`, but `3rd day of the month`.
    let nth = isOther ? nil : attempt { $0.nthPeriod() }
    if let nth { return nth }
    let count = isOther ? 2 : number(digits: 1...6) ?? word(DateWords.numbers)
    if count != nil, skip("quarter", "quarters") {
      return RecurrenceRule(.monthly, interval: 3 * (count ?? 1))
    }
    if skip("half") { return skip("year", "yearly") ? RecurrenceRule(.monthly, interval: 6) : nil }
    return period(of: count ?? 1)
  }

  /// So many of the period that the next word names; `mon` is a day.
  private mutating func period(of count: Int) -> RecurrenceRule? {
    guard (1...RecurrenceRule.longestInterval).contains(count),
      let unit = word({ $0 == "mon" ? nil : DateWords.units($0) })
    else { return nil }
    switch unit {
    case .minute, .hour: return nil
    case .day: return RecurrenceRule(.daily, interval: count)
    case .week: return RecurrenceRule(.weekly, interval: count)
    case .month: return RecurrenceRule(.monthly, interval: count)
    case .year: return RecurrenceRule(.yearly, interval: count)
    }
  }

  private mutating func nthPeriod() -> RecurrenceRule? {
    guard let ordinal = ordinal(), ordinal > 1, let rule = period(of: ordinal) else { return nil }
    if rule.frequency == .daily, skip("of", "in") { return nil }
    return rule
  }

  /// `mon,thu`, `weekday`, `31st`, `last fri of the month`, `24 dec`: days whose period follows from them.
  private mutating func daysAlone() -> RecurrenceRule? {
    if let days = weekdays() {
      var rule = RecurrenceRule(.weekly)
      rule.weekdays = days
      return rule
    }
    var year = RecurrenceRule(.yearly)
    if take({ $0.dayOfYear(in: &year) }) { return year }
    var month = RecurrenceRule(.monthly)
    return take { $0.daysOfMonth(in: &month, isMarked: false) } ? month : nil
  }

  // MARK: Days of a week

  /// `mon,thu`, `monday and thursday`, `mon wed fri`, `mon-fri`, `weekday`.
  private mutating func weekdays() -> [RecurrenceRule.Day]? {
    if skipWorkday() { return RecurrenceRule.workdays }
    if skip("weekend", "weekends") { return [.init(.saturday), .init(.sunday)] }
    return attempt { reader in
      var days: [RecurrenceRule.Day] = []
      repeat {
        guard let first = reader.weekday() else { return nil }
        var (day, last) = (first, first)
        if reader.skip("to", "through") || reader.skipRange() {
          guard let end = reader.weekday() else { return nil }
          last = end
        }
        while true {
          if !days.contains(.init(day)) { days.append(.init(day)) }
          if day == last { break }
          day = Weekday(rawValue: day.rawValue % 7 + 1) ?? .monday
        }
      } while reader.skipBetween() || reader.isWeekdayNext
      return days
    }
  }

  private mutating func weekday() -> Weekday? {
    word { DateWords.weekdays($0) ?? ($0.last == "s" ? DateWords.weekdays($0.dropLast()) : nil) }
  }

  private var isWeekdayNext: Bool {
    var copy = self
    return copy.weekday() != nil
  }

  /// `-` or `..` between two days.
  private mutating func skipRange() -> Bool {
    skip(mark: "-") || attempt { $0.skip(mark: ".") && $0.skip(mark: ".") ? true : nil } ?? false
  }

  /// `weekday`, `working day`, `business day`.
  private mutating func skipWorkday() -> Bool {
    if skip("weekday", "weekdays", "workday", "workdays") { return true }
    return attempt { reader in
      reader.skip("working", "business") && reader.skip("day", "days") ? true : nil
    } ?? false
  }

  /// A comma or `and` before another day: not before a time, or a number of times.
  ///
  /// - Parameter isMarked: Whether a bare number is a day.
  /// - Returns: Whether there was one.
  private mutating func skipBetween(isMarked: Bool = false) -> Bool {
    attempt { reader in
      let isThere = reader.skip(mark: ",")
      let isSaid = reader.skip("and")
      guard isThere || isSaid else { return nil }
      var ahead = reader
      let isNamed = ahead.skip("the")
      let isDay = ahead.weekday() != nil || ahead.ordinal(isMarked: isMarked || isNamed) != nil
      return isDay && !ahead.skip("times", "time", "x") && ahead.next != .mark(":") ? true : nil
    } ?? false
  }

  // MARK: Days of a month and a year

  /// `the 1st and 15th`, `the last day`, `2nd tue`, `last fri`, perhaps with `of the month`; `end of month`.
  ///
  /// - Parameters:
  ///   - rule: The rule that gets them.
  ///   - isMarked: Whether a bare number is a day.
  /// - Returns: Whether there are any.
  private mutating func daysOfMonth(in rule: inout RecurrenceRule, isMarked: Bool) -> Bool {
    if skip("eom") { return rule.setMonthDays(-1) }
    if let edge = word(DateWords.ends) {
      rule.setMonthDays(edge == .start ? 1 : -1)
      return skipOf(in: &rule)
    }
    var (days, weekdays): ([Int], [RecurrenceRule.Day]) = ([], [])
    repeat {
      let isNamed = skip("the")
      let isInFigures = if case .number? = next { true } else { false }
      guard let ordinal = ordinal(isMarked: isMarked || isNamed) else { return false }
      if let weekday = word(DateWords.weekdays) {
        guard (-5...5).contains(ordinal) else { return false }
        weekdays.append(.init(weekday, ordinal: ordinal))
        if !days.isEmpty { break }
      } else if skipWorkday() {
        guard days.isEmpty, weekdays.isEmpty else { return false }
        (rule.weekdays, rule.positions) = (RecurrenceRule.workdays, [ordinal])
        _ = skipOf(in: &rule)
        return true
      } else {
        guard skip("day") || isInFigures, (-31...31).contains(ordinal), !days.contains(ordinal)
        else {
          return false
        }
        days.append(ordinal)
      }
    } while skipBetween(isMarked: isMarked)
    if weekdays.count == 1 {
      // `1st and 3rd mon`
      weekdays = days.map { .init(weekdays[0].weekday, ordinal: $0) } + weekdays
      days = []
    }
    guard days.isEmpty || weekdays.isEmpty else { return false }
    rule.weekdays = weekdays
    if !days.isEmpty { rule.setMonthDays(days.sorted { $0 > 0 && ($1 < 0 || $0 < $1) }, true) }
    _ = skipOf(in: &rule)
    return true
  }

  /// `of the month`, `of each quarter`; false if there is none.
  private mutating func skipOf(in rule: inout RecurrenceRule) -> Bool {
    let isQuarter = attempt { reader -> Bool? in
      guard reader.skip("of", "in") else { return nil }
      _ = reader.skip("the", "each", "every", "a")
      if reader.skip("month") { return false }
      return reader.skip("quarter") ? true : nil
    }
    if isQuarter == true { rule.setQuarter() }
    return isQuarter != nil
  }

  /// `24 dec`, `dec 24`, `the 4th thu of november`.
  private mutating func dayOfYear(in rule: inout RecurrenceRule) -> Bool {
    let date = attempt { reader -> (month: Int, day: Int)? in
      _ = reader.skip("the")
      if let month = reader.word(DateWords.months) {
        guard let day = reader.number(digits: 1...2) else { return nil }
        _ = reader.skip("st", "nd", "rd", "th")
        return (month, day)
      }
      guard let day = reader.number(digits: 1...2) else { return nil }
      _ = reader.skip("st", "nd", "rd", "th")
      _ = reader.skip("of")
      return reader.word(DateWords.months).map { ($0, day) }
    }
    if let date {
      guard CivilDay(year: 2000, month: date.month, day: date.day) != nil else { return false }
      rule.months = [date.month]
      rule.setMonthDays([date.day], date.month == 2)
      return true
    }
    _ = skip("the")
    guard let ordinal = ordinal(), (-5...5).contains(ordinal) else { return false }
    if let weekday = word(DateWords.weekdays) {
      rule.weekdays = [.init(weekday, ordinal: ordinal)]
    } else {
      guard skip("day") else { return false }
      rule.monthDays = [ordinal]
    }
    guard skip("of", "in"), let month = word(DateWords.months) else { return false }
    rule.months = [month]
    return true
  }

  /// `31st`, `first`, `last`, `2nd last`; a bare number where that is marked as a day.
  private mutating func ordinal(isMarked: Bool = false) -> Int? {
    if let count = word(DateWords.counts) {
      return count > 0 && skip("last") ? -count : count
    }
    return attempt { reader in
      guard let number = reader.number(digits: 1...2), (1...31).contains(number) else { return nil }
      guard reader.skip("st", "nd", "rd", "th") else {
        // Not the hour of a time.
        let isHour = reader.next == .mark(":") || reader.skip("am", "pm", "a", "p")
        return isMarked && !isHour ? number : nil
      }
      return reader.skip("last") ? -number : number
    }
  }

  /// Goes back to where it was if the body returns false.
  private mutating func take(_ body: (inout DateReader) -> Bool) -> Bool {
    attempt { body(&$0) ? true : nil } ?? false
  }
}

extension RecurrenceRule {
  /// Sets one day of the month.
  @discardableResult
  fileprivate mutating func setMonthDays(_ day: Int) -> Bool {
    monthDays = [day]
    return true
  }

  /// Makes the days of a month those of a quarter.
  fileprivate mutating func setQuarter() {
    let isFromEnd =
      monthDays.contains { $0 < 0 } || weekdays.contains { $0.ordinal < 0 }
      || monthDays.isEmpty && positions.contains { $0 < 0 }
    months = isFromEnd ? [3, 6, 9, 12] : [1, 4, 7, 10]
  }
}
