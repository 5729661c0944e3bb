public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
public import JSONText

/// Records that a command has changed or shown: one object in JSON, or an array where several were meant.
public struct RecordGroup<R: Record>: Sendable {
  /// The records, in the order in which they were named; removed ones as they were.
  public let records: [RecordView<R>]
  /// Whether several were meant.
  public let isList: Bool
  /// The changes; none of records that are only shown.
  private let transitions: [RecordTransition<R>]
  /// What a person is told besides; a program is told by the notification of changes.
  private let note: ReplyNote

  /// Creates the result of a change.
  public init(_ written: [RecordTransition<R>], isList: Bool, _ turn: borrowing Turn) {
    var records: [RecordView<R>] = []
    for transition in written {
      if let record = transition.shown { records.append(RecordView(record, turn)) }
    }
    (self.records, self.isList, transitions) = (records, isList, written)
    note = ReplyNotes.of(turn.stream).take(turn.cause)
  }

  /// Creates the result of a change of records whose shown values don't depend on the time.
  public init(_ written: [RecordTransition<R>], isList: Bool) {
    var records: [RecordView<R>] = []
    for transition in written {
      if let record = transition.shown { records.append(RecordView(record)) }
    }
    (self.records, self.isList, transitions, note) = (records, isList, written, ReplyNote())
  }

  /// Creates the result of a command that has changed records in a transaction, as they are after it.
  public init(_ records: [Kept<R>], isList: Bool = false, _ store: borrowing RecordTransaction) {
    var views: [RecordView<R>] = []
    var written: [RecordTransition<R>] = []
    for record in records {
      views.append(RecordView(record, store))
      written.append(store.transition(to: record))
    }
    (self.records, self.isList, transitions) = (views, isList, written)
    note = store.note
  }

  /// Whether each of the records was changed; false if it had the requested values already.
  public var changes: [Bool] { transitions.map(\.isChange) }

  /// Whether both have the same records, changed or not, whatever was there before.
  public static func == (first: Self, second: Self) -> Bool {
    first.isList == second.isList && first.changes == second.changes
      && first.records.map(\.record) == second.records.map(\.record)
  }
}

// Not at the type, whose every use would search for the conformance.
extension RecordGroup: Equatable, CommandResult where R: CommandRecord {
  /// The name of its response: `ResponseNote`.
  public static var responseName: String? { R.commands.name("Response\(R.typeName)") }
  /// The records, at most three.
  public var subject: String? {
    RecordSubject.numbers(records.count) { records[$0].number }
  }

  /// Writes all fields of each record.
  public func show(on page: inout Page) {
    for record in records { record.showWhole(on: &page) }
  }

  /// Writes a confirmation, a line each: `Added #4 Sweep  due Fri 4 Dec`, `Changed #4: due none → Fri 4 Dec`,
  /// `Completed #4 Sweep`.
  ///
  /// - Parameters:
  ///   - verb: Returns what a person is told of a record, before its number.
  ///   - saysFields: Whether the changed fields follow, instead of the title.
  ///   - page: The page.
  public func confirm(
    _ verb: (R) -> String,
    saysFields: Bool = false,
    on page: inout Page
  ) {
    page.confirm { page in
      var index = 0
      for transition in transitions where transition.isThere {
        let verb = verb(records[index].value)
        records[index].confirm(verb, transition, saysFields: saysFields, on: &page)
        index += 1
      }
      if !note.along.isEmpty {
        page.write("  with " + note.along.joined(separator: ", "), .secondary)
        page.endLine()
      }
      for line in note.lines {
        page.write("  ")
        page.write(user: line, .secondary, wrappedAt: 2)
        page.endLine()
      }
    }
  }

  /// Writes one record, or an array.
  public func write(to json: inout JSONWriter) {
    guard isList || records.count != 1 else { return records[0].writeItem(to: &json) }
    json.array { json in
      for record in records { record.writeItem(to: &json) }
    }
  }
}

extension RecordGroup: Decodable where R: CommandRecord {
  /// Reads one record, or an array; what was there before is not known.
  public init(from decoder: any Decoder) throws {
    (records, isList) = try RecordView<R>.several(decoder)
    (transitions, note) = ([], ReplyNote())
  }
}

extension RecordView {
  /// Reads one, or an array.
  fileprivate static func several(_ decoder: any Decoder) throws -> ([Self], isList: Bool) {
    if let all = try? [Self](from: decoder) { return (all, true) }
    return ([try Self(from: decoder)], false)
  }
}

extension RecordTransition {
  /// Whether the record existed before the change, or does after it.
  fileprivate var isThere: Bool {
    if case (nil, nil) = (before, after) { false } else { true }
  }

  /// The record after the change, or before a removal.
  fileprivate var shown: Kept<R>? {
    (after ?? before).map { Kept(number, $0, revision: revision) }
  }
}

/// A list of records, a line each; an array in JSON.
public struct ListedRecords<R: CommandRecord>: RecordResult {
  /// The kind of its records.
  public typealias Kind = R
  /// The name of its response: `ResponseNoteList`.
  public static var responseName: String? { R.commands.name("Response\(R.typeName)List") }
  /// The records, in order.
  public var records: [RecordView<R>]
  /// Whether several were meant, as for any list.
  public let isList: Bool
  /// The names of the fields that are shown, where it was asked for some; empty for those of the declaration.
  var fields: [String] = []
  /// The name of the field by which they are divided; nil for none.
  var group: String?
  /// Where no record was found for a name in a set: the names that there are.
  var names: [String] = []
  /// Whether it leaves out what the declaration hides.
  var isHiding = false
  /// How the list was read, in lines, where that is shown instead.
  private(set) var explanation: [String] = []

  /// Creates a list.
  public init(records: [RecordView<R>], isList: Bool) {
    (self.records, self.isList) = (records, isList)
  }

  /// Creates an explanation.
  init(explaining lines: [String]) {
    (records, isList, explanation) = ([], true, lines)
  }

  /// Writes a line for each record.
  public func show(on page: inout Page) { show(on: &page, asked: []) }

  func showExplanation(on page: inout Page) {
    for line in explanation {
      page.write(user: line)
      page.endLine()
    }
  }

  /// Writes each record, or how the list was read.
  public func writeItems(to json: inout JSONWriter) {
    if !explanation.isEmpty {
      json.object { json in
        json.key("explanation")
        json.array { json in for line in explanation { json.value(line) } }
      }
    }
    let fields = R.fields(named: fields)
    for record in records { record.writeItem(only: fields, to: &json) }
  }

  /// Writes one record, or an array.
  public func write(to json: inout JSONWriter) {
    guard isList || records.count != 1 else { return records[0].writeItem(to: &json) }
    json.array { writeItems(to: &$0) }
  }

  /// Writes a line for each record of what was asked for by these conditions, under headings if they are sorted by a
  /// field for that.
  func show(on page: inout Page, asked: [String]) {
    var greatest = 0
    for index in records.indices { greatest = max(greatest, records[index].number) }
    let width = "#\(greatest)".utf8.count
    let fields = LineFields<R>(only: fields)
    let needs = LineNeeds(asked: asked)
    func line(_ index: Int, _ page: inout Page) {
      records[index].showLine(on: &page, numberWidth: width, fields, needs)
    }
    if let field = group.flatMap({ R.fields(named: [$0]).first }) {
      return show(by: field, on: &page, line)
    }
    for index in records.indices { line(index, &page) }
  }
}

extension ListedRecords: Decodable {
  /// Reads one record, or an array.
  public init(from decoder: any Decoder) throws {
    if let explained = try? [[String: [String]]](from: decoder), let one = explained.first,
      let lines = one["explanation"]
    {
      self.init(explaining: lines)
      return
    }
    let (records, isList) = try RecordView<R>.several(decoder)
    self.init(records: records, isList: isList)
  }
}

/// A derived command that changes records.
protocol DerivedChange: RecordChanging
where Kind: CommandRecord, Reply == ResponseView<RecordGroup<Kind>> {
  /// Returns what a person is told of a record, before its number and its title.
  static func confirmation(of record: Kind) -> String
  /// Whether a person is told the changed fields, instead of the title.
  static var saysFields: Bool { get }
}

extension DerivedChange {
  static var saysFields: Bool { false }

  /// A failure as the declaration words it.
  public static func worded(_ failure: Failure) -> Failure { Kind.commands.worded(failure) }

  /// Writes a confirmation for a person.
  public func show(_ value: RecordGroup<Kind>, on page: inout Page) {
    if value.records.isEmpty, let terms = (self as? any DerivedEdit)?.terms, !terms.isEmpty {
      page.write("No \(Kind.kind) matches ")
      page.write(user: terms.joinedAsFilter)
      page.write(".")
      return page.endLine()
    }
    value.confirm(Self.confirmation(of:), saysFields: Self.saysFields, on: &page)
  }

  /// Returns the records after the change, or before a removal.
  public func result(
    _ written: [RecordTransition<Kind>],
    _ turn: borrowing Turn
  ) -> RecordGroup<Kind> {
    RecordGroup(written, isList: isList, turn)
  }
}

/// A derived command that changes records that there are.
protocol DerivedEdit: RecordEdit, DerivedChange, DerivedRequest {
  /// The records.
  var id: Target<Kind> { get set }
}

extension DerivedEdit {
  /// The words of a filter that finds the records.
  fileprivate var terms: [String] { id.terms }

  /// The property with the records.
  static var target: PropertyAccess<Self, Target<Kind>> {
    PropertyAccess("id", \.id) { request, body throws(ValueError) in try body(&request.id) }
  }
}
