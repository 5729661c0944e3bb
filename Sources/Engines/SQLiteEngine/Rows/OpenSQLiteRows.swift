import EventRecords
import GRDB

/// The records of a list that is read in parts, in one snapshot, on a connection of its own.
final class OpenSQLiteRows: OpenRows, @unchecked Sendable {
  // Unchecked: the rows are used inside the connection's queue alone.
  private let connection: StoreConnection
  private var found: (any RecordRows)?

  /// Begins a snapshot and a list in it.
  init(
    _ connection: StoreConnection,
    _ statements: TableStatements,
    _ query: RecordQuery,
    of table: RecordTable
  ) throws {
    self.connection = connection
    found = try connection.queue.inDatabase { database in
      try database.execute(sql: "BEGIN")
      return try SQLiteReader(database, statements).rows(query, of: table)
    }
  }

  deinit {
    connection.queue.inDatabase { _ in found = nil }
  }

  func read<T>(_ body: (any RecordRows) throws -> T) throws -> T {
    do {
      return try connection.queue.inDatabase { _ in
        guard let found else {
          throw StoreError(path: connection.files.path, "is not being read any more")
        }
        return try body(found)
      }
    } catch let error as DatabaseError {
      throw StoreError(error, path: connection.files.path)
    }
  }
}
