public import EventMVVM
public import EventValues

extension Page {
  /// Writes a time as people say it, or as ISO 8601 where nobody's clock is known.
  public mutating func write(
    _ time: CivilTime,
    isWhole: Bool = false,
    _ style: Style? = nil
  ) {
    write(clock.map { time.said(at: $0.now, isWhole: isWhole) } ?? time.text, style)
  }

  /// Writes `due Fri 4 Dec`, marked if it is today, and `due Tue 24 Nov, 3 days overdue` in another colour.
  ///
  /// - Parameters:
  ///   - due: When something is due.
  ///   - name: The name of that.
  ///   - isOpen: Whether it is still to be done.
  ///   - isWhole: Whether the day is dated also where it has a name.
  public mutating func write(
    due: CivilTime,
    named name: String = "due",
    isOpen: Bool,
    isWhole: Bool = false
  ) {
    let isOver = isOpen && clock.map { due.isOver(at: $0.now) } ?? false
    let isToday = isOpen && due.day == clock?.now.day
    let style: Style = isOver ? .urgent : isToday ? .prominent : .notable
    var text = clock.map { due.said(at: $0.now, isWhole: isWhole) } ?? due.text
    if isOver, let today = clock?.now.day, due.day < today {
      let days = today.daysSinceEpoch - due.day.daysSinceEpoch
      text += days == 1 ? ", 1 day overdue" : ", \(days) days overdue"
    }
    write("\(name) \(text)", style)
  }

  /// Writes an instant as people say it, in their zone and to the minute, or as ISO 8601 where nobody's
  /// clock is known.
  public mutating func write(_ instant: Instant, isWhole: Bool = false, _ style: Style? = nil) {
    guard let clock else { return write(instant.iso8601, style) }
    write(CivilTime.minute(clock.zone.civil(at: instant)), isWhole: isWhole, style)
  }
}
