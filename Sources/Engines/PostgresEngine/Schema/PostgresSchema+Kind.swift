import EventRecords

/// The table of a kind, its columns, its sets and its indexes.
extension PostgresSchema {
  /// Creates what is missing of the table of a kind; inside a transaction.
  func make(_ table: RecordTable, _ connection: PostgresConnection) throws {
    try checkLengths(table)
    let name = names.table(table)
    try connection.send(
      """
      CREATE TABLE IF NOT EXISTS \(name) (
        _number BIGINT PRIMARY KEY, _revision BIGINT NOT NULL, _text TEXT COLLATE "C"
      )
      """
    )
    let found = try connection.ask(
      """
      SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
      """,
      [.text(name)]
    )
    var known: [String: String] = [:]
    for row in 0..<found.count { known[found.text(row, 0) ?? ""] = found.text(row, 1) }
    let defaults = try table.defaults()
    for index in 0..<table.count {
      let column = table.column(index)
      try make(
        column,
        index,
        table,
        as: defaults[index].sqlConstant,
        known[column.name],
        connection
      )
    }
    for order in table.orders {
      let columns = order.map { PostgresNames.column($0, table) }.joined(separator: ", ")
      let plain = order.map { table.column($0).name }.joined(separator: ",")
      try makeIndex(plain, columns, table, connection)
    }
    if table.isSearched { try fillTexts(table, connection) }
  }

  private func make(
    _ column: RecordColumn,
    _ index: Int,
    _ table: RecordTable,
    as value: String,
    _ known: String?,
    _ connection: PostgresConnection
  ) throws {
    let (name, type) = (names.table(table), column.type.sql)
    let quoted = PostgresNames.column(index, table)
    if let known {
      guard known == type else {
        throw StoreError(
          path: address.name,
          "keeps the field '\(column.name)' of a \(table.kind) as \(known), "
            + "and this version of the program takes it for \(type): it has to have another name"
        )
      }
      // The column was optional once: a missing value becomes that of a new record.
      if !column.isOptional {
        try connection.send("UPDATE \(name) SET \(quoted) = \(value) WHERE \(quoted) IS NULL")
        try connection.send("ALTER TABLE \(name) ALTER COLUMN \(quoted) SET DEFAULT \(value)")
      }
    } else {
      let collation = column.type == .text ? " COLLATE \"C\"" : ""
      let rest = column.isOptional ? "" : " DEFAULT \(value)"
      try connection.send("ALTER TABLE \(name) ADD COLUMN \(quoted) \(type)\(collation)\(rest)")
    }
    if column.isSet {
      try makeSet(column.name, quoted, table, connection)
    } else if column.traits.contains(.indexed) {
      try makeIndex(column.name, quoted, table, connection)
    }
  }

  private func makeIndex(
    _ plain: String,
    _ columns: String,
    _ table: RecordTable,
    _ connection: PostgresConnection
  ) throws {
    let index = PostgresNames.quoted("record_\(table.kind):\(plain)")
    try connection.send(
      "CREATE INDEX IF NOT EXISTS \(index) ON \(names.table(table)) (\(columns))"
    )
  }

  private func makeSet(
    _ column: String,
    _ quoted: String,
    _ table: RecordTable,
    _ connection: PostgresConnection
  ) throws {
    let (set, plain) = (names.set(column, table), PostgresNames.plainSet(column, table))
    let name = names.table(table)
    try connection.send(
      """
      CREATE TABLE IF NOT EXISTS \(set) (
        name TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, number)
      )
      """
    )
    try connection.send(
      """
      CREATE INDEX IF NOT EXISTS \(PostgresNames.quoted("\(plain):number")) ON \(set) (number)
      """
    )
    try makeFunction(of: column, in: "record_\(table.kind)", on: connection)
    try connection.send(
      "UPDATE \(name) SET \(quoted) = \(quoted) WHERE \(quoted) <> '[]'"
    )
  }

  /// Fills the searched text of records that were stored before a version declared one.
  private func fillTexts(_ table: RecordTable, _ connection: PostgresConnection) throws {
    let columns = (0..<table.count).filter { table.column($0).traits.contains(.searched) }
    let list = columns.map { ", " + PostgresNames.column($0, table) }.joined()
    let name = names.table(table)
    let rows = try connection.ask("SELECT _number\(list) FROM \(name)")
    for row in 0..<rows.count {
      let texts = columns.indices.compactMap { rows.text(row, $0 + 1) }
      try connection.send(
        "UPDATE \(name) SET _text = $1 WHERE _number = $2",
        [
          .text(texts.joined(separator: "\n").searchForm),
          .integer(Int64(try rows.integer(row, 0))),
        ]
      )
    }
  }

  /// PostgreSQL would cut names off, and take one for another.
  private func checkLengths(_ table: RecordTable) throws {
    let columns = (0..<table.count).map { table.column($0) }
    let names = columns.map { $0.isSet ? PostgresNames.plainSet($0.name, table) : $0.name }
    for name in names + ["record_\(table.kind)"] where name.utf8.count > PostgresAddress.longestName
    {
      throw StoreError(
        path: address.name,
        "can't keep '\(name)': a name has at most \(PostgresAddress.longestName) bytes."
      )
    }
  }
}

extension StoredType {
  /// As PostgreSQL calls it.
  fileprivate var sql: String {
    switch self {
    case .integer: "bigint"
    case .real: "double precision"
    case .text: "text"
    }
  }
}
