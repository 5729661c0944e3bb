import EventMVVM
import EventRecords

/// All records that a statement found: a result is a snapshot that needs no server any more.
final class PostgresRows: RecordRows {
  private let result: PostgresResult
  private let table: RecordTable
  /// The index of the next record.
  private var index = 0
  /// The number of records.
  var count: Int { result.count }

  init(_ result: PostgresResult, _ table: RecordTable) {
    self.result = result
    self.table = table
  }

  func next() -> (any RecordRow)? {
    guard index < result.count else { return nil }
    defer { index += 1 }
    return Row(result, table, index)
  }

  private final class Row: RecordRow {
    let number: Int
    let revision: Int
    private let result: PostgresResult
    private let table: RecordTable
    private let index: Int

    init(_ result: PostgresResult, _ table: RecordTable, _ index: Int) {
      self.result = result
      self.table = table
      self.index = index
      // These columns are whole numbers, and never null.
      number = (try? result.integer(index, 0)) ?? 0
      revision = (try? result.integer(index, 1)) ?? 0
    }

    func value(_ column: Int) throws -> StoredValue {
      guard let text = result.text(index, column + 2) else { return .null }
      switch table.column(column).type {
      case .text: return .text(text)
      case .integer: if let number = Int64(text) { return .integer(number) }
      case .real: if let number = Double(text) { return .real(number) }
      }
      throw StoreError(path: "", "'\(text)' in '\(table.column(column).name)' is no number")
    }
  }
}

/// All records that a query finds, a part at a time: the server finds the next part while one is read.
///
/// The snapshot on the server lasts until all records are read, or this object is released.
final class OpenPostgresRows: OpenRows, @unchecked Sendable {
  // Unchecked: one thread at a time reads, as `OpenRows` demands.
  private let snapshot: PostgresSession.Snapshot
  private let table: RecordTable
  private let explain: @Sendable (PostgresConnection.Problem) -> StoreError
  private let release: @Sendable () -> Void
  private var part: PostgresRows
  /// Whether the server has the next part; it has none after one that was not full.
  private var hasNext = false

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - table: The table.
  ///   - names: The names of the list.
  ///   - snapshot: A snapshot that has not begun, of a session without another use.
  ///   - explain: Creates the error of a problem while rows are read.
  ///   - release: Called at the end, when the session has no use any more.
  /// - Throws: A ``PostgresConnection/Problem``.
  init(
    _ query: RecordQuery,
    of table: RecordTable,
    _ names: PostgresNames,
    in snapshot: PostgresSession.Snapshot,
    explain: @escaping @Sendable (PostgresConnection.Problem) -> StoreError,
    release: @escaping @Sendable () -> Void
  ) throws {
    (self.snapshot, self.table) = (snapshot, table)
    (self.explain, self.release) = (explain, release)
    var text = PostgresQuery(names, table)
    let sql = text.rows(query)
    part = PostgresRows(try snapshot.open(sql, text.values), table)
    try fetch()
  }

  deinit {
    snapshot.end()
    release()
  }

  /// Asks for the part after this one, or ends the snapshot.
  private func fetch() throws {
    hasNext = part.count == PostgresSession.Snapshot.part
    if hasNext { try snapshot.fetch() } else { snapshot.end() }
  }

  func read<T>(_ body: (any RecordRows) throws -> T) throws -> T { try body(Rest(self)) }

  private func next() throws -> (any RecordRow)? {
    if let row = part.next() { return row }
    guard hasNext else { return nil }
    do {
      part = PostgresRows(try snapshot.fetched(), table)
      try fetch()
    } catch let problem as PostgresConnection.Problem {
      throw explain(problem)
    }
    return part.next()
  }

  /// The rows that have not been read.
  private final class Rest: RecordRows {
    private let rows: OpenPostgresRows
    init(_ rows: OpenPostgresRows) { self.rows = rows }
    func next() throws -> (any RecordRow)? { try rows.next() }
  }
}
