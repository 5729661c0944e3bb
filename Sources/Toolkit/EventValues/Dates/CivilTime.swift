/// A day, or a minute of one, in local time without a zone, such as a due date.
///
/// ```swift
/// switch due {
/// case nil: return false
/// case .day(let day): return day < now.day
/// case .minute(let minute): return minute < now
/// }
/// ```
public enum CivilTime: Sendable, Hashable {
  /// All of a day.
  case day(CivilDay)
  /// A minute of a day.
  case minute(CivilMinute)

  /// Reads what ``text`` writes.
  @inlinable
  public init?(_ text: some StringProtocol) {
    self.init(written: String(text))
  }

  @usableFromInline
  init?(written text: String) {
    if let day = CivilDay(written: text) {
      self = .day(day)
    } else if let minute = CivilMinute(written: text) {
      self = .minute(minute)
    } else {
      return nil
    }
  }

  /// ISO 8601: `2026-12-01` or `2026-12-01T09:30`.
  ///
  /// A day's text sorts before that of its minutes.
  public var text: String {
    switch self {
    case .day(let day): day.text
    case .minute(let minute): minute.text
    }
  }

  /// Returns the time that a span later, or earlier, is reached, without regard to changes of the clocks.
  ///
  /// - Returns: Nil outside the years 1…9999, and for minutes after all of a day.
  public func adding(_ span: TimeSpan) -> CivilTime? {
    switch self {
    case .day(let day): return span.minutes == 0 ? day.adding(span).map { .day($0) } : nil
    case .minute(let minute):
      let (sum, overflow) = (minute.hour * 60 + minute.minute)
        .addingReportingOverflow(span.minutes)
      let (days, rest) = Int64(sum).quotientAndRemainder(flooringBy: 24 * 60)
      guard !overflow, let day = minute.day.adding(span)?.adding(days: Int(days)) else {
        return nil
      }
      return .minute(CivilMinute(day: day, minuteOfDay: Int(rest)))
    }
  }

  /// The day itself, or the day of the minute.
  public var day: CivilDay {
    switch self {
    case .day(let day): day
    case .minute(let minute): minute.day
    }
  }
}
