extension DateReader {
  /// Reads a length of time, and says whether what is written could be minutes or months.
  static func span(_ text: String) -> (value: TimeSpan, saysMinutesOrMonths: Bool)? {
    guard var reader = DateReader(text, DateRules()) else { return nil }
    let isBehind = reader.skip(mark: "-")
    if !isBehind { _ = reader.skip(mark: "+") }
    guard let span = reader.span(), reader.isAtEnd else { return nil }
    let isUnclear = !reader.isISO8601 && reader.tokens.contains(.word("m"))
    return (isBehind ? -span : span, isUnclear)
  }

  private var isISO8601: Bool {
    tokens.contains { $0 == .word("p") || $0 == .word("pt") }
  }

  /// `+3d`, `in 3 days`, `2 weeks ago`, `2h`, `PT2H`: as a date, if it has minutes.
  mutating func spanFromNow() -> When? {
    guard let span = signedSpan() else { return nil }
    if span.months == 0, span.minutes == 0 { return .inDays(span.days) }
    return .phrase(DatePhrase(.after(span)))
  }

  /// `due+1w`: after what the field was.
  mutating func spanAfterValue() -> When? {
    guard let field = word({ DateWords.isKnown($0) ? nil : String($0) }) else { return nil }
    let isBehind = skip(mark: "-")
    guard isBehind || skip(mark: "+"), let span = span() else { return nil }
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
        guard let count = reader.quantity(), let unit = reader.word(DateWords.units) else {
          return nil
        }
        return (count, unit)
      }
      guard let part else { break }
      isEmpty = false
      span.add(part.0, part.1)
      // `2h30`.
      if part.1 == .hour, let minutes = number(digits: 2...2) {
        span.minutes += minutes
        // `2h30min`.
        _ = word { DateWords.units($0) == .minute ? true : nil }
      }
      _ = skip("and") || skip(mark: ",")
    }
    return isEmpty ? nil : span
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
      case ("y", false), ("yt", false): span.add(count, .year)
      case ("m", false), ("mt", false): span.add(count, .month)
      case ("w", false), ("wt", false): span.add(count, .week)
      case ("d", false), ("dt", false): span.add(count, .day)
      case ("h", true): span.add(count, .hour)
      case ("m", true): span.add(count, .minute)
      case ("s", true) where count == 0: break
      default: return nil
      }
      if designator.hasSuffix("t") { isTime = true }
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
