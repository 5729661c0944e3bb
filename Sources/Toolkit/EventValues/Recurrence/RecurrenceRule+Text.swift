// A rule as RFC 5545 writes it.

extension RecurrenceRule {
  /// The rule as RFC 5545 writes it: `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`.
  public var text: String {
    var text = "FREQ=\(frequency.rawValue)"
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { text += ";\(name)=\(values.joined(separator: ","))" }
    }
    if interval != 1 { add("INTERVAL", ["\(interval)"]) }
    add("COUNT", count.map { ["\($0)"] } ?? [])
    add("UNTIL", until.map { [$0.basicText] } ?? [])
    add("BYMONTH", months.map(String.init))
    add("BYWEEKNO", weeks.map(String.init))
    add("BYYEARDAY", yearDays.map(String.init))
    add("BYMONTHDAY", monthDays.map(String.init))
    add("BYDAY", weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + $0.weekday.code })
    if let minuteOfDay {
      add("BYHOUR", ["\(minuteOfDay / 60)"])
      add("BYMINUTE", ["\(minuteOfDay % 60)"])
    }
    add("BYSETPOS", positions.map(String.init))
    if weekStart != .monday { add("WKST", [weekStart.code]) }
    return text
  }

  /// Reads a rule of RFC 5545; `RRULE:` may stand before it.
  ///
  /// - Throws: Which part is wrong, and what is valid.
  public init(_ text: String) throws(ValueError) {
    var rest = Substring(text.uppercased())
    if rest.hasPrefix("RRULE:") { rest = rest.dropFirst(6) }
    var parts: [(name: Substring, value: Substring)] = []
    for part in rest.split(separator: ";", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "=") else {
        throw ValueError(
          "'\(String(part).quotable)' is no part of a rule; one is written NAME=VALUE"
        )
      }
      let name = part[..<equals]
      guard !parts.contains(where: { $0.name == name }) else {
        throw ValueError("\(String(name).quotable) is said twice")
      }
      parts.append((name, part[part.index(after: equals)...]))
    }
    guard let period = parts.first(where: { $0.name == "FREQ" })?.value else {
      throw ValueError("a rule says its FREQ: \(Frequency.names)")
    }
    guard let frequency = Frequency(rawValue: String(period)) else {
      throw ValueError("FREQ is \(Frequency.names); what comes within a day is not supported")
    }
    self.init(frequency)
    var (hour, minute): (Int?, Int?)
    for (name, value) in parts {
      switch name {
      case "FREQ": break
      case "INTERVAL": interval = try Self.number(value, 1...Self.longestInterval, name)
      case "COUNT": count = try Self.number(value, 1...Self.greatestCount, name)
      case "UNTIL": until = try Self.time(value)
      case "BYMONTH": months = try Self.numbers(value, 1...12, name)
      case "BYWEEKNO": weeks = try Self.numbers(value, -53...53, name)
      case "BYYEARDAY": yearDays = try Self.numbers(value, -366...366, name)
      case "BYMONTHDAY": monthDays = try Self.numbers(value, -31...31, name)
      case "BYSETPOS": positions = try Self.numbers(value, -366...366, name)
      case "BYDAY": weekdays = try Self.days(value)
      case "WKST": weekStart = try Self.weekday(value)
      case "BYHOUR": hour = try Self.number(value, 0...23, name)
      case "BYMINUTE": minute = try Self.number(value, 0...59, name)
      case "BYSECOND" where value == "0": break
      default:
        throw ValueError("\(String(name).quotable) is no part of a rule that is supported")
      }
    }
    guard (hour == nil) == (minute == nil) else {
      throw ValueError("BYHOUR and BYMINUTE go together")
    }
    if let hour, let minute { minuteOfDay = hour * 60 + minute }
    try check()
  }

  /// Checks what the parts mean together.
  private func check() throws(ValueError) {
    guard until == nil || count == nil else {
      throw ValueError("a rule has COUNT or UNTIL, not both")
    }
    if !weeks.isEmpty, frequency != .yearly {
      throw ValueError("BYWEEKNO goes with FREQ=YEARLY")
    }
    if weekdays.contains(where: { $0.ordinal != 0 }) {
      guard frequency == .monthly || frequency == .yearly && weeks.isEmpty else {
        throw ValueError("a number in BYDAY goes with FREQ=MONTHLY or FREQ=YEARLY")
      }
    }
    if frequency == .weekly, !monthDays.isEmpty {
      throw ValueError("BYMONTHDAY does not go with FREQ=WEEKLY")
    }
    if !yearDays.isEmpty, frequency != .yearly {
      throw ValueError("BYYEARDAY goes with FREQ=YEARLY")
    }
    let hasDays =
      !(months.isEmpty && weeks.isEmpty && yearDays.isEmpty && monthDays.isEmpty
      && weekdays.isEmpty)
    guard positions.isEmpty || hasDays else {
      throw ValueError("BYSETPOS goes with the days of which it chooses, such as BYDAY")
    }
  }

  private static func number(
    _ value: Substring,
    _ range: ClosedRange<Int>,
    _ name: Substring
  ) throws(ValueError) -> Int {
    guard let number = Int(value), range.contains(number), number != 0 || range.lowerBound == 0
    else {
      throw ValueError(
        "'\(String(value).quotable)' can't be \(name); it is \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return number
  }

  private static func numbers(
    _ value: Substring,
    _ range: ClosedRange<Int>,
    _ name: Substring
  ) throws(ValueError) -> [Int] {
    var numbers: [Int] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let number = try number(part, range, name)
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }

  private static func days(_ value: Substring) throws(ValueError) -> [Day] {
    var days: [Day] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      var day = Day(try weekday(part.suffix(2)))
      let ordinal = part.dropLast(2)
      if !ordinal.isEmpty { day.ordinal = try number(ordinal, -53...53, "the number in BYDAY") }
      if !days.contains(day) { days.append(day) }
    }
    return days
  }

  private static func weekday(_ value: Substring) throws(ValueError) -> Weekday {
    for weekday in Weekday.allCases where weekday.code == value { return weekday }
    throw ValueError(
      "'\(String(value).quotable)' is no weekday; they are MO, TU, WE, TH, FR, SA, SU"
    )
  }

  private static func time(_ value: Substring) throws(ValueError) -> CivilTime {
    if let time = CivilTime(basic: value) { return time }
    throw ValueError(
      "'\(String(value).quotable)' can't be UNTIL; write 20261231 or 20261231T180000"
    )
  }
}

extension RecurrenceRule.Frequency {
  fileprivate static var names: String {
    allCases.map(\.rawValue).joined(separator: ", ")
  }
}

extension Weekday {
  /// Its two letters in RFC 5545.
  fileprivate var code: String { String(word.prefix(2)).uppercased() }
}

extension CivilTime {
  /// ISO 8601 without marks, as RFC 5545 writes it: `20261231` or `20261231T180000`.
  fileprivate var basicText: String {
    let digits = text.filter { $0 != "-" && $0 != ":" }
    if case .day = self { return digits }
    return digits + "00"
  }

  /// Reads a time without marks; one in UTC is read as it stands.
  fileprivate init?(basic text: Substring) {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let parts = (text.hasSuffix("Z") ? text.dropLast() : text)
      .split(
        separator: "T",
        omittingEmptySubsequences: false
      )
    guard let date = parts.first, date.count == 8, parts.count <= 2 else { return nil }
    let day = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
    guard parts.count == 2 else {
      self.init(written: day)
      return
    }
    guard parts[1].count == 6 || parts[1].count == 4 else { return nil }
    let minutes = parts[1].dropFirst(2).prefix(2)
    guard parts[1].count == 4 || Int(parts[1].suffix(2)).map({ (0...59).contains($0) }) == true
    else { return nil }
    self.init(written: "\(day)T\(parts[1].prefix(2)):\(minutes)")
  }
}
