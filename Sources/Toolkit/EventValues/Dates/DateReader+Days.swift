extension DateReader {
  /// Reads a day.
  mutating func day() throws(DateRefusal) -> DatePhrase? {
    if let days = attempt({ $0.neighbouringDay() }) { return DatePhrase(.fromToday(days)) }
    if skip("weekend") { return DatePhrase(.weekend) }
    if let edge = word(DateWords.edges) {
      return DatePhrase(.edge(edge.edge, edge.period, from: edge.count, first: rules.firstWeekday))
    }
    if let weekday = word(DateWords.weekdays) { return try dayOfWeekday(weekday) }
    if let phrase = try trying({ r throws(DateRefusal) in try r.ofMonth() }) { return phrase }
    if let phrase = try trying({ r throws(DateRefusal) in try r.edgeOfPeriod() }) { return phrase }
    if let phrase = try trying({ r throws(DateRefusal) in try r.neighbour() }) { return phrase }
    if let day = try calendarDay() { return DatePhrase(day) }
    guard let span = attempt({ $0.signedSpan() }), span.minutes == 0 else { return nil }
    return DatePhrase(span.months == 0 ? .fromToday(span.days) : .after(span))
  }

  /// `tomorrow`, `the day after tomorrow`.
  private mutating func neighbouringDay() -> Int? {
    if let days = word(DateWords.days) { return days }
    _ = skip("the")
    guard skip("day") else { return nil }
    if skip("after") { return skip("tomorrow") ? 2 : nil }
    return skip("before") && skip("yesterday") ? -2 : nil
  }

  /// `fri`, or `fri 4 dec`, in which it is checked.
  private mutating func dayOfWeekday(_ weekday: Weekday) throws(DateRefusal) -> DatePhrase? {
    let day = try trying { reader throws(DateRefusal) in
      _ = reader.skip(mark: ",")
      return try reader.calendarDay()
    }
    guard let day else { return DatePhrase(.nextWeekday(weekday)) }
    if case .fixed(let day) = day, day.weekday != weekday { throw .weekday(day) }
    if case .fixed = day { return DatePhrase(day) }
    return DatePhrase(day, weekday: weekday)
  }

  /// `next friday`, `this fri`, `last week`, `next month`.
  private mutating func neighbour() throws(DateRefusal) -> DatePhrase? {
    guard let count = word(DateWords.neighbours) else { return nil }
    if let weekday = word(DateWords.weekdays) {
      return DatePhrase(.weekday(weekday, weeks: count, first: rules.firstWeekday))
    }
    if count == 0, skip("weekend") { return DatePhrase(.weekend) }
    if count == 1, skip("weekend") {
      return DatePhrase(.weekday(.saturday, weeks: 1, first: .monday))
    }
    guard let period = word(DateWords.periods) else { return nil }
    if count == 0 { throw .period(period) }
    return DatePhrase(.edge(.start, period, from: count, first: rules.firstWeekday))
  }

  /// `end of month`, `start of next week`, `end of december`.
  private mutating func edgeOfPeriod() throws(DateRefusal) -> DatePhrase? {
    guard let edge = word(DateWords.ends), skip("of") else { return nil }
    _ = skip("the")
    let count = word(DateWords.neighbours)
    if let period = word(DateWords.periods) {
      return DatePhrase(.edge(edge, period, from: count ?? 0, first: rules.firstWeekday))
    }
    guard count == nil, let month = word(DateWords.months) else { return nil }
    guard let year = try year() else { return DatePhrase(.monthEdge(edge, month: month)) }
    let day = edge == .start ? 1 : daysInMonth(month, ofYear: year)
    return DatePhrase(try fixed(year, month, day))
  }

  /// `first monday of january`.
  private mutating func ofMonth() throws(DateRefusal) -> DatePhrase? {
    _ = skip("the")
    guard let count = count(), let weekday = word(DateWords.weekdays), skip("of", "in"),
      let month = word(DateWords.months)
    else { return nil }
    guard let year = try year() else { return DatePhrase(.ofMonth(count, weekday, month: month)) }
    guard let day = CivilDay.ofMonth(count, weekday, month: month, year: year) else {
      throw .noSuchDay
    }
    return DatePhrase(.fixed(day))
  }

  private mutating func count() -> Int? {
    if let count = word(DateWords.counts) { return count }
    return attempt { reader in
      guard let number = reader.number(digits: 1...1), (1...5).contains(number),
        reader.skip("st", "nd", "rd", "th")
      else { return nil }
      return number
    }
  }

  // MARK: Days of the calendar

  /// Reads a day of the calendar, with its year or without.
  private mutating func calendarDay() throws(DateRefusal) -> DatePhrase.Day? {
    if let day = try trying({ r throws(DateRefusal) in try r.yearFirst() }) { return day }
    if let day = try trying({ r throws(DateRefusal) in try r.week(of: nil) }) { return day }
    if let day = try trying({ r throws(DateRefusal) in try r.dayBeforeMonth() }) { return day }
    if let day = try trying({ r throws(DateRefusal) in try r.monthBeforeDay() }) { return day }
    if let day = try trying({ r throws(DateRefusal) in try r.dotted() }) { return day }
    return try trying { reader throws(DateRefusal) in try reader.inFigures() }
  }

  /// The years that are written without a month in figures.
  static let years = 1900...2199

  /// A year of four digits; refuses what is rather a time.
  private mutating func year() throws(DateRefusal) -> Int? {
    let year = attempt { reader in
      _ = reader.skip(mark: ",")
      return reader.number(digits: 4...4)
    }
    if let year, !Self.years.contains(year) { throw .yearOrTime(year) }
    return year
  }

  private func fixed(_ year: Int, _ month: Int, _ day: Int) throws(DateRefusal) -> DatePhrase.Day {
    guard (1...9999).contains(year) else { throw .noSuchYear }
    guard let day = CivilDay(year: year, month: month, day: day) else { throw .noSuchDay }
    return .fixed(day)
  }

  /// A day of this year or the next, or of the year that follows.
  private mutating func dated(_ month: Int, _ day: Int) throws(DateRefusal) -> DatePhrase.Day {
    if let year = try year() { return try fixed(year, month, day) }
    guard CivilDay(year: 2000, month: month, day: day) != nil else { throw .noSuchDay }
    return .dayOfYear(month: month, day: day)
  }

  /// `2026-12-01`, `2026/12/1`, `20261201`, `2026-335`, `2026-W49-2`, `2026W49`.
  private mutating func yearFirst() throws(DateRefusal) -> DatePhrase.Day? {
    if let date = number(digits: 8...8) {
      return try fixed(date / 10_000, date / 100 % 100, date % 100)
    }
    guard let year = number(digits: 4...9) else { return nil }
    if let day = try trying({ r throws(DateRefusal) in try r.week(of: year) }) { return day }
    let isSlashed = skip(mark: "/")
    guard isSlashed || skip(mark: "-") else { return nil }
    if let day = try trying({ r throws(DateRefusal) in try r.week(of: year) }) { return day }
    if !isSlashed, let day = number(digits: 3...3) {
      let first = CivilDay(year: year, month: 1, day: 1)
      guard let found = first?.adding(days: day - 1), found.year == year else { throw .noSuchDay }
      return .fixed(found)
    }
    guard let month = number(digits: 1...2) else { return nil }
    guard (1...9999).contains(year) else { throw .noSuchYear }
    guard (1...12).contains(month) else { throw .noSuchDay }
    guard skip(mark: isSlashed ? "/" : "-") else { throw .period(.month) }
    guard let day = number(digits: 1...2) else { return nil }
    return try fixed(year, month, day)
  }

  /// `W49`, `week 49`, `W49-2`; of a year if it is given.
  private mutating func week(of year: Int?) throws(DateRefusal) -> DatePhrase.Day? {
    guard skip("w") || (year == nil && skip("week")), var week = number(digits: 1...3) else {
      return nil
    }
    var weekday = 1
    if week > 99 {
      (week, weekday) = (week / 10, week % 10)
    } else if skip(mark: "-") {
      guard let number = number(digits: 1...1) else { return nil }
      weekday = number
    }
    guard let weekday = Weekday(rawValue: weekday), (1...53).contains(week) else {
      throw .noSuchDay
    }
    guard let year else { return .week(week, weekday) }
    guard let day = CivilDay(week: week, of: year, weekday) else { throw .noSuchDay }
    return .fixed(day)
  }

  /// `1 dec`, `1st of december 2026`, `the 15th`.
  private mutating func dayBeforeMonth() throws(DateRefusal) -> DatePhrase.Day? {
    _ = skip("the")
    guard let day = number(digits: 1...2) else { return nil }
    let isOrdinal = skip("st", "nd", "rd", "th")
    let month = attempt { reader in
      _ = reader.skip("of")
      return reader.word(DateWords.months)
    }
    if let month { return try dated(month, day) }
    guard isOrdinal else { return nil }
    guard (1...31).contains(day) else { throw .noSuchDay }
    return .dayOfMonth(day)
  }

  /// `dec 1`, `December 1, 2026`.
  private mutating func monthBeforeDay() throws(DateRefusal) -> DatePhrase.Day? {
    guard let month = word(DateWords.months) else { return nil }
    guard let day = number(digits: 1...2) else {
      _ = try year()
      if isAtEnd { throw .period(.month) }
      return nil
    }
    _ = skip("st", "nd", "rd", "th")
    return try dated(month, day)
  }

  /// `1.12.`, `1.12.2026`.
  private mutating func dotted() throws(DateRefusal) -> DatePhrase.Day? {
    guard let day = number(digits: 1...2), skip(mark: "."), let month = number(digits: 1...2),
      skip(mark: ".")
    else { return nil }
    return try dated(month, day)
  }

  /// `1/12`, `12-01`, `1/12/2026`.
  private mutating func inFigures() throws(DateRefusal) -> DatePhrase.Day? {
    guard let first = number(digits: 1...2) else { return nil }
    let mark: Unicode.Scalar = skip(mark: "/") ? "/" : "-"
    guard mark == "/" || skip(mark: "-"), let second = number(digits: 1...2) else { return nil }
    if let month = word(DateWords.months) { throw .severalDays(first, second, month) }
    var year: Int?
    if skip(mark: mark) {
      year = number(digits: 4...4)
      if year == nil { return nil }
    }
    func day(_ month: Int, _ day: Int) throws(DateRefusal) -> DatePhrase.Day {
      if let year { return try fixed(year, month, day) }
      guard CivilDay(year: 2000, month: month, day: day) != nil else { throw .noSuchDay }
      return .dayOfYear(month: month, day: day)
    }
    guard first > 0, second > 0 else { throw .noSuchDay }
    if first == second || second > 12 { return try day(first, second) }
    if first > 12 { return try day(second, first) }
    switch rules.order {
    case .dayMonth: return try day(second, first)
    case .monthDay: return try day(first, second)
    case nil: throw .twoDays(first, second)
    }
  }
}
