/// The words that dates are made of, in small letters.
enum DateWords {
  enum Unit { case minute, hour, day, week, month, year }

  typealias PeriodEdge = (edge: DatePhrase.Edge, period: DatePhrase.Period, count: Int)

  private static let dayTable = [
    "today": 0, "tod": 0, "eod": 0, "tomorrow": 1, "tom": 1, "tmr": 1, "tmrw": 1, "yesterday": -1,
  ]
  private static let countTable = [
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
  ]
  private static let neighbourTable = ["last": -1, "previous": -1, "this": 0, "next": 1]
  private static let numberTable = [
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
  ]
  private static let periodTable: [String: DatePhrase.Period] = [
    "week": .week, "month": .month, "quarter": .quarter, "year": .year,
  ]
  private static let endTable: [String: DatePhrase.Edge] = [
    "start": .start, "beginning": .start, "end": .end,
  ]
  private static let weekdayTable: [String: Weekday] = {
    var table: [String: Weekday] = [
      "tues": .tuesday, "weds": .wednesday, "thur": .thursday, "thurs": .thursday,
    ]
    for weekday in Weekday.allCases {
      table[weekday.word] = weekday
      table[String(weekday.word.prefix(3))] = weekday
    }
    return table
  }()
  private static let monthTable: [String: Int] = {
    var table = ["sept": 9]
    for (index, name) in monthNames.enumerated() {
      table[name] = index + 1
      table[String(name.prefix(3))] = index + 1
    }
    return table
  }()
  private static let unitTable: [String: Unit] = [
    "min": .minute, "mins": .minute, "minute": .minute, "minutes": .minute, "h": .hour,
    "hr": .hour, "hrs": .hour, "hour": .hour, "hours": .hour, "d": .day, "day": .day,
    "days": .day, "w": .week, "wk": .week, "wks": .week, "week": .week, "weeks": .week,
    "m": .month, "mo": .month, "mon": .month, "mth": .month, "month": .month, "months": .month,
    "y": .year, "yr": .year, "yrs": .year, "year": .year, "years": .year,
  ]
  /// `sow`, `eom`, `sonw`, `eopq`: the start or the end, of the one before, this or the next, of a
  /// week, a month, a quarter, a year.
  private static let edgeTable: [String: PeriodEdge] = {
    var table: [String: PeriodEdge] = [:]
    for (start, edge) in [("so", DatePhrase.Edge.start), ("eo", .end)] {
      for (middle, count) in [("p", -1), ("", 0), ("c", 0), ("n", 1)] {
        for (name, period) in periodTable {
          // Two texts: appending a part of one takes the runtime a third of a million instructions.
          table[start + middle + String(name.prefix(1))] = (edge, period, count)
        }
      }
    }
    return table
  }()

  /// The months' names.
  static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  static func days(_ word: Substring) -> Int? { dayTable[String(word)] }
  static func counts(_ word: Substring) -> Int? { countTable[String(word)] }
  static func neighbours(_ word: Substring) -> Int? { neighbourTable[String(word)] }
  static func numbers(_ word: Substring) -> Int? { numberTable[String(word)] }
  static func periods(_ word: Substring) -> DatePhrase.Period? { periodTable[String(word)] }
  static func ends(_ word: Substring) -> DatePhrase.Edge? { endTable[String(word)] }
  static func weekdays(_ word: Substring) -> Weekday? { weekdayTable[String(word)] }
  static func months(_ word: Substring) -> Int? { monthTable[String(word)] }
  static func units(_ word: Substring) -> Unit? { unitTable[String(word)] }
  static func edges(_ word: Substring) -> PeriodEdge? { edgeTable[String(word)] }

  /// Whether a word may stand at the end of a day, before the `T` of its time.
  static func endsDay(_ word: Substring) -> Bool {
    days(word) != nil || weekdays(word) != nil || months(word) != nil || edges(word) != nil
      || units(word).map { $0 != .minute && $0 != .hour } ?? false
      || ["weekend", "st", "nd", "rd", "th", "quarter"].contains(word)
  }

  /// Whether a word means anything in a date.
  static func isKnown(_ word: Substring) -> Bool {
    endsDay(word) || units(word) != nil || numbers(word) != nil || counts(word) != nil
      || neighbours(word) != nil || ends(word) != nil || other.contains(String(word))
  }

  private static let other: Set = [
    "now", "tonight", "noon", "midnight", "in", "ago", "from", "at", "on", "of", "the", "and", "am",
    "pm", "after", "before",
  ]

  /// The words that somebody may have meant, the longer ones of each.
  static let meant: [String] =
    ["today", "tomorrow", "yesterday", "now", "tonight", "noon", "midnight", "weekend", "next"]
    + Weekday.allCases.map(\.word) + Weekday.allCases.map { String($0.word.prefix(3)) } + monthNames
    + [
      "days", "weeks", "months", "years", "hours", "minutes", "week", "month", "year", "end",
      "last", "eod", "eow", "eom", "eoq", "eoy",
    ]
}
