import EventMVVM

/// How a person writes dates where that differs from one to the next; `[dates]` of a configuration.
public struct DateRules: Sendable, Hashable {
  /// The order in which a day and a month in figures stand.
  public enum Order: String, Sendable, CaseIterable {
    /// The day comes first: 1/12 is the first of December.
    case dayMonth = "day-month"
    /// The month comes first: 1/12 is the twelfth of January.
    case monthDay = "month-day"
  }

  /// The order; nil refuses what could be two days.
  public var order: Order?
  /// The first day of a week.
  public var firstWeekday: Weekday

  /// Creates rules; weeks begin on Monday unless given.
  public init(order: Order? = nil, firstWeekday: Weekday = .monday) {
    (self.order, self.firstWeekday) = (order, firstWeekday)
  }

  /// Those of the process, or from where they are read.
  private enum Shared: Sendable {
    case read(DateRules)
    case unread(@Sendable () -> DateRules)
  }

  // One type alone, as each start of a process sets it.
  private static let shared = Locked(Shared.read(DateRules()))

  /// Those of the process, read when they are needed first.
  public static var current: DateRules {
    switch shared.withLock({ $0 }) {
    case .read(let rules): return rules
    case .unread(let source):
      let rules = source()
      shared.withLock { $0 = .read(rules) }
      return rules
    }
  }

  /// Sets where those of the process are read; called before anything else is.
  package static func read(from source: @escaping @Sendable () -> DateRules) {
    shared.withLock { $0 = .unread(source) }
  }
}
