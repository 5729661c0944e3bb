public import EventMVVM

extension ZoneRule {
  /// Creates a zone that is always the same number of seconds ahead of UTC.
  ///
  /// The offset is clamped to less than a day either way. The name is `+02:00`, or `+02:00:30` if
  /// the offset has seconds.
  public static func fixed(seconds: Int) -> ZoneRule {
    let offset = min(max(seconds, -86_399), 86_399)
    return ZoneRule(name: offsetText(offset)) { _ in offset }
  }

  /// Returns the local minute at an instant; its seconds are dropped.
  public func civil(at instant: Instant) -> CivilMinute {
    let seconds = Self.seconds(of: instant)
    let local = Self.seconds(of: Instant(milliseconds: (seconds + offset(at: seconds)) * 1000))
    let (days, second) = local.quotientAndRemainder(flooringBy: 86_400)
    return CivilMinute(day: CivilDay(daysSinceEpoch: Int(days)), minuteOfDay: Int(second / 60))
  }

  /// Returns the local day at an instant.
  public func day(at instant: Instant) -> CivilDay {
    civil(at: instant).day
  }

  /// Returns the instant at which a local minute begins.
  ///
  /// A minute that a change of the clocks leaves out moves forward by what was left out: 02:30
  /// becomes 03:30 when 02:00 is followed by 03:00. Of a minute that comes twice the first is
  /// taken. (The rule of Java's `ZonedDateTime.ofLocal` and Temporal's "compatible".) Two changes
  /// within two days of each other are not distinguished; no zone has them.
  public func instant(of minute: CivilMinute) -> Instant {
    let local = minute.secondsSinceEpoch
    let before = offset(at: local - 86_400)
    let after = offset(at: local + 86_400)
    let isLater =
      before != after
      && offset(at: local - before) != before && offset(at: local - after) == after
    return Instant(milliseconds: (local - (isLater ? after : before)) * 1000)
  }

  /// Returns the seconds local time is ahead of UTC at a second since 1970-01-01T00:00:00Z.
  private func offset(at second: Int64) -> Int64 {
    Int64(offsetSeconds(at: Instant(milliseconds: second * 1000)))
  }

  private static func offsetText(_ offset: Int) -> String {
    String(asciiCapacity: 9) { writer in
      writer.write(offset < 0 ? "-" : "+")
      writer.write(abs(offset) / 3600, digits: 2)
      writer.write(":")
      writer.write(abs(offset) / 60 % 60, digits: 2)
      guard offset % 60 != 0 else { return }
      writer.write(":")
      writer.write(abs(offset) % 60, digits: 2)
    }
  }
}
