import EventPatterns
import GRDB
import GRDBSQLite
import TodoModels

/// The todos that a statement finds, one at a time; valid while the connection is held.
///
/// A `Row` makes a table of its columns' names for each statement anew, and looks up how to convert each
/// value: reading one todo by its number cost six times as much that way.
final class FoundTodos: DatabaseCursor {
  typealias Element = Todo
  let _statement: Statement
  var _isDone = false

  /// Finds todos.
  ///
  /// - Parameters:
  ///   - statement: Selects ``TodoRecord/columns``.
  ///   - arguments: What its question marks stand for.
  /// - Throws: What GRDB throws if there are too many or too few of them.
  init(_ statement: Statement, _ arguments: StatementArguments) throws {
    _statement = statement
    try statement.setArguments(arguments)
  }

  /// Finds the one todo of a number, for which the statement's only question mark stands.
  ///
  /// Bound by hand: to check and convert one number would cost more than to find it.
  init(_ statement: Statement, number: Int) {
    _statement = statement
    sqlite3_reset(statement.sqliteStatement)
    sqlite3_bind_int64(statement.sqliteStatement, 1, Int64(number))
  }

  deinit {
    // A statement that is not at its end would keep the reading transaction open.
    sqlite3_reset(_statement.sqliteStatement)
  }

  /// All that are left.
  ///
  /// An array made of any cursor would run through code that knows neither the cursor nor the todo.
  func all() throws -> [Todo] {
    var todos: [Todo] = []
    try forEach { todos.append($0) }
    return todos
  }

  func _element(sqliteStatement: SQLiteStatement) throws -> Todo {
    try TodoRecord(TodoColumns(sqliteStatement)).todo
  }
}

/// The columns of the row that a statement has come to; each can be asked for what it must be.
struct TodoColumns {
  private let statement: SQLiteStatement
  /// The number of the todo, which names it in errors.
  let number: Int

  fileprivate init(_ statement: SQLiteStatement) {
    self.statement = statement
    number = Int(sqlite3_column_int64(statement, 0))
  }

  /// A whole number; nil where there is none.
  func integer(_ column: Int32, _ name: String) throws(StoreError) -> Int64? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column)
    default: throw damaged(name)
    }
  }

  /// A text; nil where there is none.
  func text(_ column: Int32, _ name: String) throws(StoreError) -> String? {
    let type = sqlite3_column_type(statement, column)
    guard type != SQLITE_NULL else { return nil }
    guard type == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, column) else {
      throw damaged(name)
    }
    let count = Int(sqlite3_column_bytes(statement, column))
    // SQLite's texts end with a NUL. To read that takes a quarter of the time, and a text with a NUL in it shows
    // by its length.
    if let text = String(
      validatingCString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    ),
      text.utf8.count == count
    {
      return text
    }
    let text = String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    guard let text else { throw damaged(name) }
    return text
  }

  /// A value that must be there, and be readable.
  func value<T>(_ value: T?, _ name: String) throws(StoreError) -> T {
    guard let value else { throw damaged(name) }
    return value
  }

  private func damaged(_ name: String) -> StoreError {
    StoreError(path: "", "todo #\(number) is damaged: its \(name) can't be read")
  }
}
