import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText
import RecordCommands

extension Page {
  /// Writes the change of a thing: a line, and beneath it a line for each field that changed.
  mutating func write(_ change: SubjectChange, indent: String) {
    write(indent)
    switch change.kind {
    case .added: write("+ ", .green)
    case .changed: write("~ ", .yellow)
    case .removed: write("- ", .red)
    }
    write("#\(change.id) ", .dim)
    write(user: change.title)
    endLine()
    // An added thing can be listed; only its name is written.
    guard change.kind == .changed else { return }
    for field in change.fields { write(field, indent: indent + "    ") }
  }

  /// Writes a field's two values, or the lines in which two texts differ.
  mutating func write(_ field: FieldChange, indent: String) {
    write(indent)
    write("\(field.name):", .dim)
    guard !field.isPlace else {
      write(" moved")
      return endLine()
    }
    if case (.string(let before), .string(let after)) = (field.before, field.after),
      before.utf8.contains(.newline) || after.utf8.contains(.newline)
    {
      endLine()
      return write(LineDifference(before, after), indent: indent + "  ")
    }
    write(" ")
    write(user: field.before.shownText)
    write(" → ")
    write(user: field.after.shownText)
    endLine()
  }

  private mutating func write(_ difference: LineDifference, indent: String) {
    for line in difference.removed {
      write(indent)
      write(user: "- " + line, .red)
      endLine()
    }
    for line in difference.added {
      write(indent)
      write(user: "+ " + line, .green)
      endLine()
    }
  }
}

extension SubjectChange {
  /// Returns the change in the form for people.
  func readable(at clock: ReaderClock) -> SubjectChange {
    SubjectChange(
      id: id,
      title: title,
      kind: kind,
      fields: fields.map { $0.readable(at: clock) }.filter { !$0.saysNothing }
    )
  }
}

extension JournalConflict {
  /// Returns the conflict in the form for people.
  func readable(at clock: ReaderClock) -> JournalConflict {
    JournalConflict(
      id: id,
      title: title,
      kind: kind,
      field: field.readable(at: clock),
      current: field.readable(current, at: clock),
      reason: reason
    )
  }
}

extension JSON {
  /// A field's value on a line of its own: an empty text is shown like none.
  fileprivate var shownText: String {
    if case .string("") = self { return "none" }
    return plainText
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
}

/// The lines that differ between the common beginning and the common end of two texts.
struct LineDifference {
  let removed: [String]
  let added: [String]

  init(_ before: String, _ after: String) {
    var old = Self.lines(before)
    var new = Self.lines(after)
    while let first = old.first, let other = new.first, first.elementsEqual(other) {
      old.removeFirst()
      new.removeFirst()
    }
    while let last = old.last, let other = new.last, last.elementsEqual(other) {
      old.removeLast()
      new.removeLast()
    }
    removed = old.map { String(Substring($0)) }
    added = new.map { String(Substring($0)) }
  }

  private static func lines(_ text: String) -> ArraySlice<Substring.UTF8View> {
    text.isEmpty
      ? [] : text.utf8.split(separator: .newline, omittingEmptySubsequences: false)[...]
  }
}

extension SubjectChange {
  /// Writes it as one JSON value.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("title", title)
      json.member("change", kind.rawValue)
      json.key("fields")
      json.object { json in
        for field in fields {
          json.key(JSONName(field.name))
          json.object {
            $0.member("before", field.before)
            $0.member("after", field.after)
          }
        }
      }
    }
  }
}
