import EventRecords

/// The copy of a list before its schema changes: a schema beside it, in the same transaction.
extension PostgresSchema {
  /// Copies the list as a list of its own, which an older version of the program can use.
  ///
  /// The caller holds the counter, so that nothing is written meanwhile. The copy belongs to this
  /// role, and no other role has rights to it.
  ///
  /// - Parameters:
  ///   - revision: The end of the log, for the name of the copy.
  ///   - connection: A connection in a transaction.
  /// - Returns: The address of the copy; nil if this role may not create schemas in the database.
  /// - Throws: The error of the database, such as a full disk.
  func copy(at revision: Int, on connection: PostgresConnection) throws -> PostgresAddress? {
    let right = try connection.ask("SELECT has_database_privilege(current_database(), 'CREATE')")
    guard right.text(0, 0) == "t" else { return nil }
    let copy = PostgresSchema(
      address: address.named(try unusedName(at: revision, on: connection)),
      tables: []
    )
    try connection.send("CREATE SCHEMA \(copy.names.schema)")
    let tables = try connection.ask(
      """
      SELECT relname FROM pg_class
      WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' ORDER BY 1
      """,
      [.text(names.schema)]
    )
    for row in 0..<tables.count {
      let table = PostgresNames.quoted(tables.text(row, 0) ?? "")
      try connection.send(
        "CREATE TABLE \(copy.names.schema).\(table) (LIKE \(names.schema).\(table) INCLUDING ALL)"
      )
      try connection.send(
        "INSERT INTO \(copy.names.schema).\(table) SELECT * FROM \(names.schema).\(table)"
      )
    }
    try copy.makeFunctions(of: self, on: connection)
    return copy.address
  }

  /// Returns `NAME_at_REVISION`, with a number if there is such a schema already.
  private func unusedName(at revision: Int, on connection: PostgresConnection) throws -> String {
    var number = 1
    while true {
      let end = "_at_\(revision)" + (number == 1 ? "" : "_\(number)")
      var start = address.schema
      // PostgreSQL would cut off the end.
      while start.utf8.count + end.utf8.count > PostgresAddress.longestName { start.removeLast() }
      let found = try connection.ask(
        "SELECT to_regnamespace($1) IS NULL",
        [.text(PostgresNames.quoted(start + end))]
      )
      if found.text(0, 0) == "t" { return start + end }
      number += 1
    }
  }
}
