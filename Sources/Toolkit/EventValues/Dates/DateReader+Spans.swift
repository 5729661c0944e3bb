import JSONText

extension DateReader {
  /// Reads a length of time, and says whether what is written could be minutes or months.
  static func span(_ text: String) -> (value: TimeSpan, saysMinutesOrMonths: Bool)? {
    guard var reader = DateReader(text, DateRules()) else { return nil }
    let isBehind = reader.skip(mark: "-")
    if !isBehind { _ = reader.skip(mark: "+") }
    guard let span = reader.span(), reader.isAtEnd else { return nil }
    return (isBehind ? -span : span, reader.minutesOrMonths > 0)
  }

  private var isISO8601: Bool {
    tokens.contains { $0 == .word("p") || $0 == .word("pt") }
  }

  /// `+3d`, `in 3 days`, `2 weeks ago`, `2h`, `PT2H`: as a date, if it has minutes.
  ///
  /// - Throws: A refusal of `30m`, which are hardly months.
  mutating func spanFromNow() throws(DateRefusal) -> When? {
    guard let span = signedSpan() else { return nil }
    if minutesOrMonths > 12, isAtEnd { throw .minutesOrMonths(minutesOrMonths) }
    if span.months == 0, span.minutes == 0 { return .inDays(span.days) }
    return .phrase(DatePhrase(.after(span)))
  }

  /// `due+1w`: after what the field was.
  ///
  /// - Throws: A refusal of `due+30m`, which are hardly months.
  mutating func spanAfterValue() throws(DateRefusal) -> When? {
    guard let field = word({ DateWords.isKnown($0) ? nil : String($0) }) else { return nil }
    let isBehind = skip(mark: "-")
    guard isBehind || skip(mark: "+"), let span = span() else { return nil }
    if minutesOrMonths > 12, isAtEnd { throw .minutesOrMonths(minutesOrMonths) }
    return .phrase(DatePhrase(.afterValue(field: field, isBehind ? -span : span)))
  }

  /// A span with its direction.
  mutating func signedSpan() -> TimeSpan? {
    if skip(mark: "-") { return span().map { -$0 } }
    let isSigned = skip(mark: "+") || skip("in")
    guard let span = span() else { return nil }
    if !isSigned, skip("ago") { return -span }
    if !isSigned, skip("from") { return skip("now", "today") ? span : nil }
    return span
  }

  private mutating func span() -> TimeSpan? {
    if isISO8601 { return spanByISO8601() }
    var span = TimeSpan.zero
    var isEmpty = true
    while true {
      let part = attempt { reader -> (Int, DateWords.Unit)? in
        guard let count = reader.quantity() else { return nil }
        if reader.skip("m") {
          reader.minutesOrMonths = max(reader.minutesOrMonths, count)
          return (count, .month)
        }
        return reader.word(DateWords.units).map { (count, $0) }
      }
      guard let part else { break }
      isEmpty = false
      span.add(part.0, part.1)
      if part.1 == .hour, let minutes = attempt({ $0.minutesAfterHour() }) {
        span.minutes += minutes
      }
      _ = skip("and") || skip(mark: ",")
    }
    return isEmpty ? nil : span
  }

  /// `30` of `2h30`, `2h30m`, `2h30min`.
  private mutating func minutesAfterHour() -> Int? {
    let isWritten = { (word: Substring) in
      word.isIdentical(to: "m") || DateWords.units(word) == .minute ? true : nil
    }
    if let minutes = number(digits: 2...2) {
      _ = word(isWritten)
      return minutes
    }
    guard let minutes = number(digits: 1...64) else { return nil }
    return word(isWritten).map { _ in minutes }
  }

  private mutating func quantity() -> Int? {
    number(digits: 1...64) ?? word(DateWords.numbers)
  }

  /// `P1Y2M3DT4H5M`, ISO 8601.
  private mutating func spanByISO8601() -> TimeSpan? {
    var isTime = skip("pt")
    guard isTime || skip("p") else { return nil }
    var span = TimeSpan.zero
    var isEmpty = true
    while let count = number(digits: 1...64) {
      guard let designator = word({ $0 }) else { return nil }
      switch (designator, isTime) {
      case ("y", false): span.add(count, .year)
      case ("m", false): span.add(count, .month)
      case ("w", false): span.add(count, .week)
      case ("d", false): span.add(count, .day)
      case ("h", true): span.add(count, .hour)
      case ("m", true): span.add(count, .minute)
      case ("s", true) where count == 0: break
      default: return nil
      }
      if skip(mark: "T") { isTime = true }
      isEmpty = false
    }
    return isEmpty ? nil : span
  }
}

extension TimeSpan {
  fileprivate mutating func add(_ count: Int, _ unit: DateWords.Unit) {
    switch unit {
    case .minute: minutes += count
    case .hour: minutes += count * 60
    case .day: days += count
    case .week: days += count * 7
    case .month: months += count
    case .year: months += count * 12
    }
  }
}
