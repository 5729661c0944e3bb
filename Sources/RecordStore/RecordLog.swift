import EventMVVM
import EventPatterns
import EventRecords
import GRDB
import SQLiteStore

/// The journal of records: one row for each that a transaction changed, in that transaction.
struct RecordLog {
  private static let columns = "record, change.kind, before, after, revision"
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  func append(_ change: StoredChange, by writer: Writer) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO change (revision, record, kind, before, after, session, root, origin, at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    )
    .execute(
      arguments: [change.revision, change.number, change.kind, change.before, change.after]
        + writer.root.arguments + [writer.origin, writer.time.milliseconds]
    )
  }

  // MARK: Reading

  /// What an intent has changed, in order.
  func changes(of root: Root) throws -> [StoredChange] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(Self.columns) FROM change WHERE session = ? AND root = ? ORDER BY revision
        """
    )
    return try Row.fetchAll(statement, arguments: root.arguments).map { try StoredChange($0) }
  }

  /// The changes of a record, newest first.
  func changes(of number: Int, limit: Int) throws -> [(step: Step, change: StoredChange)] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT number, step.session, step.root, step.origin, step.at, step.kind, undoes, isTakenBack,
          \(Self.columns)
        FROM change JOIN step ON step.session = change.session AND step.root = change.root
        WHERE record = ? ORDER BY revision DESC LIMIT ?
        """
    )
    return try Row.fetchAll(statement, arguments: [number, limit])
      .map { row in (try Step(row), try StoredChange(row, from: 8)) }
  }

  /// The fields of a record as they were at a revision of the store; nil if it was not there.
  func body(of number: Int, at revision: Int) throws -> String? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT after FROM change WHERE record = ? AND revision <= ?
        ORDER BY revision DESC LIMIT 1
        """
    )
    return try String?.fetchOne(statement, arguments: [number, revision]) ?? nil
  }

  /// The changes behind a place, whoever made them, oldest first.
  func changes(
    behind place: RecordPlace?,
    limit: Int
  ) throws -> (changes: [(place: RecordPlace, time: Instant, change: StoredChange)], isLast: Bool) {
    if let place, try !isThere(place) { throw RecordError.noSuchPlace }
    let entries = try entries(after: place?.revision ?? 0, limit: limit)
    return (
      entries.map { (RecordPlace($0.change.revision, $0.root), $0.time, $0.change) },
      entries.count < limit
    )
  }

  private func isThere(_ place: RecordPlace) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: "SELECT 1 FROM change WHERE revision = ? AND session = ? AND root = ?"
    )
    return try Row.fetchOne(statement, arguments: [place.revision] + place.root.arguments) != nil
  }

  /// What other sessions have changed behind a revision, oldest first; changes of one intent side by side
  /// together.
  func foreign(
    after revision: Int,
    besides session: UInt64,
    limit: Int
  ) throws -> (changes: [ForeignChange], last: Int, isEnd: Bool) {
    let entries = try entries(after: revision, limit: limit)
    var changes: [ForeignChange] = []
    for entry in entries where entry.root.session != session {
      if changes.last?.root == entry.root {
        changes[changes.count - 1].changes.append(entry.change)
      } else {
        changes.append(
          ForeignChange(
            root: entry.root,
            origin: entry.origin,
            time: entry.time,
            undoes: try StepTable(database).stepTakenBack(by: entry.root),
            changes: [entry.change]
          )
        )
      }
    }
    return (changes, entries.last?.change.revision ?? revision, entries.count < limit)
  }

  /// A row, with whose intent it was.
  private struct Entry {
    let change: StoredChange
    let root: Root
    let origin: String
    let time: Instant
  }

  private func entries(after revision: Int, limit: Int) throws -> [Entry] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT \(Self.columns), session, root, origin, at FROM change
        WHERE revision > ? ORDER BY revision LIMIT ?
        """
    )
    return try Row.fetchAll(statement, arguments: [revision, limit])
      .map { row in
        Entry(
          change: try StoredChange(row),
          root: Root(
            session: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 5)),
            number: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 6))
          ),
          origin: try row.decode(String.self, atIndex: 7),
          time: Instant(milliseconds: try row.decode(Int64.self, atIndex: 8))
        )
      }
  }
}

extension StoredChange {
  /// Reads columns: the number, the kind, the fields before and after, the revision.
  init(_ row: Row, from index: Int = 0) throws {
    self.init(
      try row.decode(Int.self, atIndex: index),
      try row.decode(String.self, atIndex: index + 1),
      from: try row.decode(String?.self, atIndex: index + 2),
      to: try row.decode(String?.self, atIndex: index + 3),
      revision: try row.decode(Int.self, atIndex: index + 4)
    )
  }
}
