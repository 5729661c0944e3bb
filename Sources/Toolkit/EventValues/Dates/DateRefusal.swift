import EventMVVM
import JSONText

/// Why a text is no date, and what to write instead.
enum DateRefusal: Error, Equatable {
  case noSuchDay
  case noSuchTime
  case noSuchYear
  /// It is all of a week, a month, a quarter or a year.
  case period(DatePhrase.Period)
  /// It is two days in figures.
  case twoDays(Int, Int)
  /// It is another weekday.
  case weekday(CivilDay)
  /// It is the days from one to another of a month.
  case severalDays(Int, Int, Int)
  /// A number of four digits is hardly a year, and could be a time.
  case yearOrTime(Int)
  /// A time without its colon.
  case clock(Int)
  /// So many minutes, or months.
  case minutesOrMonths(Int)
  /// The midnight with which a day begins, or ends.
  case midnight
  /// An hour that could be anything.
  case bareHour(Int)

  var message: String {
    switch self {
    case .noSuchDay: "there is no such day"
    case .noSuchTime: "there is no such time"
    case .noSuchYear: "the years are 1 to 9999"
    case .period(.week): "it is all of a week; write mon, or eow for its end"
    case .period(.month): "it is all of a month; write 1 dec, or eom for its end"
    case .period(.quarter): "it is all of a quarter; write soq or eoq for its ends"
    case .period(.year): "it is all of a year; write 1 jan, or eoy for its end"
    case .twoDays(let first, let second):
      "it is two days: write '\(first) \(DateWords.monthNames[second - 1].prefix(3))' or "
        + "'\(second) \(DateWords.monthNames[first - 1].prefix(3))', or set 'order' in [dates]"
    case .weekday(let day):
      "\(day.day) \(DateWords.monthNames[day.month - 1].capitalizedASCII) \(day.year) is a "
        + day.weekday.word.capitalizedASCII
    case .severalDays(let first, _, let month):
      "it is several days; write one of them, such as '\(first) \(DateWords.monthNames[month - 1].prefix(3))'"
    case .yearOrTime(let number): Self.yearOrTime(number)
    case .clock(let time): "write \(Self.clock(time)) for the time"
    case .minutesOrMonths(let count):
      "it is minutes or months: write '\(count)min' or '\(count)mo'"
    case .midnight: "a day has two; write 00:00 for its beginning, or 23:59 for its end"
    case .bareHour(let hour): "\(hour) alone is no time; write \(hour):00 or \(Self.halfDay(hour))"
    }
  }
}

extension DateRefusal {
  private static func yearOrTime(_ number: Int) -> String {
    let digits = String(number + 10_000).dropFirst()
    return number % 100 < 60 && number < 2400
      ? "\(digits) is a time or a year: write \(clock(number)), or the date as \(digits)-12-01"
      : "the year \(digits) is far away; write the date as \(digits)-12-01"
  }

  private static func clock(_ time: Int) -> String {
    "\(time / 100):\(String(time % 100 + 100).dropFirst())"
  }

  private static func halfDay(_ hour: Int) -> String {
    "\((hour + 11) % 12 + 1)\(hour < 12 ? "am" : "pm")"
  }

  /// What people type for no date at all.
  private static let undated: Set = ["later", "soon", "someday", "never", "whenever", "eventually"]
  private static let repeating: Set = [
    "every", "weekdays", "daily", "weekly", "monthly", "yearly", "biweekly",
  ]

  /// Returns the error for a text that is refused.
  func error(of text: String) -> ValueError {
    ValueError("'\(text.quotable)' is no date: \(message)")
  }

  /// Returns the error for a text that is no date.
  static func error(_ text: String, _ rules: DateRules) -> ValueError {
    let typed = "'\(text.quotable)' is no date"
    if let reason = reason(text) { return ValueError("\(typed): \(reason)") }
    let meant = suggestions(for: text, rules)
    if !meant.isEmpty {
      return ValueError(
        "\(typed); did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?"
      )
    }
    return ValueError(
      "\(typed); write for example tomorrow, fri 14:00, 1 dec, +3d, or 2026-12-01"
    )
  }

  private static func reason(_ text: String) -> String? {
    guard text.mayBeName else { return nil }
    if let reason = reason(figures: text) { return reason }
    let words = text.lowercased().split(separator: " ")
    guard let first = words.first.map(String.init) else { return nil }
    if words.count == 1, undated.contains(first) {
      return "it names no day; write one, or leave it out"
    }
    if repeating.contains(first) { return "it is more than one day; write the first of them" }
    if words.count == 1, let period = DateWords.periods(Substring(first)) {
      return "it is no day by itself; write 'next \(first)', or eo\(period.letter) for its end"
    }
    guard words.count == 1 else { return nil }
    let digits = first.drop { "+-".contains($0) }
    guard let number = Int(digits), number >= 0, digits.utf8.count <= 4 else { return nil }
    if digits.utf8.count < first.utf8.count {
      return "a unit is missing; write \(first)d or \(first)w"
    }
    if digits.utf8.count == 4, !DateReader.years.contains(number), number < 2400, number % 100 < 60
    {
      return "it is a time or a year: write \(clock(number)) for the time"
    }
    if digits.utf8.count == 4 { return "it is a year; write a day of it, such as 1 dec \(first)" }
    guard (1...31).contains(number) else { return DateRefusal.noSuchDay.message }
    return
      "a number is no day by itself; write '1 dec' for a day, or '\(number)d' for that many days"
  }

  /// Why `1.12` and `17.30` are none.
  private static func reason(figures text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
      let first = Int(parts[0]), let second = Int(parts[1])
    else { return nil }
    let time = first < 24 && second < 60 ? "\(clock(first * 100 + second)) for the time" : nil
    let isDay = (1...31).contains(first) && (1...12).contains(second)
    let day = isDay ? "'\(first) \(DateWords.monthNames[second - 1].prefix(3))' for the day" : nil
    let both = [day, time].compactMap(\.self)
    return both.isEmpty ? nil : "write " + both.joined(by: ", or ")
  }

  /// Returns two dates at most that are near the text, one word of which is replaced.
  private static func suggestions(for text: String, _ rules: DateRules) -> [String] {
    guard text.mayBeName else { return [] }
    let words = text.lowercased().split(separator: " ").map(String.init)
    var found: [String] = []
    for (index, word) in words.enumerated()
    where word.utf8.count > 1 && word.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
      && !DateWords.isKnown(Substring(word))
    {
      // Of a short word any other is near: it is meant if it begins alike.
      for near in closestFirst(to: word, among: DateWords.meant)
      where found.count < 2 && (word.utf8.count > 4 || near.utf8.first == word.utf8.first) {
        var replaced = words
        replaced[index] = near
        let date = replaced.joined(by: " ")
        if (try? When.read(date, rules)) != nil { found.append(date) }
      }
    }
    return found
  }
}

extension DatePhrase.Period {
  fileprivate var letter: String {
    switch self {
    case .week: "w"
    case .month: "m"
    case .quarter: "q"
    case .year: "y"
    }
  }
}

extension String {
  /// The text with a capital as its first letter.
  var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
