public import EventCommands
import EventMVVM
public import EventRecords
package import EventValues
package import JSONText

extension FieldChange {
  /// Returns the change in the form for people: the name in words, and times as they say them.
  package func readable(at clock: ReaderClock) -> FieldChange {
    FieldChange(
      words,
      from: readable(before, at: clock),
      to: readable(after, at: clock),
      isPlace: isPlace
    )
  }

  /// Whether both values are the same to a person: not the day for which a recurrence is.
  package var saysNothing: Bool { before == after }

  /// Returns one of its values in the form for people.
  package func readable(_ value: JSON, at clock: ReaderClock) -> JSON {
    if case .object = value, let recurrence = try? Recurrence(json: value) {
      return .string(recurrence.words)
    }
    guard isTime, case .string(let text) = value else { return value }
    if let instant = Instant(iso8601: text) { return .string(clock.said(instant)) }
    return .string(CivilTime(text)?.said(at: clock.now) ?? text)
  }

  /// The name in words: `completed` of `completedAt`, as the value shows that it is a time.
  private var words: String {
    let words = name.inWords
    return isTime && words.hasSuffix(" at") ? String(words.dropLast(3)) : words
  }
}

extension Page {
  /// Writes changes of fields in a line, such as `due none → Fri 4 Dec, tags home → home, work`; of a text of
  /// several lines, and of a place in the manual order, only that it has changed.
  public mutating func write(_ changes: [FieldChange]) {
    let clock = clock
    let shown = changes.map { change in clock.map { change.readable(at: $0) } ?? change }
      .filter { !$0.saysNothing }
    for (index, change) in shown.enumerated() {
      if index > 0 { write(", ") }
      write(change.name)
      if change.isPlace || change.before.isLong || change.after.isLong {
        write(" changed")
        continue
      }
      write(" ")
      write(user: change.before.shortText, .secondary)
      write(" → ")
      write(user: change.after.shortText)
    }
  }
}

extension JSON {
  fileprivate var isLong: Bool {
    if case .string(let text) = self { text.utf8.contains(UInt8(ascii: "\n")) } else { false }
  }

  /// The value in a line beside others.
  fileprivate var shortText: String {
    if case .string("") = self { return "none" }
    return plainText.quotable
  }
}
