import Foundation
import FuzzSupport
import GRDB
import TodoModels
import TodoStore

/// A store whose tables take anything, as damaged files do, and a connection behind its back.
final class LooseStore: Sendable {
  let database: TodoDatabase
  private let back: DatabaseQueue
  private let todoColumns: [String]
  private let changeColumns: [String]

  init() throws {
    let memory = "/dev/shm"
    let isThere = FileManager.default.fileExists(atPath: memory)
    let folder = isThere ? memory : NSTemporaryDirectory()
    let path = "\(folder)/todostream-fuzz-\(getpid()).sqlite"
    for end in ["", "-wal", "-shm", "-bell"] { unlink(path + end) }
    database = TodoDatabase(path: path)
    _ = try database.read(TodoQuery(), in: .committed)
    back = try DatabaseQueue(path: path)
    (todoColumns, changeColumns) = try back.inDatabase { database in
      try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
      return (try Self.loosen("todo", in: database), try Self.loosen("change", in: database))
    }
    // Whoever has it open keeps it; nothing is left behind.
    for end in ["", "-wal", "-shm", "-bell"] { unlink(path + end) }
  }

  /// Makes a table anew without types and rules; gives the names of its columns.
  private static func loosen(_ table: String, in database: Database) throws -> [String] {
    let columns = try database.columns(in: table).map(\.name)
    let rest = columns.dropFirst().joined(separator: ", ")
    try database.execute(
      sql: "DROP TABLE \(table); CREATE TABLE \(table) (\(columns[0]) INTEGER PRIMARY KEY, \(rest))"
    )
    return columns
  }

  /// Makes these all rows; the first column of each is its key.
  func fill(todos: [[String: Column]], changes: [[String: Column]]) throws {
    try back.inTransaction { database in
      try database.execute(sql: "DELETE FROM todo; DELETE FROM change")
      for row in todos { try insert(row, into: "todo", todoColumns, database) }
      for row in changes { try insert(row, into: "change", changeColumns, database) }
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
