public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
public import JSONText

/// A record as an editor shows it (S46): the stored one, and the one with the edits.
///
/// It is a value (S51): editing changes no stored record. ``shouldSave`` is set after validation alone (S49).
///
/// ```swift
/// var detail = RecordDetail(fern)
/// detail.title = "Tree fern"
/// ```
@dynamicMemberLookup
public struct RecordDetail<R: CommandRecord>: Sendable, Equatable, Encodable {
  /// The stored record; its number is 0 where it is not stored yet.
  public let original: Kept<R>
  /// The record with the edits.
  public var draft: R
  /// Whether it does not exist any more: its addition was undone, or it was removed.
  public internal(set) var isGone = false
  /// Whether external changes are overwritten; else they are conflicts.
  public var overwrites = false
  /// Whether to store it.
  public internal(set) var shouldSave = false
  /// The user's local time when it was last shown or edited; nil if no shown value depends on it.
  var time: CivilMinute?

  private enum CodingKeys: CodingKey {
    case original, draft, isGone, overwrites, shouldSave
  }

  /// Edits a stored record whose shown values don't depend on the time.
  public init(_ record: consuming Kept<R>) {
    draft = record.value
    original = record
  }

  /// Edits a stored record.
  public init(_ record: consuming Kept<R>, _ turn: borrowing Turn) {
    self.init(record)
    time = RecordView<R>.time(turn)
  }

  /// Edits a record that is not stored yet.
  public init(new record: R) { self.init(Kept(0, record, revision: 0)) }

  /// The edited fields of the record.
  public subscript<Value>(dynamicMember field: WritableKeyPath<R, Value>) -> Value {
    get { draft[keyPath: field] }
    set { draft[keyPath: field] = newValue }
  }

  /// Its number; 0 if it is new.
  public var number: Int { original.number }
  /// Whether it is not stored yet.
  public var isNew: Bool { original.number == 0 }
  /// Whether there are edits.
  public var isEdited: Bool { draft != original.value }
  /// The record; nil if it is not stored yet.
  public var subject: String? { isNew ? nil : RecordSubject.number(number) }

  /// Edits fields, if the result is valid.
  mutating func apply(_ edits: RecordEdits<R>, _ turn: borrowing Turn) throws {
    var edited = draft
    try edits.apply(to: &edited, seen: draft, turn)
    // A new one need not be complete before it is saved.
    try edited.prepare(before: isNew ? draft : original.value, turn)
    draft = edited
  }

  /// Completes and checks what is to be stored (S48).
  mutating func prepare(_ turn: borrowing Turn) throws {
    try draft.prepare(before: isNew ? nil : original.value, turn)
  }

  /// Returns the same edits on the changed record; nil where the change and an edit concern one
  /// field, which is a conflict when it is saved.
  func rebased(onto view: RecordView<R>, isGone: Bool) -> RecordDetail? {
    let record = view.record
    var merged = record.value
    guard merged.take(draft, since: original.value).isEmpty else { return nil }
    var detail = RecordDetail(record)
    detail.draft = merged
    detail.isGone = isGone
    detail.time = view.time
    return detail
  }

  /// Checks that the edited record is still there.
  func checkIsThere() throws(Failure) {
    guard isGone else { return }
    throw Failure(
      .notFound,
      R.commands.deletion == nil
        ? "#\(number) was deleted; 'cancel' discards the edits."
        : "The addition of #\(number) was undone; 'redo' does it again, 'cancel' discards the edits.",
      field: "id",
      id: number
    )
  }

  /// The record with the edits, as views show it.
  var edited: RecordView<R> {
    RecordView(Kept(number, draft, revision: original.revision), at: time)
  }
  /// The stored record, as views show it.
  private var view: RecordView<R> { RecordView(original, at: time) }

  /// The title of its screen: `#3 Buy milk`.
  var screenTitle: String {
    let title = draft.plainTitle
    guard isNew else {
      return "#\(number) \(title)" + (isGone || R.commands.isDeleted(draft) ? " (deleted)" : "")
    }
    return title.isEmpty ? "new \(R.kind)" : "new: \(title)"
  }
}

extension RecordDetail: CommandResult {
  /// The name of its response: `ResponseUpdateNoteDetail`.
  public static var responseName: String? {
    R.commands.name("ResponseUpdate\(R.typeName)Detail")
  }

  /// Version 2 is the record as views show it.
  public static var responseVersion: Int { 2 }

  /// Writes all fields of the stored record; of a new one, what comes next.
  public func show(on page: inout Page) {
    guard isNew else { return view.showWhole(on: &page) }
    let title = draft.plainTitle
    if title.isEmpty {
      let field = R.titleField.map { "\($0.name)" }
      let naming = field.map { "'set --\($0) \($0.uppercased())' names it, " } ?? ""
      page.write("A new \(R.kind): \(naming)'save' adds it, 'cancel' gives it up.")
    } else {
      page.write("A new \(R.kind), not saved yet: ")
      page.write(user: title)
      page.write("; 'save' adds it, 'cancel' gives it up.")
    }
    page.endLine()
  }

  /// Writes the stored record.
  public func write(to json: inout JSONWriter) { view.writeItem(to: &json) }
}

/// The details that `show` or `new` gives: one for most requests, several where several were named.
public struct RecordDetails<R: CommandRecord>: CommandResult {
  /// The name of its response: `ResponseNoteDetail`.
  public static var responseName: String? { R.commands.name("Response\(R.typeName)Detail") }
  /// The details, in the order in which they were named.
  public let details: [RecordDetail<R>]
  /// Whether the request referred to several, so that the result is an array in any case.
  public let isList: Bool
  /// Whether they are as they were, and so not to be edited.
  var isPast = false

  /// Creates a group of details.
  public init(_ details: [RecordDetail<R>], isList: Bool) {
    self.details = details
    self.isList = isList
  }

  /// Creates a group of one.
  public init(_ detail: RecordDetail<R>) { self.init([detail], isList: false) }

  /// The records, at most three.
  public var subject: String? { RecordSubject.list(details.count) { details[$0].subject } }

  /// Writes all fields of each record.
  public func show(on page: inout Page) {
    for detail in details { detail.show(on: &page) }
  }

  /// Writes one record, or an array.
  public func write(to json: inout JSONWriter) {
    // Not from a copy of the details, which holds all texts twice.
    guard isList || details.count != 1 else { return details[0].write(to: &json) }
    json.array { json in
      for index in details.indices { details[index].write(to: &json) }
    }
  }
}
