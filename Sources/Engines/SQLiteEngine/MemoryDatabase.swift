public import EventRecords
import GRDB

/// Records in SQLite in memory, lost at the end of the process, and private to it; for tests.
///
/// Used by one thread.
///
/// ```swift
/// context.add(RecordServer(MemoryDatabase(), [Tally.self], watchesExternalChanges: false))
/// ```
public final class MemoryDatabase: RecordEngine, @unchecked Sendable {
  // Unchecked: one thread uses it.
  private let statements = TableStatements()
  private var queue: DatabaseQueue?
  /// The error with which the database could not be created.
  private var failure: (any Error)?
  private var isInUnit = false

  /// Creates an empty engine.
  public init() {}

  /// The name in messages.
  public var name: String { "in memory" }

  /// Creates the tables, unless they exist.
  public func open(_ tables: [RecordTable]) {
    // A second call finds the database of the first.
    guard queue == nil else { return }
    do {
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      configuration.prepareDatabase { SearchFunction.add(to: $0) }
      let queue = try DatabaseQueue(configuration: configuration)
      try queue.inDatabase { try Migrations.records(of: "memory", tables).run(on: $0, from: 0) }
      self.queue = queue
    } catch {
      failure = error
    }
  }

  private func perform<T>(_ body: (Database) throws -> T) throws -> T {
    guard let queue else { throw failure ?? StoreError(path: name, "is not open") }
    do {
      return try queue.inDatabase(body)
    } catch let error as DatabaseError {
      throw StoreError(error, path: name)
    }
  }

  /// Reads in one snapshot; nil if there is nothing yet.
  public func read<T>(
    in view: StorageView,
    _ body: (any RecordReader) throws -> T
  ) throws -> T? {
    try perform { try body(SQLiteReader($0, statements)) }
  }

  /// Reads what is committed, on any thread.
  public func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T? {
    try perform { try body(SQLiteReader($0, statements)) }
  }

  /// Returns all records of a list, read at once.
  public func openRows(
    _ query: RecordQuery,
    of table: RecordTable
  ) throws -> (any OpenRows)? {
    try perform {
      try ReadRows(SQLiteReader($0, statements).rows(query, of: table), table)
    }
  }

  /// Writes in one transaction, or in that of the unit.
  public func write<T>(
    savepoint: Bool,
    _ body: (any RecordWriter) throws -> T
  ) throws -> T {
    try perform { database in
      func write() throws -> T { try body(SQLiteWriter(database, statements)) }
      guard !isInUnit else { return try database.inPart(write) }
      try database.execute(cached: "BEGIN")
      do {
        let result = try write()
        try database.execute(cached: "COMMIT")
        return result
      } catch {
        try database.execute(cached: "ROLLBACK")
        throw error
      }
    }
  }

  /// Begins the transaction of a unit.
  public func beginUnit() throws {
    try perform { try $0.execute(sql: "BEGIN") }
    isInUnit = true
  }

  /// Commits the transaction of a unit.
  public func commitUnit() throws {
    isInUnit = false
    try perform { try $0.execute(sql: "COMMIT") }
  }

  /// Rolls back the transaction of a unit.
  public func rollBackUnit() {
    isInUnit = false
    try? perform { try $0.execute(sql: "ROLLBACK") }
  }

  /// Returns a watch that reports nothing: no other process can write.
  public func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    report: @escaping @Sendable (StoreError?) -> Void
  ) -> any StoreWatching { Silence() }

  private final class Silence: StoreWatching {}

  /// Examines the database.
  public func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    StoreReport(path: name, findings: try perform { try contents(SQLiteReader($0, statements)) })
  }

  /// - Throws: Always: there is no file to copy.
  public func backUp(to path: String) throws -> StoreCopy {
    throw StoreError(path: name, "is gone with the program; there is no copy of it")
  }
}
