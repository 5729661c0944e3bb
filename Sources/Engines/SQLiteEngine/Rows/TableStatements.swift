import EventMVVM
import EventRecords
import JSONText

/// The texts of statements on the tables, each made once.
final class TableStatements: Sendable {
  private let known = Locked<[String: TableSQL]>([:])

  func sql(_ table: RecordTable) -> TableSQL {
    let kind = table.kind
    return known.withLock { known in
      if let sql = known[kind] { return sql }
      let sql = TableSQL(table)
      known[kind] = sql
      return sql
    }
  }
}

/// The texts of statements on one table.
final class TableSQL: Sendable {
  let names: TableNames
  /// The beginning of a statement that reads rows.
  let select: String
  let row: String
  let insert: String
  let remove: String
  /// The text that is searched; for a row of a version that searches no text, its fields in one
  /// case, as far as SQLite can convert it.
  let searched: String

  init(_ table: RecordTable) {
    let names = TableNames(table)
    self.names = names
    let columns = names.columns.map { ", \($0)" }.joined(by: "")
    select = "SELECT _number, _revision\(columns) FROM \(names.table)"
    row = select + " WHERE _number = ?"
    insert =
      "INSERT INTO \(names.table) (_number, _revision, _text\(columns)) VALUES (?, ?, ?"
      + String(repeating: ", ?", count: table.count) + ")"
    remove = "DELETE FROM \(names.table) WHERE _number = ?"
    let texts = names.columns.indices.filter { table.column($0).traits.contains(.searched) }
      .map { "ifnull(\(names.columns[$0]), '')" }
    searched =
      texts.isEmpty
      ? "''" : "ifnull(_text, lower(\(texts.joined(by: " || char(10) || "))))"
  }
}
