import EventPatterns
import EventRecords
import GRDB

/// The records as they are.
struct RecordTable {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  func records(_ kind: String) throws -> [StoredRecord] {
    let statement = try database.cachedStatement(
      sql: "SELECT number, kind, body, revision FROM record WHERE kind = ? ORDER BY number"
    )
    return try Row.fetchAll(statement, arguments: [kind]).map(StoredRecord.init)
  }

  func record(_ number: Int) throws -> StoredRecord? {
    let statement = try database.cachedStatement(
      sql: "SELECT number, kind, body, revision FROM record WHERE number = ?"
    )
    return try Row.fetchOne(statement, arguments: [number]).map(StoredRecord.init)
  }

  /// Stores a record under its number, or under a new one.
  ///
  /// - Returns: The number.
  /// - Throws: The store's failure.
  func put(_ number: Int?, _ kind: String, _ body: String, revision: Int) throws -> Int {
    try database.cachedStatement(
      sql: """
        INSERT INTO record (number, kind, body, revision) VALUES (?, ?, ?, ?)
        ON CONFLICT (number) DO UPDATE SET body = excluded.body, revision = excluded.revision
        """
    )
    .execute(arguments: [number, kind, body, revision])
    return number ?? Int(database.lastInsertedRowID)
  }

  func remove(_ number: Int) throws {
    try database.cachedStatement(sql: "DELETE FROM record WHERE number = ?")
      .execute(arguments: [number])
  }
}

extension StoredRecord {
  fileprivate init(_ row: Row) throws {
    self.init(
      try row.decode(Int.self, atIndex: 0),
      try row.decode(String.self, atIndex: 1),
      try row.decode(String.self, atIndex: 2),
      revision: try row.decode(Int.self, atIndex: 3)
    )
  }
}
