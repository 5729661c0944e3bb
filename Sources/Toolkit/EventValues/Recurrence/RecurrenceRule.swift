/// A rule by which days come again: that of RFC 5545, §3.3.10, as far as it is about days.
///
/// Where a rule does not say which days of its period it means, such as a bare `FREQ=MONTHLY`, they are those that are like the
/// day from which it begins; ``bound(to:)`` says them. A week of the year that is named alone, `BYWEEKNO=20`, has all of its days. A rule that does is the same from each of its days on: that is why
/// a series needs no more than its rule and its present day.
public struct RecurrenceRule: Sendable, Hashable {
  /// The period that is repeated.
  public enum Frequency: String, Sendable, CaseIterable {
    /// A day.
    case daily = "DAILY"
    /// Seven days, from ``RecurrenceRule/weekStart`` on.
    case weekly = "WEEKLY"
    /// A month of the calendar.
    case monthly = "MONTHLY"
    /// A year of the calendar.
    case yearly = "YEARLY"
  }

  /// A weekday, perhaps the first, the second, the last such of a month or a year.
  public struct Day: Sendable, Hashable {
    /// Which one, from the end for a negative number; 0 for each.
    public var ordinal: Int
    /// The weekday.
    public var weekday: Weekday

    /// Creates a weekday.
    public init(_ weekday: Weekday, ordinal: Int = 0) {
      (self.ordinal, self.weekday) = (ordinal, weekday)
    }
  }

  /// The period that is repeated, `FREQ`.
  public var frequency: Frequency
  /// Each how many of these periods, `INTERVAL`.
  public var interval: Int {
    didSet { interval = min(max(interval, 1), Self.longestInterval) }
  }
  /// How often it comes, with the day from which it begins, `COUNT`; nil for ever.
  public var count: Int?
  /// The last day, or minute, on which it can come, `UNTIL`; nil for ever.
  public var until: CivilTime?
  /// The months in which it comes, `BYMONTH`; empty for all.
  public var months: [Int] = []
  /// The weeks of the year, `BYWEEKNO`; negative ones from its end.
  public var weeks: [Int] = []
  /// The days of the year, `BYYEARDAY`; negative ones from its end.
  public var yearDays: [Int] = []
  /// The days of the month, `BYMONTHDAY`; negative ones from its end.
  public var monthDays: [Int] = []
  /// The days of the week, `BYDAY`.
  public var weekdays: [Day] = []
  /// Which of the days that all of this leaves in a period, `BYSETPOS`; empty for all.
  public var positions: [Int] = []
  /// The first day of a week, `WKST`.
  public var weekStart = Weekday.monday
  /// The minute of the day, `BYHOUR` and `BYMINUTE`; nil for that of the day from which it begins.
  public var minuteOfDay: Int?
  /// Whether a day that a month does not have is its last day, as people mean it: not by RFC 5545.
  ///
  /// It is said by ``positions`` as soon as the day is known.
  var endsWithMonth: Bool {
    get { unbound.endsWithMonth }
    set { unbound.endsWithMonth = newValue }
  }

  private var unbound = Unbound()

  /// What is true of a rule until its days are said; two rules that differ in it alone are written alike.
  private struct Unbound: Sendable, Hashable {
    var endsWithMonth = false
    static func == (first: Self, second: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// Creates a rule for each period, or each so many.
  public init(_ frequency: Frequency, interval: Int = 1) {
    (self.frequency, self.interval) = (frequency, min(max(interval, 1), Self.longestInterval))
  }

  /// The greatest ``interval``.
  static let longestInterval = 9999
  /// The greatest ``count``.
  static let greatestCount = 1_000_000

  /// Returns the rule with the days that it means where it begins on a day, said in any case.
  public func bound(to day: CivilDay) -> RecurrenceRule {
    var rule = self
    rule.endsWithMonth = false
    guard weeks.isEmpty, yearDays.isEmpty, monthDays.isEmpty, weekdays.isEmpty else { return rule }
    switch frequency {
    case .daily: break
    case .weekly: rule.weekdays = [Day(day.weekday)]
    case .monthly: rule.setMonthDays([day.day], endsWithMonth)
    case .yearly:
      if months.isEmpty { rule.months = [day.month] }
      rule.setMonthDays([day.day], endsWithMonth && day.month == 2)
    }
    return rule
  }

  /// Sets the days of the month; where a month has not the last of them, its last day takes the place.
  mutating func setMonthDays(_ days: [Int], _ endsWithMonth: Bool) {
    monthDays = days
    guard endsWithMonth, let last = days.max(), last > 28, days.count(where: { $0 > 28 }) == 1,
      !days.contains(where: { $0 < 0 || $0 == 28 })
    else { return }
    let others = days.filter { $0 < 28 }.sorted()
    monthDays = others + Array(28...last)
    positions = others.indices.map { $0 + 1 } + [-1]
  }

  /// The days before the last one in which the last day of a month takes its place; nil where it does not.
  var lastOfMonth: (others: [Int], last: Int)? {
    let others = monthDays.filter { $0 < 28 }
    guard let last = monthDays.last, last > 28, others.allSatisfy({ $0 > 0 }),
      monthDays == others + Array(28...last),
      positions == others.indices.map({ $0 + 1 }) + [-1]
    else { return nil }
    return (others, last)
  }
}
