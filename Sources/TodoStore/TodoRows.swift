import EventMVVM
import EventPatterns
import GRDB
import SQLiteStore
import TodoModels

/// The todos of a list that is read in parts, in one snapshot, on a connection of its own.
final class TodoRows: @unchecked Sendable {
  // Unchecked: what is found is touched inside the connection's queue alone.
  private let connection: StoreConnection
  private let count: Int
  private var found: FoundTodos?

  /// Begins a snapshot and a list in it.
  init(_ connection: StoreConnection, _ query: TodoQuery, inPartsOf count: Int) throws {
    self.connection = connection
    self.count = count
    found = try connection.queue.inDatabase { database in
      try database.execute(sql: "BEGIN")
      return try TodoReader(database).find(query)
    }
  }

  deinit {
    connection.queue.inDatabase { _ in found = nil }
  }

  /// Reads the next part.
  func next() throws -> TodoPart {
    let path = connection.files.path
    do {
      return try connection.queue.inDatabase { _ in try part() }
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  private func part() throws -> TodoPart {
    var todos: [Todo] = []
    todos.reserveCapacity(count)
    while todos.count < count {
      guard let todo = try found?.next() else {
        found = nil
        return TodoPart(todos, rest: nil)
      }
      todos.append(todo)
    }
    return TodoPart(todos, rest: TodoCursor { [self] in try next() })
  }
}
