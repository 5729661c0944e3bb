/// A day of the week; the raw value is its number in ISO 8601.
public enum Weekday: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The first day of the week in ISO 8601.
  case monday = 1
  /// The second day.
  case tuesday
  /// The third day.
  case wednesday
  /// The fourth day.
  case thursday
  /// The fifth day.
  case friday
  /// The sixth day.
  case saturday
  /// The last day of the week in ISO 8601.
  case sunday
}

/// A calendar day in the proleptic Gregorian calendar, without zone.
///
/// The years run from 1 to 9999, so that every day has a text of ten characters.
public struct CivilDay: Sendable, Hashable {
  /// Year, month and day from the highest bit down, so that days compare as their numbers do.
  private let packed: Int32

  /// The first valid day, 0001-01-01.
  public static let first = CivilDay(uncheckedYear: 1, month: 1, day: 1)

  /// The last valid day, 9999-12-31.
  public static let last = CivilDay(uncheckedYear: 9999, month: 12, day: 31)

  private init(uncheckedYear year: Int, month: Int, day: Int) {
    packed = Int32(truncatingIfNeeded: year << 9 | month << 5 | day)
  }

  /// Creates a day; nil unless the year is 1…9999 and the year has that month and day.
  public init?(year: Int, month: Int, day: Int) {
    guard
      (1...9999).contains(year), (1...12).contains(month),
      (1...daysInMonth(month, ofYear: year)).contains(day)
    else { return nil }
    self.init(uncheckedYear: year, month: month, day: day)
  }

  /// Creates the day that many days after 1970-01-01, clamped to 0001-01-01…9999-12-31.
  public init(daysSinceEpoch days: Int) {
    let date = civilFromDays(min(max(days, Self.dayRange.lowerBound), Self.dayRange.upperBound))
    self.init(uncheckedYear: date.year, month: date.month, day: date.day)
  }

  /// The days since the epoch of 0001-01-01 and 9999-12-31.
  static var dayRange: ClosedRange<Int> { -719_162...2_932_896 }

  /// The year, 1…9999.
  public var year: Int { Int(packed >> 9) }

  /// The month, 1…12.
  public var month: Int { Int(packed >> 5 & 0xF) }

  /// The day of the month, 1…31.
  public var day: Int { Int(packed & 0x1F) }

  /// The number of days since 1970-01-01, negative before it.
  public var daysSinceEpoch: Int { daysFromCivil(year: year, month: month, day: day) }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday, three days after a Monday.
    let index = Int64(daysSinceEpoch + 3).quotientAndRemainder(flooringBy: 7).remainder
    return Weekday(rawValue: Int(index) + 1) ?? .monday
  }

  /// Returns the day that many days later, or earlier for a negative number; nil outside the years
  /// 1…9999.
  public func adding(days: Int) -> CivilDay? {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    guard !overflow, Self.dayRange.contains(sum) else { return nil }
    return CivilDay(daysSinceEpoch: sum)
  }
}

extension CivilDay: Comparable {
  /// Whether the left day comes before the right one.
  public static func < (left: CivilDay, right: CivilDay) -> Bool {
    left.packed < right.packed
  }
}

extension CivilDay {
  /// The day as ISO 8601, such as `2026-12-01`.
  public var text: String {
    String(asciiCapacity: 10) { $0.write(self) }
  }

  /// Reads a day written `YYYY-MM-DD`; nil if the text is anything else or there is no such day.
  @inlinable
  public init?(_ text: some StringProtocol) {
    self.init(written: String(text))
  }

  @usableFromInline
  init?(written text: String) {
    guard let day = ASCIIReader.read(text, { $0.readDay() }) else { return nil }
    self = day
  }
}
