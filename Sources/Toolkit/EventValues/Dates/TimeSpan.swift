import JSONText

/// A length of time as people say it: months and days of the calendar, and minutes.
///
/// A year is twelve months, a week seven days, an hour sixty minutes; a month is no number of days.
/// `2h30`, `90min`, `1w2d`, `3 days`, `1 month`, or ISO 8601's `PT2H` and `P1Y2M`; a sign may stand
/// before it.
public struct TimeSpan: Sendable, Hashable, Codable {
  /// The months.
  public var months: Int
  /// The days.
  public var days: Int
  /// The minutes.
  public var minutes: Int

  /// Creates a span; all of its parts may be negative.
  public init(months: Int = 0, days: Int = 0, minutes: Int = 0) {
    (self.months, self.days, self.minutes) = (months, days, minutes)
  }

  /// No time.
  public static let zero = TimeSpan()

  /// The span in the other direction.
  public static prefix func - (span: TimeSpan) -> TimeSpan {
    TimeSpan(months: -span.months, days: -span.days, minutes: -span.minutes)
  }

  /// Its largest parts, such as `1y2mo`, `3d` or `2h30min`; `0min` if it is none.
  public var text: String {
    let isBehind = min(months, days, minutes) < 0
    let parts: [(Int, String)] = [
      (months / 12, "y"), (months % 12, "mo"), (days / 7, "w"), (days % 7, "d"),
      (minutes / 60, "h"), (minutes % 60, "min"),
    ]
    let text = parts.filter { $0.0 != 0 }.map { "\(abs($0.0))\($0.1)" }.joined()
    return text.isEmpty ? "0min" : (isBehind ? "-" : "") + text
  }
}

extension TimeSpan: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape(
      "DURATION",
      explanation: ["2h30, 90min, 3d, 1w2d, 1 month, or by ISO 8601, such as PT2H."],
      schema: [
        "type": "string", "description": "a length of time, such as 2h30, 90min, 3d or PT2H",
      ]
    )
  }

  /// Reads the span from a word.
  public init(word: String) throws(ValueError) {
    guard let span = DateReader.span(word) else {
      throw ValueError(
        "'\(word.quotable)' is no length of time; write for example 2h30, 90min, 3d, 1w or PT2H"
      )
    }
    guard !span.saysMinutesOrMonths else {
      throw ValueError("'\(word.quotable)' is minutes or months: write 'min' or 'mo'")
    }
    self = span.value
  }
}
