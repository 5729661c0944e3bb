import EventMVVM
import EventRecords
import Foundation
import GRDB
import SQLiteEngine
import TodoModels

/// A store whose tables take anything, as damaged files do, and a connection behind its back.
final class LooseStore: Sendable {
  let database: RecordDatabase
  private let path: String
  /// The connection behind its back.
  let back: DatabaseQueue
  private let columns: [String: [String]]

  init() throws {
    path = try makeScratchFolder() + "/todos.sqlite"
    database = RecordDatabase(of: "todostream", path: path)
    // A store that has been written to keeps its connection.
    Session(database, World.of([])).add([[Todo].examples[0]])
    back = try DatabaseQueue(path: path)
    columns = try back.inDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
      return [
        "record_todo": try Self.loosen("record_todo", key: " INTEGER PRIMARY KEY", in: database),
        "change": try Self.loosen("change", key: " INTEGER PRIMARY KEY", in: database),
        "record_todo.tags": try Self.loosen("record_todo.tags", in: database),
      ]
    }
  }

  /// Makes a table anew without types and rules; gives the names of its columns.
  private static func loosen(
    _ table: String,
    key: String = "",
    in database: Database
  ) throws -> [String] {
    let columns = try database.columns(in: table).map(\.name)
    let rest = columns.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
    try database.execute(
      sql: "DROP TABLE \"\(table)\"; CREATE TABLE \"\(table)\" (\"\(columns[0])\"\(key), \(rest))"
    )
    return columns
  }

  /// Makes these all rows of all tables.
  func fill(_ tables: [String: [[String: Column]]]) throws {
    // Or else it would say that changes are missing.
    unlink(path + "-bell")
    try back.inTransaction { database in
      for (table, names) in columns {
        try database.execute(sql: "DELETE FROM \"\(table)\"")
        for row in tables[table] ?? [] { try insert(row, into: table, names, database) }
      }
      return .commit
    }
  }

  private func insert(
    _ row: [String: Column],
    into table: String,
    _ columns: [String],
    _ database: Database
  ) throws {
    let places = columns.map { _ in Column.sql }.joined(separator: ", ")
    let statement = try database.cachedStatement(sql: "INSERT INTO \"\(table)\" VALUES (\(places))")
    let values = columns.map { row[$0] ?? .null }
    try statement.execute(arguments: StatementArguments(values.flatMap(\.arguments)))
  }
}
