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

  /// The texts in a field of the records of a kind, with their numbers, in the order of these.
  ///
  /// What is damaged has none: it must not be in the way of what comes.
  func texts(_ field: String, of kind: String) throws -> [(text: String, number: Int)] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT text, number FROM (
          SELECT number, CASE WHEN json_valid(body) THEN
            CASE json_type(body, ?1) WHEN 'text' THEN json_extract(body, ?1) END END AS text
          FROM record WHERE kind = ?2
        )
        WHERE text IS NOT NULL ORDER BY number
        """
    )
    return try Row.fetchAll(statement, arguments: [Self.path(field), kind])
      .map { (try $0.decode(String.self, atIndex: 0), try $0.decode(Int.self, atIndex: 1)) }
  }

  /// The text in a field of what is to be stored.
  func text(_ field: String, of body: String) throws -> String {
    let statement = try database.cachedStatement(sql: "SELECT json_extract(?, ?)")
    let text = try String.fetchOne(statement, arguments: [body, Self.path(field)])
    guard let text else { preconditionFailure("'\(field)' is no text of what is added by it") }
    return text
  }

  /// How SQLite calls a field of an object.
  private static func path(_ field: String) -> String { "$.\"\(field)\"" }

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
  /// Reads columns: the number, the kind, the fields, the revision.
  init(_ row: Row) throws {
    self.init(
      try row.decode(Int.self, atIndex: 0),
      try row.decode(String.self, atIndex: 1),
      try row.decode(String.self, atIndex: 2),
      revision: try row.decode(Int.self, atIndex: 3)
    )
  }
}
