import EventPatterns
import EventMVVM
import Foundation
import GRDB
import TodoModels

@testable import SQLiteStore
@testable import TodoStore

/// A store on a fresh file in a folder of its own, gone with its test (S74).
final class FreshStore {
  let folder: String
  let path: String
  let database: TodoDatabase

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/todos-" + UniqueID.random().text
    path = folder + "/todos.sqlite"
    database = TodoDatabase(path: path)
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Another process on the same file.
  func other() -> TodoDatabase { TodoDatabase(path: path) }

  /// The connection that the store writes through, to look at what SQLite is told.
  func connection() throws -> DatabaseQueue {
    try database.beginUnit()
    database.takeBackUnit()
    guard let writer = database.store.writer else {
      throw StoreError(path: path, "the store has no connection")
    }
    return writer.queue
  }

  // MARK: Writing and reading

  /// Writes with the origin and time that stand in every expected row.
  @discardableResult
  func write(_ writes: TodoWrite...) throws -> [WrittenTodo] {
    try database.write(writes, by: .test)
  }

  /// Adds a todo whose identity ends in a number.
  @discardableResult
  func add(
    _ id: UInt64,
    _ title: String = "Milk",
    _ edit: (inout Todo) -> Void = { _ in }
  ) throws
    -> Todo
  {
    var todo = Todo.test(id, title)
    edit(&todo)
    return try write(.add(todo))[0].todo
  }

  /// Changes a todo.
  @discardableResult
  func change(_ number: Int, seen: Int? = nil, _ edit: (inout TodoPatch) -> Void) throws -> Todo {
    try write(.change(.number(number), .test(edit), seen: seen))[0].todo
  }

  /// The todo of a number, as committed.
  func todo(_ number: Int) throws -> Todo {
    try database.read(TodoQuery([.number(number)]), in: .committed)[0]
  }

  /// The numbers of the todos that a query finds, in its order.
  func numbers(_ edit: (inout TodoQuery) -> Void = { _ in }) throws -> [Int] {
    var query = TodoQuery()
    edit(&query)
    return try database.read(query, in: .committed).map(\.number)
  }

  // MARK: SQL

  /// Runs SQL behind the store's back.
  func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: sql) }
  }

  /// Makes a table anew without types and rules but for a key, so that it takes any damage.
  func loosen(_ table: String, _ key: String) throws {
    let columns = try rows("SELECT name FROM pragma_table_info('\(table)')").dropFirst()
      .map { $0.replacingOccurrences(of: "'", with: "\"") }
      .joined(separator: ", ")
    try execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE loose AS SELECT * FROM \(table);
      DROP TABLE \(table);
      CREATE TABLE \(table) (\(key), \(columns));
      INSERT INTO \(table) SELECT * FROM loose;
      DROP TABLE loose
      """
    )
  }

  /// The rows that SQL finds behind the store's back, their columns joined by a bar.
  func rows(_ sql: String) throws -> [String] {
    try DatabaseQueue(path: path)
      .inDatabase { database in
        try Row.fetchAll(database, sql: sql)
          .map { row in
            row.databaseValues.map(text).joined(separator: " | ")
          }
      }
  }

  private func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "'\(text)'"
    case .blob(let data): "\(data.count) bytes"
    }
  }
}

extension Writer {
  static let test = of(3)

  static func of(_ root: UInt64, session: UInt64 = 7) -> Writer {
    Writer(
      root: Root(session: session, number: root),
      origin: "tests",
      time: Instant(milliseconds: 5000)
    )
  }
}

extension Todo {
  /// A todo whose identity ends in a number, made that many seconds after the epoch.
  static func test(_ id: UInt64, _ title: String = "Milk") -> Todo {
    var todo = Todo(
      uuid: UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | id),
      createdAt: Instant(milliseconds: Int64(id) * 1000)
    )
    todo.title = title
    return todo
  }
}

extension TodoPatch {
  static func test(_ edit: (inout TodoPatch) -> Void) -> TodoPatch {
    var patch = TodoPatch()
    edit(&patch)
    return patch
  }
}

/// The model error that a body throws.
func modelError(_ body: () throws -> Void) -> ModelError? {
  do {
    try body()
    return nil
  } catch {
    return ModelError(error)
  }
}

/// The message of the store error that a body throws, with the file's folder left out.
func storeMessage(_ store: FreshStore, _ body: () throws -> Void) -> String? {
  guard case .store(let error) = modelError(body) else { return nil }
  return error.message.replacingOccurrences(of: store.folder + "/", with: "")
}
