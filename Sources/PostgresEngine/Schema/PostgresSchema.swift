import EventRecords

/// The tables of a list: one for each kind that any version of the program has declared, the log of
/// their changes, and the counter, which stores the log's end.
///
/// Columns have the names of SQLite's schema. What exists already is not replaced; see
/// <doc:Engines#Tables>.
struct PostgresSchema: Sendable {
  /// The version of the tables that are not declared; a program refuses a newer one.
  static let version = 1

  let address: PostgresAddress
  let tables: [RecordTable]

  private var names: PostgresNames { PostgresNames(schema: address.schema) }

  /// Creates what is missing, in one transaction; other processes that do so at the same time wait.
  func make(on connection: PostgresConnection) throws {
    guard try !isThere(connection) else { return }
    do {
      try connection.send("BEGIN")
      _ = try connection.ask(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        [.text("todostream \(address.schema)")]
      )
      for statement in base { try connection.send(statement) }
      try connection.finish()
      for table in try missing(connection) {
        table.check()
        try make(table, connection)
        try connection.send(
          "INSERT INTO \(names.declaration) (kind, signature) VALUES ($1, $2)",
          [.text(table.kind), .integer(table.signature)]
        )
      }
      try connection.send("COMMIT")
      try connection.finish()
    } catch {
      try? connection.send("ROLLBACK")
      _ = try? connection.finish()
      throw error
    }
  }

  private func isThere(_ connection: PostgresConnection) throws -> Bool {
    do {
      return try missing(connection).isEmpty
    } catch let problem as PostgresConnection.Problem
      where ["3F000", "42P01"].contains(problem.code)
    {
      return false
    }
  }

  private func missing(_ connection: PostgresConnection) throws -> [RecordTable] {
    let found = try connection.ask("SELECT signature FROM \(names.declaration)")
    let known = Set(try (0..<found.count).map { try found.integer($0, 0) })
    return tables.filter { !known.contains(Int($0.signature)) }
  }

  /// The tables of every list.
  private var base: [String] {
    [
      "CREATE SCHEMA IF NOT EXISTS \(names.schema)",
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
      // Triggers maintain sets, so that they are right after a write of a version that does not
      // know the set, too.
      """
      CREATE OR REPLACE FUNCTION \(names.schema).keep_names() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          EXECUTE format('DELETE FROM %I.%I WHERE number = $1', TG_TABLE_SCHEMA, TG_ARGV[0])
          USING OLD._number;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          EXECUTE format(
            'INSERT INTO %I.%I (name, number) SELECT DISTINCT value #>> ''{}'', ($1)._number '
            'FROM json_array_elements(CASE WHEN ($1).%I LIKE ''[%%'' THEN ($1).%I ELSE ''[]'' END::json) '
            'AS value WHERE json_typeof(value) = ''string''',
            TG_TABLE_SCHEMA, TG_ARGV[0], TG_ARGV[1], TG_ARGV[1]
          ) USING NEW;
        END IF;
        RETURN NULL;
      END $$
      """,
    ]
  }

  // MARK: A kind

  private func make(_ table: RecordTable, _ connection: PostgresConnection) throws {
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
    func text(_ plain: String) -> String { StoredValue.text(plain).sqlConstant }
    for statement in [
      """
      CREATE TABLE IF NOT EXISTS \(set) (
        name TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, number)
      )
      """,
      """
      CREATE INDEX IF NOT EXISTS \(PostgresNames.quoted("\(plain):number")) ON \(set) (number)
      """,
      """
      CREATE OR REPLACE TRIGGER \(PostgresNames.quoted("\(column):names"))
      AFTER INSERT OR DELETE OR UPDATE OF \(quoted) ON \(name)
      FOR EACH ROW EXECUTE FUNCTION \(names.schema).keep_names(\(text(plain)), \(text(column)))
      """,
      "UPDATE \(name) SET \(quoted) = \(quoted) WHERE \(quoted) <> '[]'",
    ] { try connection.send(statement) }
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
    for name in names + ["record_\(table.kind)"] where name.utf8.count > 63 {
      throw StoreError(path: address.name, "can't keep '\(name)': a name has at most 63 bytes.")
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
