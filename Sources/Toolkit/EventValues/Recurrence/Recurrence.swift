import JSONText

/// How something comes again: by a rule of the calendar, or some time after it is done.
///
/// There is one of a series at a time: the next one follows from the present one, by ``next(after:at:)``, when that is done.
public struct Recurrence: Sendable, Hashable {
  /// By what it comes again; in a place of its own, as most records have none.
  public indirect enum Way: Sendable, Hashable {
    /// By a rule, whenever it is done.
    case every(RecurrenceRule)
    /// So much later than it is done.
    case after(TimeSpan)
  }

  /// By what it comes again.
  public var way: Way
  /// The day of the series for which the present one is, or the minute of it; nil where it has not begun.
  ///
  /// The present one can be due on another day.
  public var from: CivilTime?
  /// Whether days of the rule that have passed come nevertheless, one after the other.
  public var piles: Bool

  /// Creates a recurrence that has not begun.
  public init(_ way: Way, from: CivilTime? = nil, piles: Bool = false) {
    (self.way, self.from, self.piles) = (way, from, piles)
  }

  /// Each day.
  public static var daily: Recurrence { Recurrence(.every(RecurrenceRule(.daily))) }

  /// Returns the recurrence as it begins.
  ///
  /// - Parameters:
  ///   - time: The time of the first one; nil for the first day of the rule from today on.
  ///   - now: The time.
  /// - Returns: The recurrence, with the time of the first one, which has the time of day of the rule if that says one: nil where it comes
  ///   some time after another one. Nil if it never comes.
  public func begun(at time: CivilTime?, _ now: CivilMinute) -> (Recurrence, CivilTime?)? {
    var begun = self
    guard case .every(let rule) = way else { return (begun, time) }
    var first = time
    if case .day(let day)? = first { first = rule.time(on: day, like: .day(day)) }
    if first == nil {
      // The nearest day: from that on it is each so many periods.
      var nearest = rule
      (nearest.count, nearest.interval) = (nil, 1)
      for day in nearest.days(from: now.day, 2) {
        first = first ?? rule.time(on: day, like: .day(day))
        // A time of day that is over today.
        if case .minute(let minute)? = first, minute < now { first = nil }
      }
    }
    guard let first, rule.lasts(at: first) else { return nil }
    begun.from = first
    return (begun, first)
  }

  /// The recurrence with the days of its rule said, as it is stored; a draft can still begin on another day.
  public var bound: Recurrence {
    guard let from, case .every(let rule) = way else { return self }
    return Recurrence(.every(rule.bound(to: from.day)), from: from, piles: piles)
  }

  /// Returns the next one's time, and its recurrence.
  ///
  /// It is never the day again for which the present one is. Days of the rule that have passed are left out, and so is that on which the
  /// present one is due, unless it ``piles``. Of a number of times those count that come, not those that are left out.
  ///
  /// - Parameters:
  ///   - time: The time of the present one; nil if it has none.
  ///   - now: When the present one is done.
  /// - Returns: The next one; nil where the series ends.
  public func next(
    after time: CivilTime?,
    at now: CivilMinute
  ) -> (time: CivilTime, recurrence: Recurrence)? {
    switch way {
    case .after(let span):
      let isInMinutes = span.minutes != 0
      var next = CivilTime.minute(now).adding(span)
      if !isInMinutes, let day = next?.day {
        next = .day(day)
        // Of a time of day the next one is at the same.
        if case .minute(let minute)? = time {
          next = .minute(minute.on(day))
        }
      }
      return next.map { ($0, self) }
    case .every(let rule):
      let present = from ?? time ?? .day(now.day)
      var earliest: CivilDay?
      if !piles {
        earliest = now.day
        if let after = time?.day.adding(days: 1), after > now.day { earliest = after }
      }
      guard rule.count ?? 2 > 1, var next = rule.next(after: present.day, from: earliest) else {
        return nil
      }
      if !piles, case .minute(let minute) = rule.time(on: next, like: present), minute < now {
        guard let day = now.day.adding(days: 1),
          let later = rule.next(after: present.day, from: day)
        else { return nil }
        next = later
      }
      let time = rule.time(on: next, like: present)
      guard rule.lasts(at: time) else { return nil }
      var recurrence = self
      var rest = rule.bound(to: present.day)
      rest.count = rest.count.map { $0 - 1 }
      (recurrence.way, recurrence.from) = (.every(rest), time)
      return (time, recurrence)
    }
  }
}

extension RecurrenceRule {
  /// The time of a day of the rule.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - time: A time of the series, the time of day of which it has unless it says another one.
  /// - Returns: The day, or a minute of it.
  fileprivate func time(on day: CivilDay, like time: CivilTime) -> CivilTime {
    if let minuteOfDay { return .minute(CivilMinute(day: day, minuteOfDay: minuteOfDay)) }
    guard case .minute(let minute) = time else { return .day(day) }
    return .minute(minute.on(day))
  }

  /// Whether a time is not after the end of the rule.
  fileprivate func lasts(at time: CivilTime) -> Bool {
    guard let until else { return true }
    if case .minute(let last) = until, case .minute(let minute) = time { return minute <= last }
    return time.day <= until.day
  }
}

extension Recurrence: Codable {
  /// Writes the object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    switch bound.way {
    case .every(let rule): try container.encode(rule.text, forKey: .every)
    case .after(let span): try container.encode(span.text, forKey: .after)
    }
    try container.encodeIfPresent(from?.text, forKey: .from)
    if piles { try container.encode(true, forKey: .pile) }
  }

  /// Reads the object.
  public init(from decoder: any Decoder) throws { try self.init(json: JSON(from: decoder)) }

  private enum Member: String, CodingKey { case every, after, from, pile }
}

extension TimeSpan {
  /// Checks that something can come again after it.
  func checkRepeated() throws(ValueError) {
    let parts = [months, days, minutes]
    guard parts.allSatisfy({ $0 >= 0 }), parts.contains(where: { $0 > 0 }) else {
      throw ValueError("it can't come again after '\(text)'; write for example 3d, 2w or 4h")
    }
  }
}
