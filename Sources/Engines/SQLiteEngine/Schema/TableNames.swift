import EventRecords

/// The quoted names of a table, its columns and its indexes.
struct TableNames: Sendable {
  /// The name of the table, without quotes.
  let plain: String
  /// The table.
  let table: String
  /// Its columns.
  let columns: [String]
  /// The expressions by which the values of its columns are compared.
  let keys: [String]

  /// Creates the names of a table; of that of another kind if one is named.
  init(_ table: RecordTable, of kind: String? = nil) {
    plain = "record_\(kind ?? table.storedKind)"
    self.table = "\"\(plain)\""
    var (columns, keys): ([String], [String]) = ([], [])
    for index in 0..<table.count {
      let column = table.column(index)
      columns.append("\"\(column.name)\"")
      keys.append(column.key(columns[index]))
    }
    (self.columns, self.keys) = (columns, keys)
  }

  /// The names in a set, without quotes.
  func plainSet(_ column: String) -> String { "\(plain).\(column)" }
  /// The names in a set.
  func set(_ column: String) -> String { "\"\(plainSet(column))\"" }
  /// The index of a column.
  func index(_ column: String) -> String { "\"\(plain):\(column)\"" }
}
