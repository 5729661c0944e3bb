public import EventCommands
public import EventMVVM
public import EventRecords
public import JSONText

/// Records as the result of a command: lines for a person; for a program one object, or an array where several
/// were meant.
///
/// ```swift
/// struct SampleView: RecordResult {
///   let records: [RecordView<Sample>]
///   let isList: Bool
///
///   func show(on page: inout Page) {
/// ```
public protocol RecordResult: PartedResult {
  /// The kind of the records.
  associatedtype Kind: Record
  /// The records, in order.
  var records: [RecordView<Kind>] { get }
  /// Whether several were meant, so that the JSON is an array in any case.
  var isList: Bool { get }
  /// Creates the result.
  init(records: [RecordView<Kind>], isList: Bool)
}

extension RecordResult {
  /// The records, at most three.
  public var subject: String? {
    RecordSubject.numbers(records.count) { records[$0].number }
  }

  /// Writes each record.
  public func writeItems(to json: inout JSONWriter) {
    for record in records { record.writeItem(to: &json) }
  }

  /// Writes one record, or an array.
  public func write(to json: inout JSONWriter) {
    guard isList || records.count != 1 else { return records[0].writeItem(to: &json) }
    json.array { writeItems(to: &$0) }
  }
}

extension RecordView {
  /// Writes the object, or null where a field can't be written.
  public func writeItem(to json: inout JSONWriter) {
    // A field that can't be written, such as an infinite number.
    json.valueOrNull { json in try write(to: &json) }
  }

  /// Writes the object with its number, some of its fields and its revision; without fields the whole one.
  func writeItem(only fields: [Field], to json: inout JSONWriter) {
    guard !fields.isEmpty else { return writeItem(to: &json) }
    json.valueOrNull { json in try write(only: fields, to: &json) }
  }
}

// MARK: - The results of commands

extension RecordChanging where Reply.Value: RecordResult, Reply.Value.Kind == Kind {
  /// The records after the change.
  public func result(
    _ written: [RecordTransition<Kind>],
    _ turn: borrowing Turn
  ) throws -> Reply.Value {
    Reply.Value(try written.map { try $0.stored }, turn, isList: isList)
  }
}

extension RecordShow where Reply.Value: RecordResult, Reply.Value.Kind == Kind {
  /// The records.
  public func result(_ records: [Kept<Kind>], _ turn: borrowing Turn) -> Reply.Value {
    Reply.Value(records, turn, isList: id.isList)
  }
}

extension RecordList where View: RecordResult, View.Kind == Kind {
  /// The records.
  public func result(_ records: [Kept<Kind>], _ turn: borrowing Turn) -> View {
    View(records, turn, isList: true)
  }
}

extension RecordRemove where Reply.Value: RecordResult, Reply.Value.Kind == Kind {
  /// The removed records, as they were.
  public func result(
    _ removed: [RecordTransition<Kind>],
    _ turn: borrowing Turn
  ) -> Reply.Value {
    var records: [Kept<Kind>] = []
    for record in removed {
      guard let before = record.before else { continue }
      records.append(Kept(record.number, before, revision: record.revision))
    }
    return Reply.Value(records, turn, isList: isList)
  }
}

extension RecordRemove where Reply == ResponseView<Message> {
  /// The numbers of the removed records: `Removed #3, #4`.
  public func result(
    _ removed: [RecordTransition<Kind>],
    _ turn: borrowing Turn
  ) -> Message {
    var numbers: [String] = []
    for record in removed { numbers.append("#\(record.number)") }
    return Message("Removed " + numbers.joined(separator: ", "))
  }
}

extension RecordResult {
  init(_ records: [Kept<Kind>], _ turn: borrowing Turn, isList: Bool) {
    var views: [RecordView<Kind>] = []
    views.reserveCapacity(records.count)
    for record in records { views.append(RecordView(record, turn)) }
    self.init(records: views, isList: isList)
  }
}
