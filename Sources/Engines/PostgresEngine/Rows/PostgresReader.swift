import EventMVVM
import EventRecords

/// Reads records by statements.
class PostgresReader: RecordReader {
  let names: PostgresNames
  /// Sends a statement and returns its result.
  private let ask: (_ sql: String, _ values: [StoredValue]) throws -> PostgresResult

  init(
    _ names: PostgresNames,
    _ ask: @escaping (_ sql: String, _ values: [StoredValue]) throws -> PostgresResult
  ) {
    self.names = names
    self.ask = ask
  }

  // MARK: Records

  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)? {
    PostgresRows(try result(number, of: table), table).next()
  }

  /// Returns all of a record, if it exists.
  func result(_ number: Int, of table: RecordTable) throws -> PostgresResult {
    var query = PostgresQuery(names, table)
    let sql = query.row(number)
    return try ask(sql, query.values)
  }

  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows {
    PostgresRows(try result(query, of: table), table)
  }

  /// Returns all that a query finds.
  func result(_ query: RecordQuery, of table: RecordTable) throws -> PostgresResult {
    var text = PostgresQuery(names, table)
    let sql = text.rows(query)
    return try ask(sql, text.values)
  }

  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int {
    var query = PostgresQuery(names, table)
    let sql = query.count(condition)
    return try ask(sql, query.values).integer(0, 0)
  }

  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws -> [RecordLabel] {
    let isSet = table.column(column).isSet
    let field = isSet ? "name" : PostgresNames.column(column, table)
    let source = isSet ? names.set(table.column(column).name, table) : names.table(table)
    let found = try ask(
      """
      SELECT \(field), count(*) FROM \(source) WHERE \(field) >= $1 AND starts_with(\(field), $1)
      GROUP BY \(field) ORDER BY \(field) LIMIT $2
      """,
      [.text(prefix), .integer(Int64(limit))]
    )
    return try (0..<found.count)
      .map { RecordLabel(found.text($0, 0) ?? "", count: try found.integer($0, 1)) }
  }

  func groups(
    _ column: Int,
    counting conditions: [RecordCondition],
    of table: RecordTable
  ) throws -> [RecordGroupCount] {
    var text = PostgresQuery(names, table)
    let sql = text.groups(column, conditions)
    let found = try ask(sql, text.values)
    return try (0..<found.count)
      .map { row in
        RecordGroupCount(
          found.text(row, 0),
          counts: try conditions.indices.map { try found.integer(row, $0 + 1) }
        )
      }
  }

  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String {
    var text = PostgresQuery(names, table)
    let sql = text.rows(query)
    let found = try ask("EXPLAIN (COSTS OFF) \(sql)", text.values)
    return (0..<found.count).compactMap { found.text($0, 0)?.onOneLine }.joined(separator: "; ")
  }

  // MARK: The change log

  func end() throws -> LogEnd {
    let found = try ask("SELECT revision, number, session, root FROM \(names.counter)", [])
    return LogEnd(
      revision: try found.integer(0, 0),
      number: try found.integer(0, 1),
      root: try found.text(0, 2).map { _ in try found.root(0, 2) }
    )
  }

  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange] {
    let (condition, values) = query.sql
    return try changes(
      "\(condition) LIMIT $\(values.count + 1)",
      values + [.integer(Int64(limit))]
    )
  }

  func changes(of numbers: [Int], after revision: Int) throws -> [LoggedChange] {
    try changes(
      "record = ANY ($1::bigint[]) AND revision > $2 ORDER BY revision DESC",
      [.text(array(numbers.map { Int64($0) })), .integer(Int64(revision))]
    )
  }

  /// Whole numbers as PostgreSQL writes an array.
  private func array(_ numbers: [Int64]) -> String {
    "{" + numbers.map(String.init).joined(separator: ",") + "}"
  }

  private func changes(_ rest: String, _ values: [StoredValue]) throws -> [LoggedChange] {
    let found = try ask(
      """
      SELECT revision, record, kind, before, after, session, root, part, origin, at
      FROM \(names.change) WHERE \(rest)
      """,
      values
    )
    return try (0..<found.count)
      .map { row in
        LoggedChange(
          revision: try found.integer(row, 0),
          number: try found.integer(row, 1),
          kind: found.text(row, 2) ?? "",
          before: found.text(row, 3),
          after: found.text(row, 4),
          transaction: TransactionID(try found.root(row, 5), try found.integer(row, 7)),
          origin: found.text(row, 8) ?? "",
          time: Instant(milliseconds: Int64(try found.integer(row, 9)))
        )
      }
  }

  func records(of root: Root, limit: Int) throws -> (count: Int, first: [Int]) {
    let found = try ask(
      """
      SELECT record, count(*) OVER () FROM
        (SELECT DISTINCT record FROM \(names.change) WHERE session = $1 AND root = $2) AS records
      ORDER BY record LIMIT $3
      """,
      root.values + [.integer(Int64(max(limit, 1)))]
    )
    guard found.count > 0 else { return (0, []) }
    let first = try (0..<found.count).map { try found.integer($0, 0) }
    return (try found.integer(0, 1), Array(first.prefix(limit)))
  }

  // MARK: Steps

  func steps(_ query: StepQuery) throws -> [Step] {
    switch query {
    case .newest(let count):
      try steps("TRUE ORDER BY number DESC LIMIT $1", [.integer(Int64(count))])
    case .number(let number): try steps("number = $1", [.integer(Int64(number))])
    case .root(let root): try steps("session = $1 AND root = $2", root.values)
    case .toUndo(let maker): try latest("kind = 0 AND \"isTakenBack\" = 0", by: maker)
    case .toRedo(let maker): try stepToRedo(by: maker)
    }
  }

  func steps(of roots: [Root]) throws -> [Step] {
    try steps(
      "(session, root) IN (SELECT * FROM unnest($1::bigint[], $2::bigint[]))",
      [
        .text(array(roots.map { Int64(bitPattern: $0.session) })),
        .text(array(roots.map { Int64(bitPattern: $0.number) })),
      ]
    )
  }

  /// Returns the latest undo, unless a change after it has begun another branch.
  private func stepToRedo(by maker: StepMaker?) throws -> [Step] {
    guard let undo = try latest("kind = 1 AND \"isTakenBack\" = 0", by: maker).first else {
      return []
    }
    let later = try [0, 1]
      .flatMap { try latest("kind = 0 AND \"isTakenBack\" = \($0)", by: maker) }
    return later.contains { $0.number > undo.number } ? [] : [undo]
  }

  /// Returns the latest step of a state; with a maker, those of its session first.
  private func latest(_ state: String, by maker: StepMaker?) throws -> [Step] {
    guard let maker else { return try steps("\(state) ORDER BY number DESC LIMIT 1", []) }
    return try steps(
      "\(state) AND origin = $1 ORDER BY session = $2 DESC, number DESC LIMIT 1",
      [.text(maker.origin), .integer(Int64(bitPattern: maker.session))]
    )
  }

  private func steps(_ condition: String, _ values: [StoredValue]) throws -> [Step] {
    let found = try ask(
      """
      SELECT number, session, root, origin, at, kind, undoes, "isTakenBack" FROM \(names.step)
      WHERE \(condition)
      """,
      values
    )
    return try (0..<found.count)
      .map { row in
        let number = try found.integer(row, 0)
        let undone = try found.text(row, 6).map { _ in try found.integer(row, 6) }
        let kind: Step.Kind
        switch (try found.integer(row, 5), undone) {
        case (0, nil): kind = .change
        case (1, let undone?): kind = .undo(of: undone)
        case (2, let undone?): kind = .redo(of: undone)
        default: throw StoreError(path: "", "step \(number) is damaged: it can't be read")
        }
        return Step(
          number: number,
          root: try found.root(row, 1),
          origin: found.text(row, 3) ?? "",
          time: Instant(milliseconds: Int64(try found.integer(row, 4))),
          kind: kind,
          isUndone: try found.integer(row, 7) != 0
        )
      }
  }
}

extension ChangeQuery {
  /// The condition for the rows, and their order.
  fileprivate var sql: (condition: String, [StoredValue]) {
    switch self {
    case .after(let revision):
      ("revision > $1 ORDER BY revision", [.integer(Int64(revision))])
    case .ofRecord(let number, let revision):
      (
        "record = $1 AND revision > $2 ORDER BY revision DESC",
        [.integer(Int64(number)), .integer(Int64(revision))]
      )
    case .ofRoot(let root, nil):
      ("session = $1 AND root = $2 ORDER BY revision", root.values)
    case .ofRoot(let root, let number?):
      (
        "session = $1 AND root = $2 AND record = $3 ORDER BY revision",
        root.values + [.integer(Int64(number))]
      )
    case .ofTransaction(let id):
      (
        "session = $1 AND root = $2 AND part = $3 ORDER BY revision",
        id.root.values + [.integer(Int64(id.ordinal))]
      )
    }
  }
}
