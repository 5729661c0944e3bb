import EventMVVM
import JSONText

/// Reads a date as people write it; case and blanks count for nothing.
///
/// A date is a day, a time, or both in either order, or a span from now. What could be two days is
/// refused unless the rules decide.
struct DateReader {
  enum Token: Equatable {
    case number(Int, digits: Int)
    case word(Substring)
    case mark(Unicode.Scalar)
  }

  let tokens: [Token]
  let rules: DateRules
  private(set) var index = 0
  /// The greatest number before an `m` that could mean minutes or months; 0 if there is none.
  var minutesOrMonths = 0

  /// Nil for what can be no date, as it is long or has other characters.
  init?(_ text: String, _ rules: DateRules) {
    guard let tokens = Self.tokens(of: text) else { return nil }
    (self.tokens, self.rules) = (tokens, rules)
  }

  // MARK: Tokens

  /// Returns the words, numbers and marks of a text; nil if it has anything else.
  private static func tokens(of text: String) -> [Token]? {
    guard text.mayBeName else { return nil }
    var tokens: [Token] = []
    var rest = Substring(text.lowercased())
    while let first = rest.unicodeScalars.first {
      switch first {
      case " ", "\t": rest.unicodeScalars.removeFirst()
      case "0"..."9":
        // By scalars: a digit with a mark is no digit.
        let digits = Substring(rest.unicodeScalars.prefix { ("0"..."9").contains($0) })
        rest = rest[digits.endIndex...]
        // So many minutes lead out of the calendar, and no sum of them overflows.
        let number = min(Int(digits) ?? .max, 100_000_000_000)
        tokens.append(.number(number, digits: digits.utf8.count))
      case "a"..."z":
        let letters = Substring(rest.unicodeScalars.prefix { ("a"..."z").contains($0) })
        rest = rest[letters.endIndex...]
        let day = letters.dropLast()
        let isBeforeNumber = rest.utf8.first.map { (0x30...0x39).contains($0) } ?? false
        if isBeforeNumber, letters.last == "t",
          !DateWords.endsDay(letters), day.isEmpty || DateWords.endsDay(day)
        {
          // The mark between a day and its time, as in `tomorrowT9:30`.
          if !day.isEmpty { tokens.append(.word(day)) }
          tokens.append(.mark("T"))
        } else {
          tokens.append(.word(letters))
        }
      case "-", "+", "/", ".", ":", ",":
        tokens.append(.mark(first))
        rest.unicodeScalars.removeFirst()
      default: return nil
      }
    }
    return tokens
  }

  var isAtEnd: Bool { index == tokens.count }

  var next: Token? { isAtEnd ? nil : tokens[index] }

  /// Goes back to where it was if the body returns nil.
  mutating func attempt<Value>(_ body: (inout DateReader) -> Value?) -> Value? {
    let start = index
    let value = body(&self)
    if value == nil { index = start }
    return value
  }

  /// The same for a body that may refuse what it reads.
  mutating func trying<Value>(
    _ body: (inout DateReader) throws(DateRefusal) -> Value?
  ) throws(DateRefusal) -> Value? {
    let start = index
    let value = try body(&self)
    if value == nil { index = start }
    return value
  }

  /// Skips a word that is one of these.
  mutating func skip(_ words: String...) -> Bool {
    guard case .word(let word)? = next, words.contains(where: { word.isIdentical(to: $0) }) else {
      return false
    }
    index += 1
    return true
  }

  /// Skips a mark.
  mutating func skip(mark: Unicode.Scalar) -> Bool {
    guard next == .mark(mark) else { return false }
    index += 1
    return true
  }

  /// Reads a word that means something.
  mutating func word<Value>(_ meaning: (Substring) -> Value?) -> Value? {
    guard case .word(let word)? = next, let value = meaning(word) else { return nil }
    index += 1
    return value
  }

  /// Reads a number that is written with so many digits.
  mutating func number(digits: ClosedRange<Int>) -> Int? {
    guard case .number(let number, let count)? = next, digits.contains(count) else { return nil }
    index += 1
    return number
  }

  // MARK: The whole

  /// Reads the whole text; nil if it is no date.
  ///
  /// - Throws: Why it is none, where that is known.
  mutating func read() throws(DateRefusal) -> When? {
    if let when = try whole({ $0.moment() }) { return when }
    if let when = try whole({ r throws(DateRefusal) in try r.spanFromNow() }) { return when }
    if let when = try whole({ r throws(DateRefusal) in try r.spanAfterValue() }) { return when }
    if let when = try whole({ r throws(DateRefusal) in try r.dayAndTime() }) { return when }
    return try whole { r throws(DateRefusal) in try r.timeAndDay() }
  }

  private mutating func whole(
    _ form: (inout DateReader) throws(DateRefusal) -> When?
  ) throws(DateRefusal) -> When? {
    (index, minutesOrMonths) = (0, 0)
    guard let when = try form(&self), isAtEnd else { return nil }
    return when
  }

  private mutating func moment() -> When? {
    if skip("now") { return .phrase(DatePhrase(.now)) }
    if skip("tonight") { return .phrase(DatePhrase(.fromToday(0), minute: 20 * 60)) }
    return skip("midnight") ? .phrase(DatePhrase(.fromToday(1), minute: 0)) : nil
  }

  private mutating func dayAndTime() throws(DateRefusal) -> When? {
    _ = skip("on", "by")
    guard var phrase = try day() else { return nil }
    if isAtEnd { return When(phrase) }
    _ = skip(mark: ",")
    let isMarked = skip(mark: "T") || skip("at")
    guard let minute = try time(isMarked: isMarked) else { return nil }
    phrase.minute = minute
    guard !isAtEnd, case .fixed(let day) = phrase.day else { return When(phrase) }
    guard let offset = offset() else { return nil }
    let seconds = CivilMinute(day: day, minuteOfDay: minute).secondsSinceEpoch - Int64(offset)
    return .instant(Instant(milliseconds: seconds * 1000))
  }

  private mutating func timeAndDay() throws(DateRefusal) -> When? {
    let isMarked = skip("at")
    guard let minute = try time(isMarked: isMarked) else { return nil }
    if isAtEnd { return .phrase(DatePhrase(.ofTime, minute: minute)) }
    _ = skip("on") || skip(mark: ",")
    guard var phrase = try day() else { return nil }
    phrase.minute = minute
    return When(phrase)
  }

  // MARK: Times

  /// Reads the minute of a day.
  ///
  /// - Parameter isMarked: Whether a mark says that it is one: then an hour suffices.
  /// - Returns: The minute; nil if there is none.
  /// - Throws: Why it is none.
  mutating func time(isMarked: Bool) throws(DateRefusal) -> Int? {
    if skip("noon") { return 12 * 60 }
    if isMarked, let written = number(digits: 4...4) {
      return try minute(written / 100, written % 100)
    }
    if isMarked, let written = number(digits: 6...6) {
      return try minute(written / 10_000, written / 100 % 100)
    }
    if index > 0, skip("midnight") { throw .midnight }
    if index > 0, !isMarked, case .number(let time, 3...4)? = next, index + 1 == tokens.count,
      time / 100 < 24, time % 100 < 60
    {
      throw .clock(time)
    }
    guard let hour = number(digits: 1...2) else { return nil }
    if let minutes = attempt({ $0.minutesAfterDot() }) { return try halfDay(hour, minutes) }
    guard skip(mark: ":") else {
      if let time = try halfDay(hour, 0) { return time }
      if isMarked { return try minute(hour, 0) }
      if index > 1, isAtEnd, hour <= 23 { throw .bareHour(hour) }
      return nil
    }
    guard let minutes = number(digits: 2...2) else { return nil }
    if skip(mark: ":") {
      guard let seconds = number(digits: 2...2) else { return nil }
      if seconds > 59 { throw .noSuchTime }
      if skip(mark: "."), number(digits: 1...64) == nil { return nil }
    }
    if let time = try halfDay(hour, minutes) { return time }
    return try minute(hour, minutes)
  }

  /// `.30` of `5.30pm`.
  private mutating func minutesAfterDot() -> Int? {
    guard skip(mark: "."), let minutes = number(digits: 2...2), minutes < 60 else { return nil }
    if case .word(let word)? = next, ["am", "a", "pm", "p"].contains(word) { return minutes }
    return nil
  }

  private mutating func halfDay(_ hour: Int, _ minutes: Int) throws(DateRefusal) -> Int? {
    let isMorning = skip("am", "a")
    guard isMorning || skip("pm", "p") else { return nil }
    guard (1...12).contains(hour) else { throw .noSuchTime }
    return try minute(hour % 12 + (isMorning ? 0 : 12), minutes)
  }

  private func minute(_ hour: Int, _ minute: Int) throws(DateRefusal) -> Int {
    guard hour <= 23, minute <= 59 else { throw .noSuchTime }
    return hour * 60 + minute
  }

  /// Reads how many seconds a time is ahead of UTC.
  private mutating func offset() -> Int? {
    if skip("z") { return 0 }
    let isAhead = skip(mark: "+")
    guard isAhead || skip(mark: "-") else { return nil }
    var (hours, minutes) = (0, 0)
    if let written = number(digits: 4...4) {
      (hours, minutes) = (written / 100, written % 100)
    } else {
      guard let written = number(digits: 2...2) else { return nil }
      hours = written
      if skip(mark: ":") {
        guard let written = number(digits: 2...2) else { return nil }
        minutes = written
      }
    }
    guard hours < 24, minutes < 60 else { return nil }
    return (isAhead ? 60 : -60) * (hours * 60 + minutes)
  }
}

extension When {
  /// The date of a phrase, in its simplest form.
  fileprivate init(_ phrase: DatePhrase) {
    switch (phrase.day, phrase.minute) {
    case (.fromToday(let days), nil): self = .inDays(days)
    case (.nextWeekday(let weekday), nil): self = .next(weekday)
    case (.fixed(let day), nil): self = .local(.day(day))
    case (.fixed(let day), let minute?):
      self = .local(.minute(CivilMinute(day: day, minuteOfDay: minute)))
    default: self = .phrase(phrase)
    }
  }
}
