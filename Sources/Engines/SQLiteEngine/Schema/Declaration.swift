import EventRecords
import GRDB

/// The tables of the kinds that a program declares, in SQLite.
///
/// Several versions of a program can use one store. What one of them adds stays. An older version
/// does not change the column of a field that it does not declare, and a field that was added later
/// has the value of a new record in older records.
struct Declaration: Sendable {
  private let tables: [RecordTable]

  init(_ tables: [RecordTable]) {
    self.tables = tables
  }

  /// Whether a version has created all tables with these columns and names, and with their texts in the form
  /// of today.
  func isMade(_ database: Database) throws -> Bool {
    let known = try signatures(database)
    for table in tables where !table.isMade(among: known) { return false }
    return true
  }

  /// Whether all tables have their columns, whatever the form of their texts.
  func hasColumns(_ database: Database) throws -> Bool {
    let known = try signatures(database)
    return tables.allSatisfy { known.contains($0.signature) || known.contains($0.columnSignature) }
  }

  private func signatures(_ database: Database) throws -> [Int64] {
    let rows = FoundRows(try database.boundStatement("SELECT signature FROM declaration", []))
    var known: [Int64] = []
    while try rows.step() { known.append(try rows.integer(0)) }
    return known
  }

  /// Creates what is missing; inside a transaction.
  func make(_ database: Database) throws {
    for table in tables {
      let known = try signatures(database)
      let made = DeclaredTable(table, database)
      guard !table.isMade(among: known) else { continue }
      // A rename alone changes nothing.
      guard try !known.contains(table.signature) || made.hasLaterNames() else {
        try declare(table, database)
        continue
      }
      table.check()
      let isGrown = try made.make()
      for kind in table.laterKinds { try made.takeRecords(of: kind) }
      // A column or a table that is new may be what a version with other names takes over.
      if isGrown { try database.execute(sql: "DELETE FROM declaration WHERE kind LIKE '%:names'") }
      try declare(table, database)
    }
    // What was deleted above of the tables before.
    for table in tables { try declare(table, database) }
  }

  private func declare(_ table: RecordTable, _ database: Database) throws {
    let insert = "INSERT OR IGNORE INTO declaration (kind, signature) VALUES (?, ?)"
    try database.run(insert, [.text(table.storedKind), .integer(table.signature)])
    if let names = table.nameSignature {
      try database.run(insert, [.text(table.storedKind + ":names"), .integer(names)])
    }
  }

  /// Whether values of records have to be converted, so that a copy is made before.
  func converts(_ database: Database) throws -> Bool {
    let known = try signatures(database)
    return try tables.contains {
      try !$0.isMade(among: known) && DeclaredTable($0, database).converts()
    }
  }

  /// Returns the kinds that the store has and this version does not know, a sentence each.
  func unknownKinds(_ database: Database) throws -> [String] {
    let known = Set(tables.map { "record_\($0.storedKind)" })
    let all = try String.fetchAll(
      database,
      sql:
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(name, 'record_') = 1 ORDER BY 1"
    )
    return try all.filter { !known.contains($0) && !$0.contains(".") }
      .compactMap { name in
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\(name)\"") ?? 0
        return count > 0 ? RecordTable.unknown("\(name.dropFirst("record_".count))", count) : nil
      }
  }

  /// Returns what the tables have that this version does not read, a sentence each.
  func unread(_ database: Database) throws -> [String] {
    try tables.flatMap { try DeclaredTable($0, database).unread() }
  }
}
