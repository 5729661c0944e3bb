public import EventCommands
import EventMVVM
public import EventRecords
public import JSONText

/// Records that a command has changed or shown: one object in JSON, or an array where several were meant.
public struct RecordGroup<R: CommandRecord>: CommandResult {
  /// The name of its response: `ResponseNote`.
  public static var responseName: String? { "Response\(R.typeName)" }
  /// The records, in the order in which they were named; removed ones as they were.
  public let records: [RecordView<R>]
  /// Whether several were meant.
  public let isList: Bool
  /// What has changed, where something was to be changed.
  let transitions: [RecordTransition<R>]

  init(_ records: [RecordView<R>], isList: Bool) {
    (self.records, self.isList, transitions) = (records, isList, [])
  }

  init(_ written: [RecordTransition<R>], isList: Bool, _ turn: borrowing Turn) {
    var records: [RecordView<R>] = []
    var transitions: [RecordTransition<R>] = []
    for transition in written {
      guard let value = transition.after ?? transition.before else { continue }
      let record = Kept(transition.number, value, revision: transition.revision)
      records.append(RecordView(record, turn))
      transitions.append(transition)
    }
    (self.records, self.isList, self.transitions) = (records, isList, transitions)
  }

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
  func confirm(_ verb: String, on page: inout Page) {
    page.confirm { page in
      for (record, transition) in zip(records, transitions) {
        record.confirm(verb, transition, on: &page)
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

/// A list of records, a line each; an array in JSON.
public struct RecordRows<R: CommandRecord>: RecordResult {
  /// The kind of its records.
  public typealias Kind = R
  /// The name of its response: `ResponseNoteList`.
  public static var responseName: String? { "Response\(R.typeName)List" }
  /// The records, in order.
  public let records: [RecordView<R>]
  /// Whether several were meant, as for any list.
  public let isList: Bool
  /// Where no record was found for a name in a set: the names that there are.
  var names: [String] = []

  /// Creates a list.
  public init(records: [RecordView<R>], isList: Bool) {
    (self.records, self.isList) = (records, isList)
  }

  /// Writes a line for each record.
  public func show(on page: inout Page) {
    let width = records.map { "#\($0.number)".count }.max() ?? 0
    let columns = R.columns(R.commands.columns?())
    for record in records { record.showLine(on: &page, numberWidth: width, columns) }
  }
}

/// A derived command that changes records.
protocol DerivedChange: RecordChanging
where Kind: CommandRecord, Reply == ResponseView<RecordGroup<Kind>> {
  /// What a person is told, before the number and the title.
  static var confirmation: String { get }
}

extension DerivedChange {
  /// Writes a confirmation for a person.
  public func show(_ value: RecordGroup<Kind>, on page: inout Page) {
    value.confirm(Self.confirmation, on: &page)
  }

  /// Returns the records after the change, or before a removal.
  public func result(
    _ written: [RecordTransition<Kind>],
    _ turn: borrowing Turn
  ) -> RecordGroup<Kind> {
    RecordGroup(written, isList: isList, turn)
  }
}
