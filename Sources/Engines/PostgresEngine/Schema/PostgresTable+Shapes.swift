import EventRecords

/// What an earlier version stored in another form.
extension PostgresTable {
  /// Brings a column that is there to the form of this version.
  func change(_ index: Int, from type: String, to value: String) throws {
    let (column, quoted) = (table.column(index), PostgresNames.column(index, table))
    if !column.ranks.isEmpty, type == StoredType.integer.sql {
      try convertRanks(column.name, column.ranks, column.isOptional ? nil : value)
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
  ///
  /// The log has the names. So a rank means the value that it had when it was written, whatever the order of the
  /// cases is today.
  private func convertRanks(_ column: String, _ ranks: [RankedName], _ value: String?) throws {
    let (old, member) = (PostgresNames.quoted(column), StoredValue.text(column).sqlConstant)
    let rest = value.map { " DEFAULT \($0)" } ?? ""
    try connection.send("ALTER TABLE \(name) ADD COLUMN _names TEXT COLLATE \"C\"\(rest)")
    try connection.send(
      """
      UPDATE \(name) SET _names = coalesce((
        SELECT after::json ->> \(member) FROM \(schema.names.change)
        WHERE record = _number AND after::json ->> \(member) IS NOT NULL
        ORDER BY revision DESC LIMIT 1
      ), \(ranks.name(ofRankIn: old)), \(old)::text) WHERE \(old) IS NOT NULL
      """
    )
    try drop(column)
    try connection.send("ALTER TABLE \(name) RENAME COLUMN _names TO \(old)")
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
    if !conversion.ranks.isEmpty, type == StoredType.integer.sql {
      try convertRanks(former, conversion.ranks, nil)
    }
    if conversion.isCast {
      let cast = "\(old)::\(column.type.sql)"
      let lossy = try connection.ask(
        "SELECT _number FROM \(name) WHERE \(column.isLossy(old)) LIMIT 1"
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
          value = try conversion.converted(
            StoredValue(text, ofType: conversion.ranks.isEmpty ? type : nil)
          )
        } catch {
          throw StoreError(table, column, number, FieldConversion.reason(error), path: store)
        }
        try connection.send(
          "UPDATE \(name) SET \(new) = $1 WHERE _number = $2",
          [value, .integer(Int64(number))]
        )
      }
    }
    try drop(former)
    try connection.send(
      "DELETE FROM \(schema.names.declaration) WHERE kind = $1",
      [.text(table.storedKind)]
    )
  }

  /// Drops a column, with its indexes and with what maintains the names in a set.
  private func drop(_ column: String) throws {
    try dropSet(column)
    try connection.send("ALTER TABLE \(name) DROP COLUMN \(PostgresNames.quoted(column))")
  }

  /// Drops the table of the names in a set, its function and its trigger, if there is one.
  private func dropSet(_ column: String) throws {
    try connection.send("DROP TABLE IF EXISTS \(set(column))")
    try connection.send("DROP FUNCTION IF EXISTS \(set(column))() CASCADE")
  }

  /// Whether a version has stored something under a later name before it declared the rename.
  func hasLaterNames() throws -> Bool {
    for kind in table.laterKinds
    where try !PostgresTable(table, schema, connection, of: kind).types().isEmpty {
      return true
    }
    let known = try types()
    return (0..<table.count)
      .contains { table.laterColumns(of: $0, among: known.keys) != nil }
  }

  /// Moves the records that a version has stored under another name of the kind, in today's form.
  func takeRecords(of kind: String) throws {
    let other = PostgresTable(table, schema, connection, of: kind)
    guard try !other.types().isEmpty else { return }
    try other.make()
    let known = try types()
    let found = try other.types()
    // What another version has added stays.
    for (column, type) in found where known[column] == nil {
      try connection.send(
        "ALTER TABLE \(name) ADD COLUMN \(PostgresNames.quoted(column)) \(type)"
          + (type == StoredType.text.sql ? " COLLATE \"C\"" : "")
      )
    }
    let columns = found.keys.sorted().map(PostgresNames.quoted).joined(separator: ", ")
    try connection.send("INSERT INTO \(name) (\(columns)) SELECT \(columns) FROM \(other.name)")
    try connection.send("DROP TABLE \(other.name)")
    for column in found.keys { try other.dropSet(column) }
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
      try connection.send(
        "ALTER TABLE \(name) RENAME COLUMN \(PostgresNames.quoted(renamed)) "
          + "TO \(PostgresNames.quoted(plan.first))"
      )
    }
    func last(_ names: [String]) -> String {
      let tests = names.map { "after::json -> \(StoredValue.text($0).sqlConstant) IS NOT NULL" }
      return
        "coalesce((SELECT max(revision) FROM \(schema.names.change) WHERE record = _number AND "
        + "(\(tests.joined(separator: " OR ")))), 0)"
    }
    let target = after[plan.all[0]] ?? ""
    for (other, before) in plan.taken {
      let found = after[other] ?? ""
      guard found == target else {
        let column = table.column(index)
        throw StoreError(table, column, stored: found, declared: target, schema.address.name)
      }
      try connection.send(
        "UPDATE \(name) SET \(PostgresNames.quoted(plan.first)) = \(PostgresNames.quoted(other)) "
          + "WHERE \(last([other])) > \(last(before))"
      )
      try drop(other)
    }
  }
}

extension PostgresSchema {
  /// Asks the database in a snapshot.
  typealias Asking = (_ sql: String, _ values: [StoredValue]) throws -> PostgresResult

  /// Returns what the tables have that this version does not read, a sentence each.
  func unread(_ ask: Asking) throws -> [String] {
    try tables.flatMap { table in
      let found = try ask(
        """
        SELECT attname, coalesce(pg_get_expr(adbin, adrelid), 'NULL') FROM pg_attribute
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
        """,
        [.text(names.table(table))]
      )
      var values: [String: String] = [:]
      for row in 0..<found.count { values[found.text(row, 0) ?? ""] = found.text(row, 1) }
      return try table.unread(values.keys)
        .compactMap { name in
          let column = PostgresNames.quoted(name)
          let found = try ask(
            """
            SELECT count(*) FROM \(names.table(table))
            WHERE \(column) IS NOT NULL AND \(column) IS DISTINCT FROM (\(values[name] ?? "NULL"))
            """,
            []
          )
          let count = try found.integer(0, 0)
          return count > 0 ? table.unread(name, of: count) : nil
        }
    }
  }

  /// Returns the kinds that the list has and this version does not know, a sentence each.
  func unknownKinds(_ ask: Asking) throws -> [String] {
    let known = Set(tables.map { "record_\($0.storedKind)" })
    let found = try ask(
      """
      SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r'
        AND starts_with(relname, 'record_') AND strpos(relname, '.') = 0 ORDER BY 1
      """,
      [.text(names.schema)]
    )
    return try (0..<found.count).compactMap { found.text($0, 0) }.filter { !known.contains($0) }
      .compactMap { name in
        let rows = try ask(
          "SELECT count(*) FROM \(names.schema).\(PostgresNames.quoted(name))",
          []
        )
        let count = try rows.integer(0, 0)
        return count > 0 ? RecordTable.unknown("\(name.dropFirst("record_".count))", count) : nil
      }
  }

  /// Returns the types of a table's columns by their names; none if there is no such table.
  func types(of table: String, _ ask: Asking) throws -> [String: String] {
    let found = try ask(
      """
      SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      """,
      [.text("\(names.schema).\(PostgresNames.quoted(table))")]
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
