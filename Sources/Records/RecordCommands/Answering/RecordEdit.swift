public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// A command that changes the records that it refers to: the same change to all of them, or to none.
///
/// External changes in between are merged: other fields are unchanged and, where both have changed the same
/// field, the change is applied again to the current value. A field that was changed since the revision that
/// the caller had seen is a conflict (S71).
///
/// ```swift
/// func change(_ sample: inout Sample, seen: Sample, _ turn: borrowing Turn) {
///   sample.notes.append(text)
/// }
/// ```
public protocol RecordEdit: RecordChanging {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// The records.
  var id: Target<Kind> { get set }
  /// What records meet for which the command is: completion offers these, and a range is these alone. Nil for all;
  /// its type is an optional, also where it is declared.
  static var offered: Condition<Kind>? { get }
  /// Checks the part of the request that needs no record, before any is read.
  func check(_ turn: borrowing Turn) throws
  /// Checks a record before it is changed, by its number.
  ///
  /// - Throws: Why it can't be changed; it becomes the failure of the reply.
  static func check(_ record: Kept<Kind>) throws
  /// Changes the current version of a record; called again where it was changed meanwhile.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - seen: The version that the caller had read; the current one if it named no revision.
  ///   - turn: The turn in which it is changed.
  /// - Throws: Why nothing is changed; it becomes the failure of the reply.
  func change(_ record: inout Kind, seen: Kind, _ turn: borrowing Turn) throws
}

extension RecordEdit {
  /// All records.
  public static var offered: Condition<Kind>? { nil }
  /// Checks nothing.
  public func check(_ turn: borrowing Turn) throws {}
  /// Allows every record.
  public static func check(_ record: Kept<Kind>) throws {}
  /// Whether its target says so.
  public var isList: Bool { id.isList }
  /// The records, at most three.
  public var subject: String? { id.subject }

  /// What finds the records of a filter, before a person is asked about them; nil where they are named.
  public var check: (any CheckRequest)? {
    id.terms.isEmpty ? nil : RequestFilterCheck(id, among: Self.offered, Self.verb)
  }

  /// The command for the records that its filter has found, to which a person has agreed.
  public func checked(_ found: CheckedCommand) -> Self {
    var copy = self
    copy.id.found = found.numbers
    return copy
  }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) { answerEdits(on: stream) }

  static func answerEdits(on stream: EventStream) {
    RequestFilterCheck<Kind>.answer(on: stream)
    RequestFilterCandidates<Kind>.answer(on: stream)
    answer(on: stream) { request, turn in
      try request.check(turn)
      if let shown = request.id.shown { return try request.change(shown, turn) }
      try request.id.find(among: offered, turn) { found, turn in
        request.attempt(turn) { turn in
          let (references, condition) = try found.get()
          request.edit(references, condition, turn)
        }
      }
    }
  }

  /// Changes records, of those that a filter has found the ones that still meet it.
  private func edit(
    _ references: [RecordReference],
    _ condition: RecordCondition?,
    _ turn: borrowing Turn
  ) {
    // Of a reference to another record the engine alone knows what it means.
    let condition = Kind._table.hasReferences ? nil : condition
    let others = Locked<Set<Int>>([])
    turn.edit(references, among: Self.offered, seen: id.seen) {
      (record: inout Kept<Kind>, seen, turn) in
      if let condition, try !condition.holds(for: record) {
        let number = record.number
        return others.withLock { _ = $0.insert(number) }
      }
      try Self.check(record)
      try change(&record.value, seen: seen.value, turn)
    } then: { result, turn in
      let others = others.withLock { $0 }
      reply(result.map { $0.filter { !others.contains($0.number) } }, turn)
    }
  }

  /// Changes a record as a view shows it.
  private func change(_ shown: Kept<Kind>, _ turn: borrowing Turn) throws {
    try Self.check(shown)
    var value = shown.value
    try change(&value, seen: shown.value, turn)
    write([.put(shown.number, value, seen: shown.revision)], turn)
  }
}
