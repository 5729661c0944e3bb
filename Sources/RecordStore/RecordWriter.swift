import EventMVVM
import EventPatterns
import EventRecords
import GRDB
import SQLiteStore

/// Writes records inside a transaction, and keeps the change log.
struct RecordWriter {
  private let database: Database
  private let table: RecordTable
  private let log: RecordLog
  private let steps: StepTable
  private let writer: Writer
  private let undone: Step?

  init(_ database: Database, _ writer: Writer, undoing undone: Step?) {
    self.database = database
    table = RecordTable(database)
    log = RecordLog(database)
    steps = StepTable(database)
    self.writer = writer
    self.undone = undone
  }

  /// Carries out the writes in order.
  func write(_ writes: [StoredWrite]) throws -> [StoredChange] {
    // What changes nothing is no step, and takes none back.
    if let undone, !writes.isEmpty { try steps.takeBack(undone) }
    var names: RecordNames?
    return try writes.map { write in
      guard case .addOnce(let kind, let body, let field) = write else {
        names = nil
        return try self.write(write)
      }
      return try addOnce(kind, body, field, &names)
    }
  }

  /// Adds a record, unless there is one of its name.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - body: The fields.
  ///   - field: Which of them is the name.
  ///   - names: Those that are known; they are read once for all that are added one behind the other.
  /// - Returns: What became of that record.
  /// - Throws: The store's failure.
  private func addOnce(
    _ kind: String,
    _ body: String,
    _ field: String,
    _ names: inout RecordNames?
  ) throws -> StoredChange {
    var known = try names?.matching(kind, field) ?? RecordNames(table, kind, field)
    defer { names = known }
    let name = try table.text(field, of: body)
    if let number = known[name], let record = try table.record(number) {
      let body = record.body
      return StoredChange(number, kind, from: body, to: body, revision: record.revision)
    }
    let change = try write(.add(kind: kind, body))
    known[name] = change.number
    return change
  }

  private func write(_ write: StoredWrite) throws -> StoredChange {
    let next = try Revision.next(after: Revision.newest(database))
    switch write {
    case .addOnce(let kind, let body, let field):
      var names: RecordNames?
      return try addOnce(kind, body, field, &names)
    case .add(let kind, let body):
      let number = try table.put(nil, kind, body, revision: next)
      return try note(StoredChange(number, kind, from: nil, to: body, revision: next))
    case .restore(let number, let kind, let body):
      if try table.record(number) != nil { throw RecordError.isThere(number, kind: kind) }
      _ = try table.put(number, kind, body, revision: next)
      return try note(StoredChange(number, kind, from: nil, to: body, revision: next))
    case .put(let number, let kind, let body, let seen):
      let known = try known(number, kind)
      let body = try merged(known, body, since: seen)
      guard try !isSame(known, body) else {
        return StoredChange(number, kind, from: body, to: body, revision: known.revision)
      }
      _ = try table.put(number, kind, body, revision: next)
      return try note(StoredChange(number, kind, from: known.body, to: body, revision: next))
    case .remove(let number, let kind):
      let known = try known(number, kind)
      try table.remove(number)
      return try note(StoredChange(number, kind, from: known.body, to: nil, revision: next))
    }
  }

  /// Whether fields are those of a record, in whatever order.
  private func isSame(_ known: StoredRecord, _ body: String) throws -> Bool {
    guard !known.body.isIdentical(to: body) else { return true }
    let (number, kind) = (known.number, known.kind)
    let now = try? RecordFields(known.body, number, kind)
    return try now.map { try RecordFields(body, number, kind).differences(from: $0).isEmpty }
      ?? false
  }

  /// What is to be stored where others have changed a record since somebody saw it: their fields and his.
  private func merged(_ known: StoredRecord, _ body: String, since seen: Int?) throws -> String {
    guard let seen, seen != known.revision else { return body }
    let (number, kind) = (known.number, known.kind)
    let isReached = try seen < known.revision || seen <= Revision.newest(database)
    guard isReached, let base = try log.body(of: number, at: seen) else {
      throw RecordError.unseen(number, kind: kind, revision: seen)
    }
    guard seen < known.revision else { return body }
    let now = try RecordFields(known.body, number, kind)
    let earlier = try RecordFields(base, number, kind)
    let merged = try now.merging(try RecordFields(body, number, kind), since: earlier) {
      RecordError.conflict(number, kind: kind, field: $0, expected: $1, actual: $2)
    }
    return merged.body
  }

  /// Stores what another process has written: under its numbers and its revisions.
  ///
  /// What is in the log already is left alone.
  func adopt(_ changes: [StoredChange]) throws {
    var newest = try Revision.newest(database)
    for change in changes where change.revision > newest {
      // No store has a gap between its revisions: this is no change of the one that was recorded.
      guard change.revision - 1 == newest else {
        throw StoreError(path: "", "a change has revision \(change.revision) behind \(newest)")
      }
      if let undone, try !steps.isKnown(writer.root) { try steps.takeBack(undone) }
      if let body = change.after {
        _ = try table.put(change.number, change.kind, body, revision: change.revision)
      } else {
        try table.remove(change.number)
      }
      _ = try note(change)
      newest = change.revision
    }
  }

  private func known(_ number: Int, _ kind: String) throws -> StoredRecord {
    guard let known = try table.record(number), known.kind == kind else {
      throw RecordError.notFound(number, kind: kind)
    }
    return known
  }

  private func note(_ change: StoredChange) throws -> StoredChange {
    try steps.begin(at: change.revision, by: writer, undoing: undone)
    try log.append(change, by: writer)
    return change
  }
}
