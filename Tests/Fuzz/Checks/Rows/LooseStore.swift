import EventPatterns
import EventMVVM
import Foundation
import GRDB
import TodoModels
import TodoStore

/// A store whose tables take anything, as damaged files do, and a connection behind its back.
final class LooseStore: Sendable {
  let database: TodoDatabase
  /// The connection behind its back.
  let back: DatabaseQueue
  private let columns: [String: [String]]

  init() throws {
    let path = try makeScratchFolder() + "/todos.sqlite"
    database = TodoDatabase(path: path)
    // A store that has been written to keeps its connection.
    _ = try database.write([.add([Todo].examples[0])], by: .fuzz)
    back = try DatabaseQueue(path: path)
    columns = try back.inDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
      return [
        "todo": try Self.loosen("todo", key: " INTEGER PRIMARY KEY", in: database),
        "change": try Self.loosen("change", key: " INTEGER PRIMARY KEY", in: database),
        "tag": try Self.loosen("tag", in: database),
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
    let rest = columns.dropFirst().joined(separator: ", ")
    try database.execute(
      sql: "DROP TABLE \(table); CREATE TABLE \(table) (\(columns[0])\(key), \(rest))"
    )
    return columns
  }

  /// Makes these all rows of all tables.
  func fill(_ tables: [String: [[String: Column]]]) throws {
    // Or else it would say that changes are missing.
    unlink(database.path + "-bell")
    try back.inTransaction { database in
      for (table, names) in columns {
        try database.execute(sql: "DELETE FROM \(table)")
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
    let statement = try database.cachedStatement(sql: "INSERT INTO \(table) VALUES (\(places))")
    let values = columns.map { row[$0] ?? .null }
    try statement.execute(arguments: StatementArguments(values.flatMap(\.arguments)))
  }
}

extension Writer {
  static let fuzz = Writer(
    root: Root(session: 1, number: 1),
    origin: "fuzz",
    time: Instant(milliseconds: 1000)
  )
}
