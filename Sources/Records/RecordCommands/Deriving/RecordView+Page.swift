public import EventCommands
import EventMVVM
public import EventRecords
import EventValues
import JSONText

// A record as a person sees it: a line in a list, and all of its fields.

/// How lines are drawn: what the declaration says of it, which is looked up once for all lines.
struct LineFields<R: CommandRecord> {
  fileprivate let title = R.titleField
  /// The fields after the title, with what they mean; none where the domain draws them.
  fileprivate let fields: [DrawnField<R>]
  /// What plugins draw before the fields.
  fileprivate let added: (@Sendable (RecordView<R>, LineNeeds, inout Page) -> Void)?
  /// The values of a new record.
  fileprivate let new = R()
  /// Whether lines say nothing of these; not where what is shown was asked for.
  fileprivate let leavesOutNew: Bool
  fileprivate let mark: (@Sendable (R) -> Bool)?
  fileprivate let hasBox: Bool
  fileprivate let draw: (@Sendable (RecordView<R>, LineNeeds, inout Page) -> Void)?

  /// Looks up what the declaration says.
  ///
  /// - Parameter names: The fields after the title; empty for those of the declaration.
  init(only names: [String] = []) {
    self.init(names, R.commands)
  }

  /// Looks up how the head of a record is drawn, without the fields.
  static var head: Self { Self(nil, R.commands) }

  private init(_ names: [String]?, _ commands: RecordCommands<R>) {
    (mark, hasBox) = (commands.mark, commands.hasBox)
    guard let names else {
      (leavesOutNew, draw, added, fields) = (true, nil, nil, [])
      return
    }
    guard names.isEmpty else {
      (leavesOutNew, draw, added) = (false, nil, nil)
      let title = title?.offset
      fields = DrawnField.all(R.fields(named: names).filter { $0.offset != title })
      return
    }
    (leavesOutNew, draw, added) = (true, commands.draw, commands.column)
    fields = draw == nil ? DrawnField.all(R.columns(commands.columns?())) : []
  }

  fileprivate func title(of record: R) -> String { title.map { record.title($0) } ?? record.title }

  fileprivate func isDeleted(_ record: R) -> Bool { record.isMarkedDeleted }

  /// Whether it is drawn faint: what is deleted or marked is over.
  fileprivate func isFaint(_ record: R) -> Bool { isDeleted(record) || mark?(record) ?? false }
}

/// A field after the title, and how it is drawn.
private struct DrawnField<R: CommandRecord>: Sendable {
  let field: Field
  let form: Form
  // Not of the field, which would be copied for each line.
  let name: String
  let offset: Int
  let type: any FieldValue.Type

  enum Form: Sendable {
    case due(RoleField<R, CivilTime>)
    case project(RoleField<R, String>)
    case labels(RoleField<R, [String]>)
    case priority(RoleField<R, any RankedValue>)
    case names, other, recurrence
  }

  init(_ field: Field, _ form: Form) {
    (self.field, self.form) = (field, form)
    (name, offset, type) = (field.nameOnPage, field.offset, field.type)
  }

  /// Draws fields by what they mean.
  static func all(_ fields: [Field]) -> [Self] {
    let (due, project) = (R.field(with: .due), R.field(with: .project))
    let (labels, priority) = (R.field(with: .labels), R.field(with: .priority))
    let recurrence = R.field(with: .recurrence)
    var all: [Self] = []
    for field in fields {
      let form: Form
      if let due, field.offset == due.field.offset {
        form = .due(due)
      } else if let project, field.offset == project.field.offset {
        form = .project(project)
      } else if let labels, field.offset == labels.field.offset {
        form = .labels(labels)
      } else if let priority, field.offset == priority.field.offset {
        form = .priority(priority)
      } else if let recurrence, field.offset == recurrence.field.offset {
        form = .recurrence
      } else {
        form = field.traits.contains(.set) ? .names : .other
      }
      all.append(Self(field, form))
    }
    return all
  }

  /// Whether both records have the same value in it.
  func isSame(_ record: R, _ other: R) -> Bool {
    record.withFields { record in
      other.withFields { type._areIdentical(record + offset, $0 + offset) }
    }
  }
}

/// What a line has to show besides the title of a record.
public struct LineNeeds: Sendable {
  /// Whether the record was just written: then a date is written whole.
  public var isConfirmed = false
  /// Whether there is room for all of it; else a mark stands for what can be long.
  public var hasRoom = true
  /// The conditions of the declaration, by their names, that its list was asked for.
  public let asked: [String]

  /// Creates the needs of a line.
  init(isConfirmed: Bool = false, asked: [String] = []) {
    self.isConfirmed = isConfirmed
    self.asked = asked
  }
}

extension RecordView where R: CommandRecord {
  /// Writes the line of a record: `#4 Sweep  due Fri 4 Dec`.
  public func show(on page: inout Page) {
    showLine(on: &page, numberWidth: 0, LineFields(), LineNeeds())
  }

  /// Writes the line of a list.
  ///
  /// Where there is too little room, long values give way first, then the line, and then the title.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - numberWidth: The columns of the longest number, with its mark.
  ///   - fields: The fields after the title.
  ///   - needs: What else the line has to show.
  func showLine(
    on page: inout Page,
    numberWidth: Int,
    _ fields: LineFields<R>,
    _ needs: LineNeeds
  ) {
    // Copied once: a record can be large.
    let value = value
    let head = showHead(value, on: &page, numberWidth: numberWidth, fields)
    let title = fields.title(of: value)
    var needs = needs
    // Without a width the columns are not counted.
    var (others, isOnOneLine) = (head, true)
    if let width = page.width {
      let room = width - min(Self.fewestColumns, DisplayWidth.of(title))
      let all = head + columns(fields, needs, page)
      others = all
      if all > room {
        needs.hasRoom = false
        others = head + columns(fields, needs, page)
        isOnOneLine = others <= room
        needs.hasRoom = !isOnOneLine && all <= width
      }
    }
    page.write(user: title, fields.isFaint(value) ? .secondary : nil) {
      isOnOneLine ? others : head
    }
    if !isOnOneLine { continueLine(after: head, on: &page) }
    show(fields, needs, on: &page)
    page.endLine()
  }

  /// The columns of a title that a list shows in any case.
  private static var fewestColumns: Int { 30 }

  /// The columns of the fields of a line.
  private func columns(_ fields: LineFields<R>, _ needs: LineNeeds, _ page: Page) -> Int {
    var rest = Page(clock: page.clock)
    show(fields, needs, on: &rest)
    return DisplayWidth.of(rest.text)
  }

  private func continueLine(after head: Int, on page: inout Page) {
    page.endLine()
    page.write(String(repeating: " ", count: max(0, head - 2)))
  }

  /// Writes the number and the mark, and returns their columns.
  private func showHead(
    _ value: R,
    on page: inout Page,
    numberWidth: Int,
    _ fields: LineFields<R>
  ) -> Int {
    let text = number == 0 ? "new" : "#\(number)"
    page.write(String(repeating: " ", count: max(0, numberWidth - text.count)))
    page.write(text + " ", .secondary)
    let head = max(numberWidth, text.count) + 1
    guard fields.hasBox, let mark = fields.mark else { return head }
    let isMarked = mark(value)
    page.write(isMarked ? "[x] " : "[ ] ", isMarked ? .positive : nil)
    return head + 4
  }

  /// Writes all fields: the title after the number, and a line for each other one that has a value.
  public func showWhole(on page: inout Page) {
    let line = LineFields<R>.head
    let head = showHead(value, on: &page, numberWidth: 0, line)
    let style: Page.Style? = line.isFaint(value) ? .secondary : nil
    page.write(user: line.title(of: value), style, wrappedAt: head)
    if line.isDeleted(value) { page.write("  (deleted)", .secondary) }
    page.endLine()
    let title = line.title?.offset
    // What people give comes first.
    let fields =
      R._table.fields.filter { $0.hasSummary && $0.offset != title }
      + R._table.fields.filter { !$0.hasSummary && $0.type != UniqueID.self }
      + R._table.fields.filter { !$0.hasSummary && $0.type == UniqueID.self }
    var shown: [(name: String, text: String)] = []
    for field in fields where !field.traits.contains(.hidden) {
      let json = json(of: field)
      // A mark that the domain sets says something where it is set.
      guard field.hasSummary || json != .bool(false) else { continue }
      guard let text = text(of: field, json, page.clock) else { continue }
      shown.append((field.nameOnPage, text))
    }
    let width = shown.map(\.name.count).max() ?? 0
    for (name, text) in shown {
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
    let saysFields = saysFields && change.isChange && change.before != nil
    let fields = saysFields ? (try? change.fields) ?? [] : []
    if fields.isEmpty {
      page.write(" ")
      page.write(user: value.plainTitle)
      if change.before == nil { show(LineFields(), LineNeeds(isConfirmed: true), on: &page) }
    } else {
      page.write(": ")
      page.write(fields)
    }
    page.endLine()
  }

  /// Writes the fields of a line that differ from those of a new record.
  private func show(_ line: LineFields<R>, _ needs: LineNeeds, on page: inout Page) {
    line.added?(self, needs, &page)
    if let draw = line.draw {
      draw(self, needs, &page)
    } else {
      showFields(line, needs, on: &page)
    }
    if line.isDeleted(value) { page.write("  (deleted)", .secondary) }
  }

  private func showFields(_ line: LineFields<R>, _ needs: LineNeeds, on page: inout Page) {
    // Copied once: a record can be large.
    let value = value
    var (givesWay, names) = (false, false)
    // By number: generic code would look up the conformances of the indices.
    for index in 0..<line.fields.count {
      if line.leavesOutNew, line.fields[index].isSame(value, line.new) { continue }
      let name = line.fields[index].name
      switch line.fields[index].form {
      case .due(let role):
        guard let due = role.value(of: value) else { continue }
        let isOpen = !line.isFaint(value)
        page.write("  ")
        page.write(due: due, named: name, isOpen: isOpen, isWhole: needs.isConfirmed)
      case .labels where !needs.hasRoom, .names where !needs.hasRoom, .project where !needs.hasRoom:
        names = true
      case .labels(let role): show(labels: role.value(of: value) ?? [], on: &page)
      case .names: show(labels: value.names(of: line.fields[index].field), on: &page)
      case .project(let role):
        guard let project = role.value(of: value), !project.isEmpty else { continue }
        page.write("  \(name): ")
        page.write(user: project)
      case .priority(let role)
      where line.leavesOutNew && role.rank(of: value) ?? 0 > role.rank(of: line.new) ?? 0:
        page.write("  ")
        page.write(user: "!" + json(of: line.fields[index].field).plainText, .urgent)
      case .recurrence where line.leavesOutNew:
        if !line.isFaint(value) { page.write("  ↻", .label) }
      case .other where !needs.hasRoom && line.fields[index].field.isText: givesWay = true
      case .priority, .recurrence, .other:
        let field = line.fields[index].field
        let json = json(of: field)
        guard let text = text(of: field, json, page.clock) else { continue }
        page.write("  ")
        if json == .bool(true) {
          page.write(name, .label)
        } else {
          page.write("\(name) ", .secondary)
          page.write(user: text, field.isTime ? .notable : nil)
        }
      }
    }
    if names { page.write("  +…", .label) } else if givesWay { page.write("  …", .secondary) }
  }

  private func show(labels: [String], on page: inout Page) {
    var blank = "  "
    for label in labels {
      page.write(blank)
      page.write(user: "+" + label, .label)
      blank = " "
    }
  }

  /// The value of a field as it is asked for: `project:Acme`, `due:today`, `priority:none`.
  func heading(of field: Field, _ clock: ReaderClock?) -> String {
    var json = json(of: field)
    if field.isTime, case .string(let text) = json {
      // What is at several times of a day is in one group.
      let instant = field.type == CivilTime?.self ? nil : Instant(iso8601: text)
      let day = instant.flatMap { instant in clock.map { $0.zone.day(at: instant).text } }
      json = .string(day ?? String(text.prefix(10)))
    }
    let value = text(of: field, json, clock)
    guard field.isReference, let value, value.utf8.first == UInt8(ascii: "#"),
      let blank = value.utf8.firstIndex(of: UInt8(ascii: " "))
    else { return "\(field.askedName):\(value?.asTyped ?? "none")" }
    // The number is what it is asked for by.
    let number = value[value.utf8.index(after: value.startIndex)..<blank]
    return "\(field.askedName):\(number) \(value[blank...])"
  }

  /// The value of a field; null if it can't be written.
  private func json(of field: Field) -> JSON {
    // A text is not written as JSON and read again, which a list would do for each of its lines.
    if field.type == String.self { return .string(value.title(field)) }
    if field.isReference { return value.referred(by: field).map { .string($0) } ?? .null }
    return value.withFields { (try? field.json($0)) ?? .null }
  }

  /// The value of a field in the form for people; nil if there is none.
  private func text(of field: Field, _ json: JSON, _ clock: ReaderClock?) -> String? {
    switch json {
    case .null, .string(""), .array([]): return nil
    case .string(let text) where field.type == UniqueID.self && text == UniqueID.none.text:
      return nil
    default: break
    }
    guard field.isTime || !field.type._parts.isEmpty, let clock else { return json.plainText }
    return FieldChange("\(field.name)", from: .null, to: json, isTime: true)
      .readable(json, at: clock).plainText
  }
}

extension Record {
  /// The title, which a record without a field for it computes.
  var plainTitle: String { Self.titleField.map { title($0) } ?? title }
}
