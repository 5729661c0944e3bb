import EventMVVM
import GRDB
package import TodoModels

/// Todos in one SQLite file, private to its user and shared by any number of processes.
///
/// The file is opened at the first use, and an opening that failed is tried again at the next. Every
/// write is one IMMEDIATE transaction, synchronised in full, that also appends to the change log.
/// Used by one thread, but for reading aside; see `TodoStorage`.
package final class TodoDatabase: TodoStorage, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `TodoStorage` demands; reading
  // aside touches the path and what is behind the lock alone.
  /// The file.
  package let path: String
  private var writer: DatabaseQueue?
  /// A connection that only sees what is committed.
  private let aside = Locked<DatabaseQueue?>(nil)
  private var isInUnit = false

  /// Names a file; nothing is opened or created yet.
  package init(path: String) {
    self.path = path
  }

  // MARK: Reading

  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    let writer = try perform { try openWriter() }
    guard !isInUnit || view == .insideUnit else { return try readAside(query) }
    return try perform { try fetch(query, from: writer) }
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try perform {
      let writer = try openWriter()
      let queue = isInUnit && view == .committed ? try openAside() : writer
      return try queue.inDatabase { try TodoReader($0).labels(kind, prefix: prefix) }
    }
  }

  package func readAside(_ query: TodoQuery) throws -> [Todo] {
    try perform { try fetch(query, from: try openAside()) }
  }

  private func fetch(_ query: TodoQuery, from queue: DatabaseQueue) throws -> [Todo] {
    try queue.inDatabase { database in
      guard let references = query.predicate.references else {
        return try TodoReader(database).fetch(query)
      }
      return try TodoReader(database).resolve(references)
    }
  }

  // MARK: Writing

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    try perform {
      try openWriter()
        .inDatabase { database in
          try inTransaction(database, of: writes.count) {
            try TodoWriter(database, writer).write(writes)
          }
        }
    }
  }

  /// One transaction for what belongs together; inside a unit, a part of the unit's.
  ///
  /// A single write needs no savepoint: it fails before it changes anything, or the store does.
  private func inTransaction<T>(
    _ database: Database,
    of count: Int,
    _ body: () throws -> T
  ) throws -> T {
    if isInUnit {
      guard count > 1 else { return try body() }
      var result: T?
      try database.inSavepoint {
        result = try body()
        return .commit
      }
      return try result.orFail()
    }
    try database.execute(sql: "BEGIN IMMEDIATE")
    do {
      let result = try body()
      try database.execute(sql: "COMMIT")
      return result
    } catch {
      try? database.execute(sql: "ROLLBACK")
      throw error
    }
  }

  // MARK: Units

  package func beginUnit() throws {
    try perform {
      try openWriter().inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      isInUnit = true
    }
  }

  package func keepUnit() throws {
    try perform {
      defer { isInUnit = false }
      try openWriter()
        .inDatabase { database in
          do {
            try database.execute(sql: "COMMIT")
          } catch {
            try? database.execute(sql: "ROLLBACK")
            throw error
          }
        }
    }
  }

  package func takeBackUnit() {
    isInUnit = false
    try? writer?.inDatabase { try $0.execute(sql: "ROLLBACK") }
  }

  // MARK: Opening

  private func openWriter() throws -> DatabaseQueue {
    if let writer { return writer }
    let opened = try StoreFile(path: path).open()
    writer = opened
    return opened
  }

  private func openAside() throws -> DatabaseQueue {
    try aside.withLock { open in
      if let open { return open }
      let opened = try StoreFile(path: path).open()
      open = opened
      return opened
    }
  }

  /// Puts SQLite's errors in words, with the path and what to do.
  private func perform<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

extension Optional {
  fileprivate func orFail() throws -> Wrapped {
    guard let self else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return self
  }
}
