import EventRecords
import GRDB

/// What an earlier version stored in another form.
extension DeclaredTable {
  /// Whether values have to be converted.
  func converts() throws -> Bool {
    let known = try types()
    return (0..<table.count).map(table.column)
      .contains { column in
        guard let type = known[column.name] else {
          return column.former.contains { known[$0.name] != nil }
        }
        return !column.ranks.isEmpty && type == StoredType.integer.sql
      }
  }

  /// Brings a column that is there to the form of this version.
  func change(_ index: Int, from type: String, to value: StoredValue) throws {
    let (column, name) = (table.column(index), names.columns[index])
    if !column.ranks.isEmpty, type == StoredType.integer.sql {
      try convertRanks(column, name, value)
    } else if type != column.type.sql {
      throw StoreError(table, column, stored: type, declared: column.type.sql)
    }
    for former in column.formerNames {
      try database.run(
        "UPDATE \(names.table) SET \(name) = ? WHERE \(name) = ?",
        [.text(former.value), .text(former.name)]
      )
    }
    // The column was optional once: a missing value becomes that of a new record.
    if !column.isOptional {
      try database.execute(
        sql: "UPDATE \(names.table) SET \(name) = \(value.sqlConstant) WHERE \(name) IS NULL"
      )
    }
  }

  /// Replaces the ranks in a column by their names: earlier versions stored ranks.
  private func convertRanks(_ column: RecordColumn, _ name: String, _ value: StoredValue) throws {
    let rest = column.isOptional ? "" : " DEFAULT \(value.sqlConstant)"
    try database.execute(
      sql: """
        ALTER TABLE \(names.table) ADD COLUMN _names TEXT\(rest);
        UPDATE \(names.table) SET _names = \(column.nameOfRank(name));
        """
    )
    try drop(name)
    try database.execute(sql: "ALTER TABLE \(names.table) RENAME COLUMN _names TO \(name)")
  }

  /// Converts the values of a column, and removes it: earlier versions refuse the store from then on.
  func convert(_ former: String, by conversion: FieldConversion, to index: Int) throws {
    let column = table.column(index)
    let (old, new) = ("\"\(former)\"", names.columns[index])
    if conversion.isCast {
      let cast = "CAST(\(old) AS \(column.type.sql))"
      let lossy = try Int.fetchOne(
        database,
        sql: "SELECT _number FROM \(names.table) WHERE CAST(\(cast) AS INTEGER) <> \(old) LIMIT 1"
      )
      if let lossy { throw StoreError(table, column, lossy, FieldConversion.loss) }
      try database.execute(
        sql: "UPDATE \(names.table) SET \(new) = \(cast) WHERE \(old) IS NOT NULL"
      )
    } else {
      let write = "UPDATE \(names.table) SET \(new) = ? WHERE _number = ?"
      try forEachRow([old]) { number, values in
        let value: StoredValue
        do {
          value = try conversion.converted(values[0].get())
        } catch {
          throw StoreError(table, column, number, conversion.reason(error))
        }
        if value != .null { try database.run(write, [value, .integer(Int64(number))]) }
      }
    }
    try drop(old)
    try database.run("DELETE FROM declaration WHERE kind = ?", [.text(table.storedKind)])
  }

  /// Drops a column, and the indexes that have it in a column or an expression, as SQLite demands.
  private func drop(_ column: String) throws {
    let indexes = try String.fetchAll(
      database,
      sql: """
        SELECT item.name FROM sqlite_schema AS item WHERE type = 'index' AND tbl_name = ?1 AND (
          instr(item.sql, ?2) OR ?2 IN (SELECT '"' || name || '"' FROM pragma_index_info(item.name))
        )
        """,
      arguments: [names.plain, column]
    )
    for index in indexes { try database.execute(sql: "DROP INDEX \"\(index)\"") }
    try database.execute(sql: "ALTER TABLE \(names.table) DROP COLUMN \(column)")
  }

  /// Takes over what a version has stored under a later name of a field before it declared the rename.
  func takeLaterNames() throws {
    let types = try types()
    let defaults = try table.defaults()
    var isChanged = false
    for index in 0..<table.count {
      let column = table.column(index)
      for later in column.laterNames where types[later] == column.type.sql {
        let (name, value) = ("\"\(later)\"", defaults[index].sqlConstant)
        try database.execute(
          sql:
            "UPDATE \(names.table) SET \(names.columns[index]) = \(name), \(name) = \(value) "
            + "WHERE \(name) IS NOT \(value)"
        )
        isChanged = isChanged || database.changesCount > 0
      }
    }
    if isChanged, table.isSearched { try fillTexts() }
  }

  /// Returns what the table has that this version does not read, a sentence each.
  func unread() throws -> [String] {
    try table.unread(types().keys)
      .compactMap { name in
        // Neither nothing, nor what most new records have.
        let count = try Int.fetchOne(
          database,
          sql: "SELECT count(*) FROM \(names.table) "
            + "WHERE CAST(\"\(name)\" AS TEXT) NOT IN ('', '[]', '0', '0.0')"
        )
        return count.flatMap { $0 > 0 ? table.unread(name, of: $0) : nil }
      }
  }
}
