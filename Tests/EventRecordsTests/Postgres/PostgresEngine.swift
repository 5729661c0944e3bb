import EventMVVM
import EventRecords
import Foundation
import SQLiteEngine

/// Records in PostgreSQL, as far as the contract of engines goes: it shows that the contract is not
/// SQLite's alone.
///
/// One connection, and no care for a server that is slow or gone. Used by one thread, but for the
/// watch.
final class PostgresEngine: RecordEngine, @unchecked Sendable {
  // Unchecked: one thread uses it; the watch has a connection of its own.
  private let address: String
  private let schema: String
  private var connection: PostgresConnection?
  private var failure: (any Error)?
  private var isInUnit = false

  init(_ address: String, schema: String) {
    self.address = address
    self.schema = schema
  }

  var name: String { schema }

  private func connected() throws -> PostgresConnection {
    let connection = try PostgresConnection(address)
    try connection.run("SET client_min_messages = warning; SET search_path = \(schema)")
    return connection
  }

  func open(_ tables: [RecordTable]) {
    do {
      let connection = try connected()
      self.connection = connection
      // What changes tables waits for writers, and they for it: only who is the first makes them.
      try connection.run("BEGIN; SELECT pg_advisory_xact_lock(1)")
      defer { try? connection.run("COMMIT") }
      guard try connection.query("SELECT to_regclass('\(schema).counter')")[0][0] == nil else {
        return
      }
      try connection.run(
        """
        CREATE SCHEMA IF NOT EXISTS \(schema);
        CREATE TABLE IF NOT EXISTS counter (revision BIGINT NOT NULL, number BIGINT NOT NULL);
        INSERT INTO counter SELECT 0, 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
        CREATE TABLE IF NOT EXISTS change (revision BIGINT PRIMARY KEY, record BIGINT NOT NULL,
          kind TEXT NOT NULL, before TEXT, after TEXT, session BIGINT NOT NULL, root BIGINT NOT NULL,
          part BIGINT NOT NULL, origin TEXT NOT NULL, at BIGINT NOT NULL);
        CREATE INDEX IF NOT EXISTS change_record ON change (record, revision);
        CREATE INDEX IF NOT EXISTS change_root ON change (session, root, revision);
        CREATE TABLE IF NOT EXISTS step (number BIGINT PRIMARY KEY, session BIGINT NOT NULL,
          root BIGINT NOT NULL, origin TEXT NOT NULL, at BIGINT NOT NULL, kind BIGINT NOT NULL,
          undoes BIGINT, taken_back BOOLEAN NOT NULL, UNIQUE (session, root));
        """
      )
      for table in tables {
        table.check()
        try connection.run(Self.definition(of: table))
      }
    } catch {
      failure = error
    }
  }

  private static func definition(of table: RecordTable) throws -> String {
    let name = PostgresReader.name(table)
    let defaults = try table.defaults()
    var sql = """
      CREATE TABLE IF NOT EXISTS \(name)
        (_number BIGINT PRIMARY KEY, _revision BIGINT NOT NULL, _text TEXT COLLATE "C");
      """
    for index in 0..<table.count {
      let column = table.column(index)
      let type =
        switch column.type {
        case .integer: "BIGINT"
        case .real: "DOUBLE PRECISION"
        case .text: "TEXT COLLATE \"C\""
        }
      let value = defaults[index].text.map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL"
      sql += """
        ALTER TABLE \(name) ADD COLUMN IF NOT EXISTS "\(column.name)" \(type) DEFAULT \(value);
        """
      if column.isSet {
        sql += """
          CREATE TABLE IF NOT EXISTS \(PostgresReader.set(column.name, table))
            (name TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, number));
          """
      } else if column.traits.contains(.indexed) {
        sql +=
          "CREATE INDEX IF NOT EXISTS \"\(table.kind):\(column.name)\" ON \(name) (\"\(column.name)\");"
      }
    }
    return sql
  }

  private func known() throws -> PostgresConnection {
    guard let connection else { throw failure ?? StoreError(path: schema, "is not open") }
    return connection
  }

  // MARK: Reading and writing

  func read<T>(in view: StorageView, _ body: (any RecordReader) throws -> T) throws -> T? {
    let connection = try known()
    if isInUnit { return try body(PostgresReader(connection)) }
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    defer { try? connection.run("COMMIT") }
    return try body(PostgresReader(connection))
  }

  func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T? {
    let connection = try connected()
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    return try body(PostgresReader(connection))
  }

  func openRows(_ query: RecordQuery, of table: RecordTable) throws -> (any OpenRows)? {
    try readCommitted { try ReadRows($0.rows(query, of: table), table) }
  }

  func write<T>(savepoint: Bool, _ body: (any RecordWriter) throws -> T) throws -> T {
    let connection = try known()
    if isInUnit {
      try connection.run("SAVEPOINT part")
    } else {
      try begin(connection)
    }
    do {
      let result = try body(PostgresWriter(connection))
      try connection.run(isInUnit ? "RELEASE part" : "COMMIT")
      return result
    } catch {
      try connection.run(isInUnit ? "ROLLBACK TO part" : "ROLLBACK")
      throw error
    }
  }

  /// The counter's lock has writers wait for each other, so that the order of revisions is that of
  /// the commits.
  private func begin(_ connection: PostgresConnection) throws {
    try connection.run("BEGIN; SELECT revision FROM counter FOR UPDATE")
  }

  func beginUnit() throws {
    try begin(try known())
    isInUnit = true
  }

  func commitUnit() throws {
    isInUnit = false
    try known().run("COMMIT")
  }

  func rollBackUnit() {
    isInUnit = false
    try? connection?.run("ROLLBACK")
  }

  // MARK: Others, and care

  func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    failed: @escaping @Sendable (StoreError) -> Void
  ) -> any StoreWatching {
    let watch = PostgresWatch()
    do {
      let connection = try connected()
      let box = Locked((connection, try PostgresReader(connection).end().revision))
      Thread.detachNewThread { [weak watch] in
        while watch != nil {
          do {
            try box.withLock { $0.1 = try read(PostgresReader($0.0), $0.1).revision }
          } catch {
            return failed(StoreError(path: "postgres", "\(error)"))
          }
          // A small engine polls; a real one listens.
          usleep(10_000)
        }
      }
    } catch {
      failed(StoreError(path: schema, "\(error)"))
    }
    return watch
  }

  private final class PostgresWatch: StoreWatching {}

  func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    StoreReport(path: schema, findings: try readCommitted(contents) ?? [])
  }

  func backUp(to path: String) throws -> StoreCopy {
    throw StoreError(path: schema, "is copied by 'pg_dump'")
  }
}

/// Reads by a connection.
class PostgresReader: RecordReader {
  let connection: PostgresConnection

  init(_ connection: PostgresConnection) { self.connection = connection }

  static func name(_ table: RecordTable) -> String { "\"record_\(table.kind)\"" }
  static func set(_ column: String, _ table: RecordTable) -> String {
    "\"record_\(table.kind).\(column)\""
  }

  private func select(_ table: RecordTable) -> String {
    let columns = (0..<table.count).map { ", \"\(table.column($0).name)\"" }.joined()
    return "SELECT _number, _revision\(columns) FROM \(Self.name(table))"
  }

  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)? {
    try connection.query(select(table) + " WHERE _number = $1", ["\(number)"]).first
      .map { PostgresRow(table, $0) }
  }

  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows {
    let (rest, values) = PostgresQuery.rest(query, table)
    return PostgresRows(table, try connection.query(select(table) + rest, values))
  }

  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int {
    var query = PostgresQuery(table)
    let sql = "SELECT count(*) FROM \(Self.name(table)) WHERE \(query.term(condition))"
    return try connection.query(sql, query.values).first?[0].flatMap { Int($0) } ?? 0
  }

  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws -> [RecordLabel] {
    let column = table.column(column)
    let field = column.isSet ? "name" : "\"\(column.name)\""
    let source = column.isSet ? Self.set(column.name, table) : Self.name(table)
    return
      try connection.query(
        """
        SELECT \(field), count(*) FROM \(source) WHERE starts_with(\(field), $1)
        GROUP BY \(field) ORDER BY \(field) LIMIT $2
        """,
        [prefix, "\(limit)"]
      )
      .map { RecordLabel($0[0] ?? "", count: $0[1].flatMap { Int($0) } ?? 0) }
  }

  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String {
    let (rest, values) = PostgresQuery.rest(query, table)
    return try connection.query("EXPLAIN " + select(table) + rest, values)
      .compactMap { $0[0] }.joined(separator: "; ")
  }

  // MARK: The change log

  func end() throws -> LogEnd {
    let counter = try connection.query("SELECT revision, number FROM counter")[0]
    let last = try connection.query(
      "SELECT session, root FROM change ORDER BY revision DESC LIMIT 1"
    )
    return LogEnd(
      revision: try integer(counter[0]),
      number: try integer(counter[1]),
      root: try last.first.map { try root($0, 0) }
    )
  }

  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange] {
    let (condition, values) =
      switch query {
      case .after(let revision): ("revision > $2 ORDER BY revision", [revision])
      case .ofRecord(let number, let revision):
        ("record = $2 AND revision > $3 ORDER BY revision DESC", [number, revision])
      case .ofRoot(let root, nil):
        ("session = $2 AND root = $3 ORDER BY revision", Self.numbers(root))
      case .ofRoot(let root, let number?):
        (
          "session = $2 AND root = $3 AND record = $4 ORDER BY revision",
          Self.numbers(root) + [number]
        )
      case .ofTransaction(let id):
        (
          "session = $2 AND root = $3 AND part = $4 ORDER BY revision",
          Self.numbers(id.root) + [id.ordinal]
        )
      }
    return
      try connection.query(
        """
        SELECT revision, record, kind, before, after, session, root, part, origin, at FROM change
        WHERE \(condition) LIMIT $1
        """,
        (["\(limit)"] + values.map { "\($0)" }) as [String?]
      )
      .map { row in
        LoggedChange(
          revision: try integer(row[0]),
          number: try integer(row[1]),
          kind: row[2] ?? "",
          before: row[3],
          after: row[4],
          transaction: TransactionID(try root(row, 5), try integer(row[7])),
          origin: row[8] ?? "",
          time: Instant(milliseconds: Int64(try integer(row[9])))
        )
      }
  }

  func steps(_ query: StepQuery) throws -> [Step] {
    switch query {
    case .newest(let count): try steps("TRUE ORDER BY number DESC LIMIT \(count)")
    case .number(let number): try steps("number = \(number)")
    case .root(let root):
      try steps("session = \(Self.numbers(root)[0]) AND root = \(Self.numbers(root)[1])")
    case .toUndo:
      try steps("kind = 0 AND NOT taken_back ORDER BY number DESC LIMIT 1")
    case .toRedo:
      try steps(
        """
        kind = 1 AND NOT taken_back AND number >
          (SELECT coalesce(max(number), 0) FROM step WHERE kind = 0)
        ORDER BY number DESC LIMIT 1
        """
      )
    }
  }

  private func steps(_ condition: String) throws -> [Step] {
    try connection.query(
      """
      SELECT number, session, root, origin, at, kind, undoes, taken_back FROM step
      WHERE \(condition)
      """
    )
    .map { row in
      let undone = try row[6].map { try integer($0) }
      let kind: Step.Kind =
        undone.map { row[5] == "1" ? .undo(of: $0) : .redo(of: $0) } ?? .change
      return Step(
        number: try integer(row[0]),
        root: try root(row, 1),
        origin: row[3] ?? "",
        time: Instant(milliseconds: Int64(try integer(row[4]))),
        kind: kind,
        isUndone: row[7] == "t"
      )
    }
  }

  // MARK: Values

  private func integer(_ text: String?) throws -> Int {
    guard let number = text.flatMap({ Int($0) }) else {
      throw StoreError(path: "postgres", "a number is expected, and no '\(text ?? "")'")
    }
    return number
  }

  private func root(_ row: [String?], _ index: Int) throws -> Root {
    Root(
      session: UInt64(bitPattern: Int64(try integer(row[index]))),
      number: UInt64(bitPattern: Int64(try integer(row[index + 1])))
    )
  }

  static func numbers(_ root: Root) -> [Int] {
    [Int(bitPattern: UInt(root.session)), Int(bitPattern: UInt(root.number))]
  }
}

/// Writes by a connection, in a transaction that holds the counter.
final class PostgresWriter: PostgresReader, RecordWriter {
  func insert(_ values: RecordValues, number: Int, revision: Int, into table: RecordTable) throws {
    let names = (0..<table.count).map { ", \"\(table.column($0).name)\"" }.joined()
    let marks = (0..<table.count).map { ", $\($0 + 4)" }.joined()
    let text: String? = table.isSearched ? try values.searchText() : nil
    try connection.query(
      "INSERT INTO \(Self.name(table)) (_number, _revision, _text\(names)) VALUES ($1, $2, $3\(marks))",
      ["\(number)", "\(revision)", text] + (0..<table.count).map { try values.value($0).text }
    )
    try connection.query("UPDATE counter SET number = greatest(number, $1)", ["\(number)"])
    for index in 0..<table.count where table.column(index).isSet {
      try add(values.names(index), index, number, table)
    }
  }

  private func add(_ names: [String], _ index: Int, _ number: Int, _ table: RecordTable) throws {
    let set = Self.set(table.column(index).name, table)
    for name in names {
      try connection.query(
        "INSERT INTO \(set) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [name, "\(number)"]
      )
    }
  }

  func update(
    _ values: RecordValues,
    _ columns: FieldSet,
    number: Int,
    revision: Int,
    in table: RecordTable
  ) throws {
    var bound: [String?] = ["\(number)", "\(revision)"]
    var sql = "UPDATE \(Self.name(table)) SET _revision = $2"
    for index in columns {
      bound.append(try values.value(index).text)
      sql += ", \"\(table.column(index).name)\" = $\(bound.count)"
    }
    if values.areSearched(columns) {
      bound.append(try values.searchText())
      sql += ", _text = $\(bound.count)"
    }
    try connection.query(sql + " WHERE _number = $1", bound)
    for index in columns where table.column(index).isSet {
      try clear(index, number, table)
      try add(values.names(index), index, number, table)
    }
  }

  private func clear(_ index: Int, _ number: Int, _ table: RecordTable) throws {
    let set = Self.set(table.column(index).name, table)
    try connection.query("DELETE FROM \(set) WHERE number = $1", ["\(number)"])
  }

  func remove(_ number: Int, from table: RecordTable) throws {
    try connection.query("DELETE FROM \(Self.name(table)) WHERE _number = $1", ["\(number)"])
    for index in 0..<table.count where table.column(index).isSet {
      try clear(index, number, table)
    }
  }

  func append(_ change: LoggedChange) throws {
    let root = Self.numbers(change.transaction.root)
    try connection.query(
      "INSERT INTO change VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
      [
        "\(change.revision)", "\(change.number)", change.kind, change.before, change.after,
        "\(root[0])", "\(root[1])", "\(change.transaction.ordinal)", change.origin,
        "\(change.time.milliseconds)",
      ]
    )
    try connection.query("UPDATE counter SET revision = $1", ["\(change.revision)"])
  }

  func begin(_ step: Step) throws {
    let root = Self.numbers(step.root)
    let (kind, undoes): (Int, Int?) =
      switch step.kind {
      case .change: (0, nil)
      case .undo(let number): (1, number)
      case .redo(let number): (2, number)
      }
    try connection.query(
      "INSERT INTO step VALUES ($1, $2, $3, $4, $5, $6, $7, FALSE) ON CONFLICT DO NOTHING",
      [
        "\(step.number)", "\(root[0])", "\(root[1])", step.origin, "\(step.time.milliseconds)",
        "\(kind)", undoes.map { "\($0)" },
      ]
    )
  }

  func mark(_ step: Int, isUndone: Bool) throws {
    try connection.query(
      "UPDATE step SET taken_back = $2 WHERE number = $1",
      ["\(step)", isUndone ? "t" : "f"]
    )
  }
}

/// A row that was found.
private final class PostgresRow: RecordRow {
  private let table: RecordTable
  private let cells: [String?]

  init(_ table: RecordTable, _ cells: [String?]) {
    self.table = table
    self.cells = cells
  }

  var number: Int { cells[0].flatMap { Int($0) } ?? 0 }
  var revision: Int { cells[1].flatMap { Int($0) } ?? 0 }

  func value(_ column: Int) throws -> StoredValue {
    guard let text = cells[column + 2] else { return .null }
    switch table.column(column).type {
    case .text: return .text(text)
    case .integer: return .integer(Int64(text) ?? 0)
    case .real: return .real(Double(text) ?? .nan)
    }
  }
}

/// The rows that were found.
private final class PostgresRows: RecordRows {
  private let table: RecordTable
  private var rest: ArraySlice<[String?]>

  init(_ table: RecordTable, _ rows: [[String?]]) {
    self.table = table
    rest = rows[...]
  }

  func next() -> (any RecordRow)? { rest.popFirst().map { PostgresRow(table, $0) } }
}

/// Queries as PostgreSQL's texts.
private struct PostgresQuery {
  private let table: RecordTable
  private(set) var values: [String?] = []

  init(_ table: RecordTable) { self.table = table }

  static func rest(_ query: RecordQuery, _ table: RecordTable) -> (String, [String?]) {
    var building = PostgresQuery(table)
    var sql = " WHERE \(building.term(query.condition))"
    if let start = query.start { sql += " AND (\(building.after(start, query)))" }
    let terms = query.order.map { "\(key($0)) \($0.isDescending ? "DESC" : "ASC") NULLS LAST" }
    let last = query.numbersDescend ? "_number DESC" : "_number"
    sql += " ORDER BY " + (terms + [last]).joined(separator: ", ")
    if let limit = query.limit { sql += " LIMIT \(limit)" }
    return (sql, building.values)
  }

  private mutating func mark(_ value: StoredValue) -> String {
    values.append(value.text)
    return "$\(values.count)"
  }

  mutating func term(_ condition: RecordCondition) -> String {
    switch condition {
    case .all: return "TRUE"
    case .numbers(let first, let last): return "_number BETWEEN \(first) AND \(last)"
    case .field(let field, let comparison, let value):
      let word =
        switch comparison {
        case .equal: "="
        case .less: "<"
        case .atMost: "<="
        case .greater: ">"
        case .atLeast: ">="
        }
      return "\"\(field)\" \(word) \(mark(value))"
    case .anyOf(let field, let values):
      let terms = values.map {
        $0 == .null ? "\"\(field)\" IS NULL" : "\"\(field)\" = \(mark($0))"
      }
      return terms.isEmpty ? "FALSE" : "(\(terms.joined(separator: " OR ")))"
    case .has(let field, let text):
      let set = PostgresReader.set(field, table)
      return "_number IN (SELECT number FROM \(set) WHERE name = \(mark(.text(text))))"
    case .text(let text): return "position(\(mark(.text(text))) IN _text) > 0"
    case .and(let all): return "(\((all.map { term($0) } + ["TRUE"]).joined(separator: " AND ")))"
    case .or(let all): return "(\((all.map { term($0) } + ["FALSE"]).joined(separator: " OR ")))"
    case .not(let all): return "NOT coalesce(\(term(.and(all))), FALSE)"
    }
  }

  /// What records are sorted by.
  private static func key(_ order: RecordOrder) -> String {
    switch order.rule {
    case nil: "\"\(order.field)\""
    case .alphabetical: "split_part(_text, chr(10), 1)"
    case .manual: "coalesce(\"\(order.field)\", lpad(_number::text, 19, '0'))"
    }
  }

  private mutating func after(_ start: RecordCursor, _ query: RecordQuery) -> String {
    let number = "_number \(query.numbersDescend ? "<" : ">") \(start.number)"
    return zip(query.order, start.values).reversed()
      .reduce(number) { rest, level in
        let (key, value) = (Self.key(level.0), level.1)
        guard value != .null else { return "(\(key) IS NULL AND \(rest))" }
        let mark = mark(value)
        let word = level.0.isDescending ? "<" : ">"
        return "(\(key) \(word) \(mark) OR \(key) IS NULL OR \(key) = \(mark) AND \(rest))"
      }
  }
}

extension StoredValue {
  /// As PostgreSQL reads and writes it.
  fileprivate var text: String? {
    switch self {
    case .null: nil
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    }
  }
}
