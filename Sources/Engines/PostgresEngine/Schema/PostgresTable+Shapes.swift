import EventRecords

/// What an earlier version stored in another form.
extension PostgresTable {
  /// Brings a column that is there to the form of this version.
  func change(_ index: Int, from type: String, to value: String) throws {
    let (column, quoted) = (table.column(index), PostgresNames.column(index, table))
    if !column.ranks.isEmpty, type == StoredType.integer.sql {
      try convertRanks(column, quoted)
    } else if type != column.type.sql {
      throw StoreError(table, column, stored: type, declared: column.type.sql, schema.address.name)
    }
    for former in column.formerNames {
      try connection.send(
        "UPDATE \(name) SET \(quoted) = $1 WHERE \(quoted) = $2",
        [.text(former.value), .text(former.name)]
      )
    }
    // The column was optional once: a missing value becomes that of a new record.
    if !column.isOptional {
      try connection.send("UPDATE \(name) SET \(quoted) = \(value) WHERE \(quoted) IS NULL")
      try connection.send("ALTER TABLE \(name) ALTER COLUMN \(quoted) SET DEFAULT \(value)")
    }
  }

  /// Replaces the ranks in a column by their names: earlier versions stored ranks.
  private func convertRanks(_ column: RecordColumn, _ quoted: String) throws {
    let index = PostgresNames.quoted("record_\(table.storedKind):\(column.name)")
    try connection.send("DROP INDEX IF EXISTS \(schema.names.schema).\(index)")
    try connection.send("ALTER TABLE \(name) ALTER COLUMN \(quoted) DROP DEFAULT")
    try connection.send(
      """
      ALTER TABLE \(name) ALTER COLUMN \(quoted) TYPE TEXT COLLATE "C"
      USING \(column.nameOfRank(quoted))
      """
    )
  }

  /// Converts the values of a column, and removes it: earlier versions can't use the list from then on.
  func convert(
    _ former: String,
    _ type: String?,
    by conversion: FieldConversion,
    to index: Int
  ) throws {
    let (column, new) = (table.column(index), PostgresNames.column(index, table))
    let (old, store) = (PostgresNames.quoted(former), schema.address.name)
    if conversion.isCast {
      let cast = "\(old)::\(column.type.sql)"
      let lossy = try connection.ask(
        "SELECT _number FROM \(name) WHERE \(cast)::numeric <> \(old)::numeric LIMIT 1"
      )
      if lossy.count > 0 {
        let number = try lossy.integer(0, 0)
        throw StoreError(table, column, number, FieldConversion.loss, path: store)
      }
      try connection.send("UPDATE \(name) SET \(new) = \(cast) WHERE \(old) IS NOT NULL")
    } else {
      try forEachRow([old]) { number, texts in
        guard let text = texts[0] else { return }
        let value: StoredValue
        do {
          value = try conversion.converted(StoredValue(text, ofType: type))
        } catch {
          throw StoreError(table, column, number, conversion.reason(error), path: store)
        }
        try connection.send(
          "UPDATE \(name) SET \(new) = $1 WHERE _number = $2",
          [value, .integer(Int64(number))]
        )
      }
    }
    // Its indexes go with it.
    try connection.send("ALTER TABLE \(name) DROP COLUMN \(old)")
    try connection.send(
      "DELETE FROM \(schema.names.declaration) WHERE kind = $1",
      [.text(table.storedKind)]
    )
  }

  /// Takes over what a version has stored under a later name of a field before it declared the rename.
  func takeLaterNames() throws {
    let types = try types()
    let defaults = try table.defaults()
    var isChanged = false
    for index in 0..<table.count {
      let column = table.column(index)
      for later in column.laterNames where types[later] == column.type.sql {
        let (later, value) = (PostgresNames.quoted(later), defaults[index].sqlConstant)
        try connection.send(
          """
          UPDATE \(name) SET \(PostgresNames.column(index, table)) = \(later), \(later) = \(value)
          WHERE \(later) IS DISTINCT FROM \(value)
          """
        )
        isChanged = true
      }
    }
    if isChanged, table.isSearched { try fillTexts() }
  }
}

extension PostgresSchema {
  /// Asks the database in a snapshot.
  typealias Asking = (_ sql: String, _ values: [StoredValue]) throws -> PostgresResult

  /// Returns what the tables have that this version does not read, a sentence each.
  func unread(_ ask: Asking) throws -> [String] {
    try tables.flatMap { table in
      try table.unread(types(of: table, ask).keys)
        .compactMap { name in
          // Neither nothing, nor what most new records have.
          let found = try ask(
            """
            SELECT count(*) FROM \(names.table(table))
            WHERE \(PostgresNames.quoted(name))::text NOT IN ('', '[]', '0')
            """,
            []
          )
          let count = try found.integer(0, 0)
          return count > 0 ? table.unread(name, of: count) : nil
        }
    }
  }

  /// Returns the types of a table's columns by their names.
  func types(of table: RecordTable, _ ask: Asking) throws -> [String: String] {
    let found = try ask(
      """
      SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
      """,
      [.text(names.table(table))]
    )
    var types: [String: String] = [:]
    for row in 0..<found.count { types[found.text(row, 0) ?? ""] = found.text(row, 1) }
    return types
  }
}

extension StoredValue {
  /// Reads the text of a value of a column.
  fileprivate init(_ text: String, ofType type: String?) {
    let number: StoredValue? =
      switch type {
      case StoredType.integer.sql: Int64(text).map { .integer($0) }
      case StoredType.real.sql: Double(text).map { .real($0) }
      default: nil
      }
    self = number ?? .text(text)
  }
}
