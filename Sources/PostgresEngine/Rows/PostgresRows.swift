import EventMVVM
import EventRecords

/// All records that a statement found: a result is a snapshot that needs no server any more.
final class PostgresRows: RecordRows {
  private let result: PostgresResult
  private let table: RecordTable
  /// The index of the next record.
  private(set) var index: Int

  init(_ result: PostgresResult, _ table: RecordTable, from index: Int = 0) {
    self.result = result
    self.table = table
    self.index = index
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

/// The same records in parts, on any thread.
final class OpenPostgresRows: OpenRows {
  private let result: PostgresResult
  private let table: RecordTable
  private let read = Locked(0)

  init(_ result: PostgresResult, _ table: RecordTable) {
    self.result = result
    self.table = table
  }

  func read<T>(_ body: (any RecordRows) throws -> T) throws -> T {
    let rows = PostgresRows(result, table, from: read.withLock { $0 })
    defer { read.withLock { $0 = rows.index } }
    return try body(rows)
  }
}
