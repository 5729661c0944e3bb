import EventRecords

/// The tables of a list: one for each kind that any version of the program has declared, the log of
/// their changes, and the counter, which stores the log's end.
///
/// Columns have the names of SQLite's schema. What exists already is not replaced; see
/// <doc:Engines#Tables>.
struct PostgresSchema: Sendable {
  /// The version of what every list has; a program refuses a newer one, and one of before until it is updated.
  ///
  /// Version 2 has a function for each set. In version 1 one function of all sets planned its
  /// statements anew for each row. Version 3 has the names of ranked values in place of their ranks.
  static let version = 3

  let address: PostgresAddress
  let tables: [RecordTable]

  var names: PostgresNames { PostgresNames(schema: address.schema) }

  /// Creates what is missing, in one transaction, and copies a list before it is changed; other
  /// processes that do so at the same time wait.
  ///
  /// - Parameters:
  ///   - connection: A connection in no transaction.
  ///   - report: Told what the list has that this version does not read.
  /// - Returns: What was done; nil if no table was missing, or another process has done it meanwhile.
  /// - Throws: A problem of the database, or why a list can't be brought to this version.
  func make(
    on connection: PostgresConnection,
    _ report: (StoreError) -> Void
  ) throws -> SchemaChange? {
    guard try !isThere(connection) else { return nil }
    do {
      try connection.begin()
      _ = try connection.ask(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        [.text("todostream \(address.schema)")]
      )
      let change = try makeMissing(connection)
      let unread =
        try change == .created ? [] : unread(connection.ask) + unknownKinds(connection.ask)
      try connection.send("COMMIT")
      try connection.finish()
      for unread in unread { report(StoreError(path: address.name, unread)) }
      return change
    } catch {
      try? connection.send("ROLLBACK")
      _ = try? connection.finish()
      throw error
    }
  }

  /// Creates what is missing; inside a transaction that no other process has at the same time.
  private func makeMissing(_ connection: PostgresConnection) throws -> SchemaChange? {
    let found = try connection.ask(
      "SELECT to_regnamespace($1) IS NOT NULL, to_regclass($2) IS NOT NULL",
      [.text(names.schema), .text(names.declaration)]
    )
    var change = SchemaChange.created
    if found.text(0, 1) == "t" {
      // Writers wait from here to the end.
      let counter = try connection.ask(
        "SELECT revision, \(Self.check(">")) FROM \(names.counter) FOR UPDATE"
      )
      guard try !isComplete(connection) else {
        // This changes no table, so that no copy is made.
        try setPaths(connection)
        return nil
      }
      guard try hasChanges(connection) else {
        try declare(connection)
        return nil
      }
      let revision = counter.count == 1 ? try counter.integer(0, 0) : 0
      change = .updated(copy: try copy(at: revision, on: connection)?.name)
      try makeFunctions(of: self, on: connection)
      try connection.send("DROP FUNCTION IF EXISTS \(names.schema).keep_names()")
      try connection.send("UPDATE \(names.counter) SET version = \(Self.version)")
    } else if found.text(0, 0) != "t" {
      // Also where there is such a schema, PostgreSQL would demand the right to create it.
      try connection.send("CREATE SCHEMA \(names.schema)")
    }
    for statement in base { try connection.send(statement) }
    try connection.finish()
    try declare(connection)
    return change
  }

  /// Whether a table is changed, and not only a rename declared that costs nothing.
  private func hasChanges(_ connection: PostgresConnection) throws -> Bool {
    let older = try connection.ask(
      "SELECT 1 FROM \(names.counter) WHERE version < \(Self.version)"
    )
    let known = try signatures(connection)
    return
      try older.count > 0
      || tables.contains {
        try !known.contains($0.signature) || PostgresTable($0, self, connection).hasLaterNames()
      }
  }

  /// Creates what is missing of the declared tables.
  private func declare(_ connection: PostgresConnection) throws {
    func declare(_ table: RecordTable) throws {
      let insert = """
        INSERT INTO \(names.declaration) (kind, signature) VALUES ($1, $2) ON CONFLICT DO NOTHING
        """
      try connection.send(insert, [.text(table.storedKind), .integer(table.signature)])
      if let names = table.nameSignature {
        try connection.send(insert, [.text(table.storedKind + ":names"), .integer(names)])
      }
    }
    for table in tables {
      let known = try signatures(connection)
      let made = PostgresTable(table, self, connection)
      guard !table.isMade(among: known) else { continue }
      // A rename alone changes nothing.
      guard try !known.contains(table.signature) || made.hasLaterNames() else {
        try declare(table)
        continue
      }
      table.check()
      let isGrown = try made.make()
      for kind in table.laterKinds { try made.takeRecords(of: kind) }
      // A column or a table that is new may be what a version with other names takes over.
      if isGrown {
        try connection.send("DELETE FROM \(names.declaration) WHERE kind LIKE '%:names'")
      }
      try declare(table)
    }
    // What was deleted above of the tables before.
    for table in tables { try declare(table) }
  }

  // MARK: The version

  /// An expression that fails if the version in the counter is not that of this program, with an error that
  /// contains the version.
  static let versionCheck = check("<>")

  /// Returns an expression that fails if the version in the counter compares in this way to that of this
  /// program.
  private static func check(_ comparison: String) -> String {
    "(CASE WHEN version \(comparison) \(version) THEN 'schema ' || version END)::bigint"
  }

  /// Returns the version in the error of ``versionCheck``; nil for any other error.
  static func otherVersion(_ problem: PostgresConnection.Problem) -> Int? {
    // The message is in the server's language, with the text that is no number.
    guard problem.code == "22P02", let text = problem.message.firstRange(of: "schema ") else {
      return nil
    }
    return Int(problem.message[text.upperBound...].prefix { $0.isNumber })
  }

  // MARK: The tables

  private func isThere(_ connection: PostgresConnection) throws -> Bool {
    defer {
      try? connection.send("ROLLBACK")
      try? connection.synchronise()
    }
    do {
      try connection.begin("READ ONLY")
      return try isComplete(connection) && functionsWithoutPath(connection).isEmpty
    } catch let problem as PostgresConnection.Problem
      where ["3F000", "42P01"].contains(problem.code)
    {
      return false
    }
  }

  /// Whether all tables are there, and in this version.
  private func isComplete(_ connection: PostgresConnection) throws -> Bool {
    let older = try connection.ask(
      "SELECT 1 FROM \(names.counter) WHERE version < \(Self.version)"
    )
    guard older.count == 0 else { return false }
    let known = try signatures(connection)
    return tables.allSatisfy { $0.isMade(among: known) }
  }

  private func signatures(_ connection: PostgresConnection) throws -> Set<Int64> {
    let found = try connection.ask("SELECT signature FROM \(names.declaration)")
    return Set(try (0..<found.count).map { Int64(try found.integer($0, 0)) })
  }

  /// The tables of every list.
  private var base: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(names.counter) (
        version BIGINT NOT NULL, revision BIGINT NOT NULL, number BIGINT NOT NULL,
        session BIGINT, root BIGINT
      )
      """,
      """
      INSERT INTO \(names.counter) (version, revision, number)
      SELECT \(Self.version), 0, 0 WHERE NOT EXISTS (SELECT 1 FROM \(names.counter))
      """,
      """
      CREATE TABLE IF NOT EXISTS \(names.change) (
        revision BIGINT PRIMARY KEY, record BIGINT NOT NULL, kind TEXT NOT NULL, before TEXT,
        after TEXT, session BIGINT NOT NULL, root BIGINT NOT NULL, origin TEXT NOT NULL,
        at BIGINT NOT NULL, part BIGINT NOT NULL DEFAULT 0
      )
      """,
      "CREATE INDEX IF NOT EXISTS \"changeByRecord\" ON \(names.change) (record, revision)",
      "CREATE INDEX IF NOT EXISTS \"changeByRoot\" ON \(names.change) (session, root, record)",
      """
      CREATE TABLE IF NOT EXISTS \(names.step) (
        number BIGINT PRIMARY KEY, session BIGINT NOT NULL, root BIGINT NOT NULL,
        origin TEXT NOT NULL, at BIGINT NOT NULL, kind BIGINT NOT NULL, undoes BIGINT,
        "isTakenBack" BIGINT NOT NULL, UNIQUE (session, root)
      )
      """,
      "CREATE INDEX IF NOT EXISTS \"stepByState\" ON \(names.step) (kind, \"isTakenBack\", number)",
      """
      CREATE INDEX IF NOT EXISTS "stepByOrigin"
      ON \(names.step) (origin, kind, "isTakenBack", number)
      """,
      """
      CREATE TABLE IF NOT EXISTS \(names.declaration) (
        kind TEXT NOT NULL, signature BIGINT NOT NULL, PRIMARY KEY (kind, signature)
      )
      """,
    ]
  }
}
