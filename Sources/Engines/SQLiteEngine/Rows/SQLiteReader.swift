import EventMVVM
import EventRecords
import GRDB

/// Reads records through a connection.
class SQLiteReader: RecordReader {
  let database: Database
  let statements: TableStatements

  init(_ database: Database, _ statements: TableStatements) {
    self.database = database
    self.statements = statements
  }

  // MARK: Records

  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)? {
    let statement = try database.boundStatement(
      statements.sql(table).row,
      [.integer(Int64(number))]
    )
    return try FoundRows(statement).next()
  }

  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows {
    let (sql, values) = try text(query, table)
    return FoundRows(
      try database.boundStatement(sql, values, isKept: values.count <= Self.mostKept)
    )
  }

  /// How many values a query has that is kept: those with more are hardly asked again.
  private static var mostKept: Int { 8 }

  /// Returns a query as a statement of SQLite, with its values.
  ///
  /// SQLite has no statistics, and would read all records in the requested order to find three of
  /// them: the statement names the condition that few records fulfil.
  private func text(_ query: RecordQuery, _ table: RecordTable) throws -> (String, [StoredValue]) {
    let building = QuerySQL(table, statements.sql(table))
    let narrow = try building.narrowing(query)
      .first { condition in
        let (sql, values) = building.count(condition, upTo: Self.few + 1)
        let isKept = values.count <= Self.mostKept
        let rows = FoundRows(try database.boundStatement(sql, values, isKept: isKept))
        return try rows.next()?.number ?? 0 <= Self.few
      }
    return building.rows(query, by: narrow)
  }

  /// Up to this number, sorting the found records is faster than reading all in the requested
  /// order.
  private static var few: Int { 1000 }

  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int {
    let (sql, values) = QuerySQL(table, statements.sql(table)).count(condition)
    let isKept = values.count <= Self.mostKept
    let rows = FoundRows(try database.boundStatement(sql, values, isKept: isKept))
    return try rows.next()?.number ?? 0
  }

  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws -> [RecordLabel] {
    let building = QuerySQL(table, statements.sql(table))
    let (sql, values) = building.labels(column, prefix, limit, counted: counted)
    let rows = FoundRows(try database.boundStatement(sql, values))
    var labels: [RecordLabel] = []
    while try rows.step() {
      labels.append(RecordLabel(try rows.text(0), count: Int(try rows.integer(1))))
    }
    return labels
  }

  func groups(
    _ column: Int,
    counting conditions: [RecordCondition],
    of table: RecordTable
  ) throws -> [RecordGroupCount] {
    let (sql, values) = QuerySQL(table, statements.sql(table)).groups(column, conditions)
    let rows = FoundRows(try database.boundStatement(sql, values))
    var groups: [RecordGroupCount] = []
    while try rows.step() {
      var counts: [Int] = []
      for index in conditions.indices { counts.append(Int(try rows.integer(index + 1))) }
      groups.append(RecordGroupCount(try rows.optionalText(0), counts: counts))
    }
    return groups
  }

  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String {
    let (sql, values) = try text(query, table)
    let rows = FoundRows(try database.boundStatement("EXPLAIN QUERY PLAN " + sql, values))
    var lines: [String] = []
    while try rows.step() { lines.append(try rows.text(3)) }
    return lines.joined(separator: "; ")
  }

  // MARK: The change log

  func end() throws -> LogEnd {
    let rows = FoundRows(
      try database.boundStatement(
        """
        SELECT revision, session, root, (SELECT max(record) FROM change) FROM change
        ORDER BY revision DESC LIMIT 1
        """,
        []
      )
    )
    guard try rows.step() else { return LogEnd() }
    return LogEnd(
      revision: Int(try rows.integer(0)),
      number: Int(try rows.integer(3)),
      root: try rows.root(1)
    )
  }

  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange] {
    let (condition, values) = query.sql
    return try changes("\(condition) LIMIT ?", values + [.integer(Int64(limit))])
  }

  func changes(of numbers: [Int], after revision: Int) throws -> [LoggedChange] {
    try changes(
      "record IN (SELECT value FROM json_each(?)) AND revision > ? ORDER BY revision DESC",
      [.text("\(numbers)"), .integer(Int64(revision))]
    )
  }

  private func changes(_ rest: String, _ values: [StoredValue]) throws -> [LoggedChange] {
    let statement = try database.boundStatement(
      """
      SELECT revision, record, kind, before, after, session, root, part, origin, at FROM change
      WHERE \(rest)
      """,
      values
    )
    let rows = FoundRows(statement)
    var changes: [LoggedChange] = []
    while try rows.step() {
      changes.append(
        LoggedChange(
          revision: Int(try rows.integer(0)),
          number: Int(try rows.integer(1)),
          kind: try rows.text(2),
          before: try rows.optionalText(3),
          after: try rows.optionalText(4),
          transaction: TransactionID(try rows.root(5), Int(try rows.integer(7))),
          origin: try rows.text(8),
          time: Instant(milliseconds: try rows.integer(9))
        )
      )
    }
    return changes
  }

  func records(of root: Root, limit: Int) throws -> (count: Int, first: [Int]) {
    let condition = "FROM change WHERE session = ? AND root = ?"
    let values = root.values
    let all = FoundRows(
      try database.boundStatement("SELECT count(DISTINCT record) \(condition)", values)
    )
    let rows = FoundRows(
      try database.boundStatement(
        "SELECT DISTINCT record \(condition) ORDER BY record LIMIT ?",
        values + [.integer(Int64(limit))]
      )
    )
    var first: [Int] = []
    while try rows.step() { first.append(rows.number) }
    return (try all.next()?.number ?? 0, first)
  }
}

/// Writes records through a connection, inside a transaction.
final class SQLiteWriter: SQLiteReader, RecordWriter {
  func insert(_ values: RecordValues, number: Int, revision: Int, into table: RecordTable) throws {
    let sql = statements.sql(table)
    var bound: [StoredValue] = [.integer(Int64(number)), .integer(Int64(revision))]
    bound.append(table.isSearched ? .text(try values.searchText()) : .null)
    for index in 0..<table.count { bound.append(try values.value(index)) }
    try database.run(sql.insert, bound)
  }

  func update(
    _ values: RecordValues,
    _ columns: FieldSet,
    number: Int,
    revision: Int,
    in table: RecordTable
  ) throws {
    let sql = statements.sql(table)
    var text = "UPDATE \(sql.names.table) SET _revision = ?"
    var bound: [StoredValue] = [.integer(Int64(revision))]
    for index in columns {
      text += ", \(sql.names.columns[index]) = ?"
      bound.append(try values.value(index))
    }
    if values.areSearched(columns) {
      text += ", _text = ?"
      bound.append(.text(try values.searchText()))
    } else if !table.isSearched {
      // Another version of the program may search the text of this row.
      text += ", _text = NULL"
    }
    bound.append(.integer(Int64(number)))
    try database.run(text + " WHERE _number = ?", bound)
  }

  func release(_ columns: FieldSet, of number: Int, in table: RecordTable) throws {
    let sql = statements.sql(table)
    let list = columns.map { "\(sql.names.columns[$0]) = NULL" }.joined(separator: ", ")
    guard !list.isEmpty else { return }
    try database.run(
      "UPDATE \(sql.names.table) SET \(list) WHERE _number = ?",
      [.integer(Int64(number))]
    )
  }

  func remove(_ number: Int, from table: RecordTable) throws {
    try database.run(statements.sql(table).remove, [.integer(Int64(number))])
  }

  // MARK: The change log

  func append(_ change: LoggedChange) throws {
    let root = change.transaction.root
    try database.run(
      """
      INSERT INTO change (revision, record, kind, before, after, session, root, part, origin, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(Int64(change.revision)), .integer(Int64(change.number)), .text(change.kind),
        change.before.map { .text($0) } ?? .null, change.after.map { .text($0) } ?? .null,
        .integer(Int64(bitPattern: root.session)), .integer(Int64(bitPattern: root.number)),
        .integer(Int64(change.transaction.ordinal)), .text(change.origin),
        .integer(change.time.milliseconds),
      ]
    )
  }
}

extension ChangeQuery {
  /// The condition for the rows, and their order.
  fileprivate var sql: (condition: String, [StoredValue]) {
    switch self {
    case .after(let revision):
      ("revision > ? ORDER BY revision", [.integer(Int64(revision))])
    case .ofRecord(let number, let revision):
      (
        "record = ? AND revision > ? ORDER BY revision DESC",
        [.integer(Int64(number)), .integer(Int64(revision))]
      )
    case .ofRoot(let root, nil):
      ("session = ? AND root = ? ORDER BY revision", root.values)
    case .ofRoot(let root, let number?):
      (
        "session = ? AND root = ? AND record = ? ORDER BY revision",
        root.values + [.integer(Int64(number))]
      )
    case .ofTransaction(let id):
      (
        "session = ? AND root = ? AND part = ? ORDER BY revision",
        id.root.values + [.integer(Int64(id.ordinal))]
      )
    }
  }
}
