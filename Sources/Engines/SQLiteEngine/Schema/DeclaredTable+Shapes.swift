import EventRecords
import GRDB

/// What an earlier version stored in another form.
extension DeclaredTable {
  /// Whether values are to be converted or taken over, so that a copy is made before.
  func converts() throws -> Bool {
    if try hasLaterNames() { return true }
    let known = try types()
    return (0..<table.count)
      .contains { index in
        let column = table.column(index)
        guard let type = known[column.name] else {
          return table.former(index).contains { known[$0.name] != nil }
        }
        return !column.ranks.isEmpty && type == StoredType.integer.sql
      }
  }

  /// Whether a version has stored something under a later name before it declared the rename.
  func hasLaterNames() throws -> Bool {
    for kind in table.laterKinds where try database.tableExists("record_\(kind)") { return true }
    let known = try types()
    return (0..<table.count)
      .contains { table.laterColumns(of: $0, among: known.keys) != nil }
  }

  /// Brings a column that is there to the form of this version.
  func change(_ index: Int, from type: String, to value: StoredValue) throws {
    let (column, name) = (table.column(index), names.columns[index])
    if !column.ranks.isEmpty, type == StoredType.integer.sql {
      try convertRanks(column.name, column.ranks, column.isOptional ? nil : value)
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
  ///
  /// The log has the names. So a rank means the value that it had when it was written, whatever the order of the
  /// cases is today.
  private func convertRanks(
    _ column: String,
    _ ranks: [RankedName],
    _ value: StoredValue?
  ) throws {
    let name = "\"\(column)\""
    let logged = "CASE WHEN json_valid(after) THEN json_extract(after, \(path(column))) END"
    try database.execute(
      sql: """
        ALTER TABLE \(names.table) ADD COLUMN _names TEXT\(value.map { " DEFAULT \($0.sqlConstant)" } ?? "");
        UPDATE \(names.table) SET _names = coalesce((
          SELECT \(logged) FROM change WHERE record = _number AND \(logged) IS NOT NULL
          ORDER BY revision DESC LIMIT 1
        ), \(ranks.name(ofRankIn: name)), \(name)) WHERE \(name) IS NOT NULL;
        """
    )
    try drop(column)
    try database.execute(sql: "ALTER TABLE \(names.table) RENAME COLUMN _names TO \(name)")
  }

  /// Converts the values of a column, and removes it: earlier versions refuse the store from then on.
  func convert(_ former: String, by conversion: FieldConversion, to index: Int) throws {
    let column = table.column(index)
    let (old, new) = ("\"\(former)\"", names.columns[index])
    if !conversion.ranks.isEmpty, try types()[former] == StoredType.integer.sql {
      try convertRanks(former, conversion.ranks, nil)
    }
    if conversion.isCast {
      let cast = "CAST(\(old) AS \(column.type.sql))"
      let lossy = try Int.fetchOne(
        database,
        sql: "SELECT _number FROM \(names.table) WHERE \(column.isLossy(old)) LIMIT 1"
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
          throw StoreError(table, column, number, FieldConversion.reason(error))
        }
        if value != .null { try database.run(write, [value, .integer(Int64(number))]) }
      }
    }
    try drop(former)
    try database.run("DELETE FROM declaration WHERE kind = ?", [.text(table.storedKind)])
  }

  /// Drops a column, and what SQLite demands to be dropped before: the indexes that have it in a column or an
  /// expression, and what maintains the names in a set.
  private func drop(_ column: String) throws {
    try dropSet(column)
    let name = "\"\(column)\""
    let indexes = try String.fetchAll(
      database,
      sql: """
        SELECT item.name FROM sqlite_schema AS item WHERE type = 'index' AND tbl_name = ?1 AND (
          instr(item.sql, ?2) OR ?2 IN (SELECT '"' || name || '"' FROM pragma_index_info(item.name))
        )
        """,
      arguments: [names.plain, name]
    )
    for index in indexes { try database.execute(sql: "DROP INDEX \"\(index)\"") }
    try database.execute(sql: "ALTER TABLE \(names.table) DROP COLUMN \(name)")
  }

  /// Drops the table of the names in a set, and its triggers, if there is one.
  private func dropSet(_ column: String) throws {
    let set = names.plainSet(column)
    for event in ["insert", "update", "delete"] {
      try database.execute(sql: "DROP TRIGGER IF EXISTS \"\(set):\(event)\"")
    }
    try database.execute(sql: "DROP TABLE IF EXISTS \"\(set)\"")
  }

  /// Moves the records that a version has stored under another name of the kind, in today's form.
  func takeRecords(of kind: String) throws {
    let other = DeclaredTable(table, database, of: kind)
    guard try database.tableExists(other.names.plain) else { return }
    try other.make()
    let known = try types()
    let found = try other.types()
    // What another version has added stays.
    for (name, type) in found where known[name] == nil {
      try database.execute(sql: "ALTER TABLE \(names.table) ADD COLUMN \"\(name)\" \(type)")
    }
    let columns = found.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    try database.execute(
      sql: "INSERT INTO \(names.table) (\(columns)) SELECT \(columns) FROM \(other.names.table)"
    )
    for name in found.keys { try other.dropSet(name) }
    try database.execute(sql: "DROP TABLE \(other.names.table)")
  }

  /// Moves what is in the columns with later names of a field to that with its first one, where the log has them
  /// as the last that was written, and removes these columns.
  ///
  /// What a version has stored under such a name after the values were converted is not taken: it is told as
  /// what this version does not read.
  func takeLaterNames(of index: Int, _ types: [String: String]) throws {
    guard let plan = table.laterColumns(of: index, among: types.keys) else { return }
    let after = plan.types(types, rank: StoredType.integer.sql, name: StoredType.text.sql)
    for name in plan.all where after[name] != types[name] {
      try convertRanks(name, plan.ranks, nil)
    }
    if let renamed = plan.renamed {
      try dropSet(renamed)
      try database.execute(
        sql: "ALTER TABLE \(names.table) RENAME COLUMN \"\(renamed)\" TO \"\(plan.first)\""
      )
    }
    func last(_ names: [String]) -> String {
      let tests = names.map { "json_type(after, \(path($0))) IS NOT NULL" }
      return
        "coalesce((SELECT max(revision) FROM change WHERE record = _number AND json_valid(after) AND "
        + "(\(tests.joined(separator: " OR ")))), 0)"
    }
    let target = after[plan.all[0]] ?? ""
    for (name, before) in plan.taken {
      let found = after[name] ?? ""
      guard found == target else {
        throw StoreError(table, table.column(index), stored: found, declared: target)
      }
      try database.execute(
        sql: "UPDATE \(names.table) SET \"\(plan.first)\" = \"\(name)\" "
          + "WHERE \(last([name])) > \(last(before))"
      )
      try drop(name)
    }
  }

  /// The path of a member in the log, as a constant of SQL.
  private func path(_ member: String) -> String {
    StoredValue.text("$.\"\(member)\"").sqlConstant
  }

  /// Returns what the table has that this version does not read, a sentence each.
  func unread() throws -> [String] {
    let defaults = try Row.fetchAll(
      database,
      sql: "SELECT name, coalesce(dflt_value, 'NULL') FROM pragma_table_info(?)",
      arguments: [names.plain]
    )
    let values = defaults.reduce(into: [String: String]()) { $0[$1[0]] = $1[1] }
    return try table.unread(values.keys)
      .compactMap { name in
        let count = try Int.fetchOne(
          database,
          sql: "SELECT count(*) FROM \(names.table) WHERE \"\(name)\" IS NOT NULL "
            + "AND \"\(name)\" IS NOT (\(values[name] ?? "NULL"))"
        )
        return count.flatMap { $0 > 0 ? table.unread(name, of: $0) : nil }
      }
  }
}
