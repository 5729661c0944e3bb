import EventMVVM

/// Records as they were: the change log, read backwards from today.
///
/// A row of the log has the fields that it changed. What else a record had is found by going back
/// from what it has now, so that the cost grows with its changes since.
package struct RecordHistory {
  private let store: any RecordReader
  private let types: RecordTypes

  /// Reads a store.
  package init(_ store: any RecordReader, _ types: RecordTypes) {
    self.store = store
    self.types = types
  }

  /// The fields of a record at a revision; nil if it was not there.
  func fields(of number: Int, _ table: RecordTable, at revision: Int) throws -> RecordFields? {
    var fields = try store.row(number, of: table).map { try RecordFields($0, of: table) }
    for change in try store.changes(.ofRecord(number, after: revision), limit: .max) {
      guard let before = change.before else {
        fields = nil
        continue
      }
      var earlier = fields ?? RecordFields()
      earlier.take(try RecordFields(before, number, change.kind))
      fields = earlier
    }
    return fields
  }

  /// A change of the log, with all fields of its record.
  ///
  /// Of an unknown kind it has those that changed.
  func full(_ change: LoggedChange) throws -> StoredChange {
    var states: [Int: RecordFields] = [:]
    return try full(change, &states)
  }

  /// A change with all fields of its record.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - states: The records as the changes before it have left them, as far as they are known.
  /// - Returns: The change in full.
  /// - Throws: What is damaged.
  private func full(
    _ change: LoggedChange,
    _ states: inout [Int: RecordFields]
  ) throws -> StoredChange {
    let (number, kind) = (change.number, change.kind)
    var before: RecordFields?
    if change.before != nil {
      before = states[number]
      if before == nil, let table = types.table(of: kind) {
        // A row that can't be read does not end the reading.
        before = try? fields(of: number, table, at: change.revision - 1)
      }
      if before == nil { before = change.earlier }
    }
    var after: RecordFields?
    if change.after != nil {
      var fields = before ?? RecordFields()
      fields.take(change.later)
      after = fields
    }
    states[number] = after
    return StoredChange(
      number,
      kind,
      from: before?.text,
      to: after?.text,
      revision: change.revision
    )
  }

  /// The changes after a position, by all sessions, oldest first, with all fields of their records.
  func changes(
    after position: LogPosition?,
    limit: Int
  ) throws -> (
    changes: [(position: LogPosition, time: Instant, change: StoredChange)], isLast: Bool
  ) {
    if let position {
      let known = try store.changes(.after(position.revision - 1), limit: 1).first
      guard known?.revision == position.revision, known?.transaction.root == position.root else {
        throw RecordError.noSuchChange
      }
    }
    var states: [Int: RecordFields] = [:]
    let entries = try store.changes(.after(position?.revision ?? 0), limit: limit)
    return (
      try entries.map {
        (LogPosition($0.revision, $0.transaction.root), $0.time, try full($0, &states))
      },
      entries.count < limit
    )
  }

  /// The addition that a change has undone, or redone; nil if it has not.
  func reversedAddition(
    _ change: StoredChange,
    by root: Root
  ) throws -> (change: StoredChange, time: Instant)? {
    guard change.before == nil || change.after == nil,
      try store.steps(.root(root)).first?.kind.undone != nil,
      let first = try store.changes(.ofRecord(change.number, after: 0), limit: .max).last,
      first.revision < change.revision, first.before == nil
    else { return nil }
    return (try full(first), first.time)
  }

  /// What other sessions have changed after a revision, oldest first; changes of one intent side by
  /// side together.
  ///
  /// - Parameters:
  ///   - revision: The last that is known.
  ///   - session: Whose changes are left out.
  ///   - limit: How many changes to look at, at most.
  /// - Returns: The changes, the last revision that is known now, and whether that is the end of
  ///   the log.
  /// - Throws: What is damaged.
  package func external(
    after revision: Int,
    excluding session: UInt64,
    limit: Int
  ) throws -> (changes: [ExternalChange], last: Int, isEnd: Bool) {
    let entries = try store.changes(.after(revision), limit: limit)
    var states: [Int: RecordFields] = [:]
    var changes: [ExternalChange] = []
    for entry in entries {
      guard entry.transaction.root.session != session else {
        // What it has changed is found again from today, if anybody wants to know.
        states[entry.number] = nil
        continue
      }
      let change = try full(entry, &states)
      if changes.last?.root == entry.transaction.root {
        changes[changes.count - 1].changes.append(change)
      } else {
        let step = try store.steps(.root(entry.transaction.root)).first
        changes.append(ExternalChange(entry, undoes: step?.kind.undone, changes: [change]))
      }
    }
    return (changes, entries.last?.revision ?? revision, entries.count < limit)
  }
}

extension Step.Kind {
  /// The number of the step that was undone, if one was.
  fileprivate var undone: Int? {
    switch self {
    case .change: nil
    case .undo(let number), .redo(let number): number
    }
  }
}

/// A change in the log of a store, told from those of all other stores by whose intent it was.
struct LogPosition: Sendable, Equatable {
  let revision: Int
  let root: Root

  init(_ revision: Int, _ root: Root) {
    self.revision = revision
    self.root = root
  }
}
