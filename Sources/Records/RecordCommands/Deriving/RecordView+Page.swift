import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText

// A record as a person sees it: a line in a list, and all of its fields.

/// The fields that lines show after the title, and the values of a new record, of which they say nothing.
struct LineFields<R: CommandRecord> {
  let fields = R.columns(R.commands.columns?())
  fileprivate let new = R()
}

extension RecordView where R: CommandRecord {
  /// Writes the line of a list.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - numberWidth: The columns of the longest number, with its mark.
  ///   - fields: The fields after the title.
  func showLine(on page: inout Page, numberWidth: Int, _ fields: LineFields<R>) {
    let number = "#\(self.number)"
    let clock = page.clock
    page.write(String(repeating: " ", count: max(0, numberWidth - number.count)))
    page.write(number + " ", .secondary)
    page.write(user: value.plainTitle, isDeleted ? .secondary : nil) {
      var rest = Page(clock: clock)
      show(fields, on: &rest)
      return max(numberWidth, number.count) + 1 + DisplayWidth.of(rest.text)
    }
    show(fields, on: &page)
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
    let width = fields.map { "\($0.name)".inWords.count }.max() ?? 0
    for field in fields {
      guard let text = text(of: field, json(of: field), page.clock) else { continue }
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
  ///
  /// - Parameters:
  ///   - verb: What a person is told before the number.
  ///   - change: The change.
  ///   - saysFields: Whether the changed fields follow, instead of the title.
  ///   - page: The page.
  func confirm(
    _ verb: String,
    _ change: RecordTransition<R>,
    saysFields: Bool,
    on page: inout Page
  ) {
    page.write(change.isChange ? verb : "Unchanged")
    page.write(" ")
    page.write("#\(number)", .secondary)
    let fields = saysFields && change.isChange ? (try? change.fields) ?? [] : []
    if fields.isEmpty {
      page.write(" ")
      page.write(user: value.plainTitle)
      if change.before == nil { show(LineFields(), on: &page) }
    } else {
      page.write(": ")
      page.write(fields)
    }
    page.endLine()
  }

  private var isDeleted: Bool { R.commands.isDeleted(value) }

  /// Writes the fields of a line that differ from those of a new record.
  private func show(_ line: LineFields<R>, on page: inout Page) {
    if let draw = R.commands.draw { return draw(self, &page) }
    for field in line.fields where !isSame(field, as: line.new) {
      let json = json(of: field)
      guard let text = text(of: field, json, page.clock) else { continue }
      page.write("  ")
      let name = "\(field.name)".inWords
      if field.traits.contains(.set) {
        var names: [String] = []
        for name in value.names(of: field) { names.append("+" + name) }
        page.write(user: names.joined(by: " "), .label)
      } else if json == .bool(true) {
        page.write(name, .label)
      } else {
        page.write("\(name) ", .secondary)
        page.write(user: text, field.isTime ? .notable : nil)
      }
    }
    if isDeleted { page.write("  (deleted)", .secondary) }
  }

  private func isSame(_ field: Field, as other: R) -> Bool {
    value.withFields { value in
      other.withFields { field.type._areIdentical(value + field.offset, $0 + field.offset) }
    }
  }

  /// The value of a field; null if it can't be written.
  private func json(of field: Field) -> JSON {
    // A text is not written as JSON and read again, which a list would do for each of its lines.
    if field.type == String.self { return .string(value.title(field)) }
    return value.withFields { (try? field.json($0)) ?? .null }
  }

  /// The value of a field in the form for people; nil if there is none.
  private func text(of field: Field, _ json: JSON, _ clock: ReaderClock?) -> String? {
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
