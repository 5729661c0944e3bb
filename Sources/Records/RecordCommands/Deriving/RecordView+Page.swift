import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText

// A record as a person sees it: a line in a list, and all of its fields.

extension RecordView where R: CommandRecord {
  /// Writes the line of a list.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - numberWidth: The columns of the longest number, with its mark.
  ///   - columns: The fields after the title.
  func showLine(on page: inout Page, numberWidth: Int, _ columns: [Field]) {
    let number = "#\(self.number)"
    page.write(String(repeating: " ", count: max(0, numberWidth - number.count)))
    page.write(number + " ", .secondary)
    var rest = Page(clock: page.clock)
    showFields(columns, on: &rest)
    page.write(user: value.plainTitle, isDeleted ? .secondary : nil) {
      max(numberWidth, number.count) + 1 + DisplayWidth.of(rest.text)
    }
    showFields(columns, on: &page)
    page.endLine()
  }

  /// Writes all fields: the title after the number, and a line for each other one that has a value.
  func showWhole(on page: inout Page) {
    let number = "#\(self.number) "
    page.write(number, .secondary)
    page.write(user: value.plainTitle, wrappedAt: number.count)
    page.endLine()
    let title = R.titleField?.offset
    let fields = R._table.fields.filter { $0.offset != title && !$0.traits.contains(.hidden) }
    let texts = fields.map { ($0, text(of: $0, page.clock)) }
    let width = fields.map { "\($0.name)".inWords.count }.max() ?? 0
    for case (let field, let text?) in texts {
      let name = "\(field.name)".inWords
      page.write("  \(name)", .secondary)
      if text.utf8.contains(UInt8(ascii: "\n")) {
        page.endLine()
        page.write(userLines: text, indent: "    ")
      } else {
        page.write(String(repeating: " ", count: width - name.count + 2))
        page.write(user: text, wrappedAt: width + 4)
        page.endLine()
      }
    }
  }

  /// Writes a confirmation of a change.
  func confirm(_ verb: String, _ change: RecordTransition<R>, on page: inout Page) {
    let changes = (try? change.fields) ?? []
    page.write(change.isChange ? verb : "Unchanged")
    page.write(" ")
    page.write("#\(number)", .secondary)
    if change.isChange, change.before != nil, change.after != nil, verb == "Changed" {
      page.write(": ")
      page.write(changes)
    } else {
      page.write(" ")
      page.write(user: value.plainTitle)
      if change.before == nil { showFields(R.columns(R.commands.columns?()), on: &page) }
    }
    page.endLine()
  }

  private var isDeleted: Bool { R.commands.isDeleted(value) }

  private func showFields(_ fields: [Field], on page: inout Page) {
    if let draw = R.commands.draw { return draw(self, &page) }
    for field in fields {
      guard let text = text(of: field, page.clock), !isInitial(field) else { continue }
      page.write("  ")
      let name = "\(field.name)".inWords
      switch value(of: field) {
      case .bool: page.write(name, .label)
      case .array where field.traits.contains(.set):
        page.write(user: value.names(of: field).map { "+" + $0 }.joined(separator: " "), .label)
      default:
        page.write("\(name) ", .secondary)
        page.write(user: text, field.isTime ? .notable : nil)
      }
    }
    if isDeleted { page.write("  (deleted)", .secondary) }
  }

  /// Whether a field has the value of a new record, of which a line says nothing.
  private func isInitial(_ field: Field) -> Bool {
    value.withFields { value in
      R().withFields { field.type._areIdentical(value + field.offset, $0 + field.offset) }
    }
  }

  /// The value of a field; null if it can't be written.
  private func value(of field: Field) -> JSON {
    value.withFields { (try? field.json($0)) ?? .null }
  }

  /// The value of a field in the form for people; nil if there is none.
  private func text(of field: Field, _ clock: ReaderClock?) -> String? {
    let json = value(of: field)
    switch json {
    case .null, .string(""), .array([]): return nil
    default: break
    }
    guard field.isTime, let clock else { return json.plainText }
    return FieldChange("\(field.name)", from: .null, to: json, isTime: true)
      .readable(json, at: clock).plainText
  }
}

extension Record {
  /// The title, which a record without a field for it computes.
  var plainTitle: String { Self.titleField.map { title($0) } ?? title }
}
