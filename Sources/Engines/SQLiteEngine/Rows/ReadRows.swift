import EventMVVM
package import EventRecords

/// Rows that were all read at once, for engines that can't hold a snapshot open.
package final class ReadRows: OpenRows {
  private final class Row: RecordRow, Sendable {
    let number: Int
    let revision: Int
    private let values: [StoredValue]

    init(_ row: any RecordRow, _ table: RecordTable) throws {
      number = row.number
      revision = row.revision
      values = try (0..<table.count).map { try row.value($0) }
    }

    func value(_ column: Int) throws -> StoredValue { values[column] }
  }

  private final class Rest: RecordRows {
    private let rows: Locked<ArraySlice<Row>>

    init(_ rows: Locked<ArraySlice<Row>>) { self.rows = rows }

    func next() -> (any RecordRow)? { rows.withLock { $0.popFirst() } }
  }

  private let rest: Locked<ArraySlice<Row>>

  /// Reads all rows.
  package init(_ found: any RecordRows, _ table: RecordTable) throws {
    var rows: [Row] = []
    while let row = try found.next() {
      rows.append(try Row(row, table))
    }
    rest = Locked(rows[...])
  }

  package func read<T>(_ body: (any RecordRows) throws -> T) throws -> T { try body(Rest(rest)) }
}
