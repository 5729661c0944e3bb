public import EventMVVM

/// The clock of a text's reader.
public struct ReaderClock: Sendable {
  /// The local minute.
  public let now: CivilMinute
  /// The zone.
  public let zone: ZoneRule

  /// Creates the clock of an instant.
  public init(_ now: Instant, in zone: ZoneRule) {
    self.now = zone.civil(at: now)
    self.zone = zone
  }

  /// Returns an instant as people say it: local, and to the minute.
  public func said(_ instant: Instant) -> String {
    CivilTime.minute(zone.civil(at: instant)).said(at: now)
  }

  /// That of this process, now.
  public static var ofProcess: ReaderClock { ReaderClock(.now(), in: .current) }
}

extension CivilDay {
  /// The day as people write it, such as `Fri 4 Dec`, with the year unless it is that of another day.
  public func dated(besides today: CivilDay, _ rules: DateRules = .current) -> String {
    let weekday = String(self.weekday.word.prefix(3)).capitalizedASCII
    let month = String(DateWords.monthNames[self.month - 1].prefix(3)).capitalizedASCII
    let date = rules.order == .monthDay ? "\(month) \(day)" : "\(day) \(month)"
    return "\(weekday) \(date)" + (year == today.year ? "" : " \(year)")
  }

  /// `today`, `tomorrow` or `yesterday`; nil for another day.
  public func named(besides today: CivilDay) -> String? {
    switch daysSinceEpoch - today.daysSinceEpoch {
    case 0: "today"
    case 1: "tomorrow"
    case -1: "yesterday"
    default: nil
    }
  }
}

extension CivilTime {
  /// The time as people say it: `today`, `tomorrow 09:00`, `Fri 4 Dec`, `Mon 4 Jan 2027 14:00`.
  ///
  /// - Parameters:
  ///   - now: The minute at which it is read.
  ///   - isWhole: Whether the day is dated also where it has a name: `tomorrow, Sat 28 Nov 09:00`.
  ///   - rules: The order of day and month.
  /// - Returns: The text.
  public func said(
    at now: CivilMinute,
    isWhole: Bool = false,
    _ rules: DateRules = .current
  ) -> String {
    let name = day.named(besides: now.day)
    let date = day.dated(besides: now.day, rules)
    let said = name.map { isWhole ? "\($0), \(date)" : $0 } ?? date
    guard case .minute(let minute) = self else { return said }
    return "\(said) \(minute.clockText)"
  }

  /// Whether it is over at a minute: a day at its end, a minute as soon as it begins.
  public func isOver(at now: CivilMinute) -> Bool {
    switch self {
    case .day(let day): day < now.day
    case .minute(let minute): minute < now
    }
  }
}

extension CivilMinute {
  /// The time of the day, such as `09:30`.
  public var clockText: String {
    String(asciiCapacity: 5) { writer in
      writer.write(hour, digits: 2)
      writer.write(":")
      writer.write(minute, digits: 2)
    }
  }
}

extension Turn {
  /// The reader's clock for what this turn says.
  public var clock: ReaderClock { ReaderClock(time, in: zone) }
}

extension AsyncTurn {
  /// The reader's clock for what is said of this turn's event.
  public var clock: ReaderClock { ReaderClock(envelope.time, in: zone) }
}
