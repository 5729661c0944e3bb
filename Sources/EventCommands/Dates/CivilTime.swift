/// A day, or a minute of one, in local time without a zone, such as a due date.
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

  /// The day itself, or the day of the minute.
  public var day: CivilDay {
    switch self {
    case .day(let day): day
    case .minute(let minute): minute.day
    }
  }
}
