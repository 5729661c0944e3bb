import EventMVVM
import GRDB
import TodoModels

/// The rows of a list that is read in parts, in one snapshot, on a connection of its own.
final class TodoRows: @unchecked Sendable {
  // Unchecked: the rows are touched inside the connection's queue alone.
  private let connection: StoreConnection
  private let count: Int
  private var rows: RowCursor?

  /// Begins a snapshot and a list in it.
  init(_ connection: StoreConnection, _ query: TodoQuery, inPartsOf count: Int) throws {
    self.connection = connection
    self.count = count
    rows = try connection.queue.inDatabase { database in
      try database.execute(sql: "BEGIN")
      return try TodoReader(database).rows(of: query)
    }
  }

  deinit {
    connection.queue.inDatabase { _ in rows = nil }
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
      guard let row = try rows?.next() else {
        rows = nil
        return TodoPart(todos, rest: nil)
      }
      todos.append(try TodoRecord(row).todo)
    }
    return TodoPart(todos, rest: TodoCursor { [self] in try next() })
  }
}
