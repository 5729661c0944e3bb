import EventMVVM
import JSONText

/// Records in earlier states: the change log, read backwards from the present.
///
/// A row of the log has the changed fields. The other fields are found by going back from the
/// current record, so that the cost grows with its changes since.
package struct RecordHistory {
  private let store: any RecordReader
  private let types: RecordTypes

  /// Creates the history of a store.
  package init(_ store: any RecordReader, _ types: RecordTypes) {
    self.store = store
    self.types = types
  }

  /// Returns the fields of a record at a revision; nil if it did not exist.
  func fields(of number: Int, _ table: RecordTable, at revision: Int) throws -> RecordFields? {
    var fields = try store.row(number, of: table).map { try RecordFields($0, of: table) }
    for change in types.today(try store.changes(.ofRecord(number, after: revision), limit: .max)) {
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

  /// Returns records as they were before the changes of a part of the log, as far as these need
  /// them, by their numbers; what can't be read is missing.
  ///
  /// The number of reads does not depend on that of the changes.
  ///
  /// - Parameters:
  ///   - entries: All changes after the revision, up to some revision, oldest first.
  ///   - revision: The revision.
  ///   - isEnd: Whether they are the last ones.
  /// - Returns: The records.
  /// - Throws: An error of the store.
  private func states(
    before entries: [LoggedChange],
    after revision: Int,
    isEnd: Bool
  ) throws -> [Int: RecordFields] {
    var kinds: [Int: String] = [:]
    var seen: Set<Int> = []
    for entry in entries where seen.insert(entry.number).inserted && entry.before != nil {
      // Of an unknown kind the changed fields are all that is told.
      if types.table(of: entry.kind) != nil { kinds[entry.number] = entry.kind }
    }
    guard !kinds.isEmpty else { return [:] }
    var states: [Int: RecordFields] = [:]
    var unreadable: Set<Int> = []
    for table in types.tables {
      let numbers = kinds.filter { table.fields.isKind($0.value) }.keys.sorted()
      for part in stride(from: 0, to: numbers.count, by: 100) {
        var query = RecordQuery()
        query.condition = .or(numbers[part...].prefix(100).map { .numbers($0, $0) })
        let rows = try store.rows(query, of: table)
        // What is missing is read by itself, where it is needed.
        while let row = try? rows.next() {
          states[row.number] = try? RecordFields(row, of: table)
          if states[row.number] == nil { unreadable.insert(row.number) }
        }
      }
    }
    let later =
      isEnd
      ? entries.reversed().filter { kinds[$0.number] != nil }
      : types.today(try store.changes(of: kinds.keys.sorted(), after: revision))
    for change in later where !unreadable.contains(change.number) {
      guard let before = change.before else {
        states[change.number] = nil
        continue
      }
      guard let fields = try? RecordFields(before, change.number, change.kind) else {
        states[change.number] = nil
        unreadable.insert(change.number)
        continue
      }
      states[change.number, default: RecordFields()].take(fields)
    }
    return states
  }

  /// Returns a change of the log, with all fields of its record.
  ///
  /// For an unknown kind it has the changed fields alone.
  func full(_ change: LoggedChange) throws -> StoredChange {
    var states: [Int: RecordFields] = [:]
    return try full(change, &states)
  }

  /// Returns a change with all fields of its record.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - states: The records before the change, as far as they are known.
  /// - Returns: The change in full.
  /// - Throws: An error for damaged data.
  private func full(
    _ change: LoggedChange,
    _ states: inout [Int: RecordFields]
  ) throws -> StoredChange {
    let (number, kind) = (change.number, change.kind)
    var before: RecordFields?
    if change.before != nil {
      before = states[number]
      if before == nil, let table = types.table(of: kind) {
        // A row that can't be read does not end the read.
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

  /// Returns the changes after a position, of all sessions, oldest first, with all fields of their
  /// records.
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
    let entries = types.today(try store.changes(.after(position?.revision ?? 0), limit: limit))
    return (
      try entries.map {
        (LogPosition($0.revision, $0.transaction.root), $0.time, try full($0, &states))
      },
      entries.count < limit
    )
  }

  /// Returns the addition or removal that a change has undone or redone, with the sign by which it
  /// counts now; nil if the change is of another kind, or no undo.
  ///
  /// Additions and removals of a record alternate: an undo reverts the one before it, and a redo
  /// that undo.
  func reversed(
    _ change: StoredChange,
    by root: Root
  ) throws -> (change: StoredChange, time: Instant, sign: Int)? {
    guard change.before == nil || change.after == nil, try isReversal(root) else { return nil }
    var sign = 1
    for earlier in types.today(try store.changes(.ofRecord(change.number, after: 0), limit: .max))
    where earlier.revision < change.revision && (earlier.before == nil || earlier.after == nil) {
      sign = -sign
      guard try isReversal(earlier.transaction.root) else {
        return (try full(earlier), earlier.time, sign)
      }
    }
    return nil
  }

  private func isReversal(_ root: Root) throws -> Bool {
    try store.steps(.root(root)).first?.kind.undone != nil
  }

  /// Returns the changes of other sessions after a revision, oldest first; adjacent changes of one
  /// root are combined.
  ///
  /// - Parameters:
  ///   - revision: The last known revision.
  ///   - session: The session whose changes are excluded.
  ///   - limit: The most changes to read.
  /// - Returns: The changes, the last revision that was read, and whether that is the end of
  ///   the log.
  /// - Throws: An error for damaged data.
  package func external(
    after revision: Int,
    excluding session: UInt64,
    limit: Int
  ) throws -> (changes: [ExternalChange], last: Int, isEnd: Bool) {
    let entries = types.today(try store.changes(.after(revision), limit: limit))
    let (last, isEnd) = (entries.last?.revision ?? revision, entries.count < limit)
    let roots = Set(entries.map(\.transaction.root).filter { $0.session != session })
    guard !roots.isEmpty else { return ([], last, isEnd) }
    var states = try states(before: entries, after: revision, isEnd: isEnd)
    var undone: [Root: Int] = [:]
    for step in try store.steps(of: Array(roots)) { undone[step.root] = step.kind.undone }
    var changes: [ExternalChange] = []
    for entry in entries {
      let (change, root) = (try full(entry, &states), entry.transaction.root)
      guard root.session != session else { continue }
      if changes.last?.root == root {
        changes[changes.count - 1].changes.append(change)
      } else {
        changes.append(ExternalChange(entry, undoes: undone[root], changes: [change]))
      }
    }
    return (changes, last, isEnd)
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

/// A change in the log of a store, distinguished from other stores by its root.
struct LogPosition: Sendable, Equatable {
  let revision: Int
  let root: Root

  init(_ revision: Int, _ root: Root) {
    self.revision = revision
    self.root = root
  }
}
