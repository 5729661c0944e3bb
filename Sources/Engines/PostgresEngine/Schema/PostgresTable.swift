import EventRecords

/// The table of a kind as a program declares it, in a list: its columns, its sets and its indexes; inside a
/// transaction.
struct PostgresTable {
  let table: RecordTable
  let schema: PostgresSchema
  let connection: PostgresConnection
  /// Its name, without quotes.
  let plain: String
  /// Its name.
  let name: String

  private var names: PostgresNames { schema.names }

  /// - Parameters:
  ///   - table: The declaration.
  ///   - schema: The list.
  ///   - connection: A connection in a transaction.
  ///   - kind: The kind under which a version has stored such records, if it is another name.
  init(
    _ table: RecordTable,
    _ schema: PostgresSchema,
    _ connection: PostgresConnection,
    of kind: String? = nil
  ) {
    self.table = table
    self.schema = schema
    self.connection = connection
    plain = "record_\(kind ?? table.storedKind)"
    name = "\(schema.names.schema).\(PostgresNames.quoted(plain))"
  }

  /// The table of the names in a set.
  func set(_ column: String) -> String {
    "\(names.schema).\(PostgresNames.quoted("\(plain).\(column)"))"
  }

  /// Creates what is missing, and brings what is there to the form of this version.
  ///
  /// - Returns: Whether another version may have been made with less, and is to look at the tables again.
  @discardableResult
  func make() throws -> Bool {
    try checkLengths()
    var isGrown = try types().isEmpty
    try connection.send(
      """
      CREATE TABLE IF NOT EXISTS \(name) (
        _number BIGINT PRIMARY KEY, _revision BIGINT NOT NULL, _text TEXT COLLATE "C"
      )
      """
    )
    let before = try types()
    for index in 0..<table.count { try takeLaterNames(of: index, before) }
    let known = try types()
    let defaults = try table.defaults()
    for index in 0..<table.count {
      let column = table.column(index)
      guard !table.isNewer(index, among: known.keys) else {
        throw StoreError(newer: table, column, path: schema.address.name)
      }
      if let type = known[column.name] {
        try change(index, from: type, to: defaults[index].sqlConstant)
      } else {
        isGrown = true
        try add(index, defaults[index])
        if let former = table.former(index).first(where: { known[$0.name] != nil }) {
          try convert(former.name, known[former.name], by: former.conversion, to: index)
        }
      }
      if column.isSet {
        try makeSet(column.name, PostgresNames.column(index, table))
      } else if column.traits.contains(.indexed) {
        try makeIndex(column.indexName, PostgresNames.key(index, table))
      }
    }
    for order in table.orders {
      let columns = order.map { PostgresNames.key($0, table) }.joined(separator: ", ")
      try makeIndex(
        order.map { table.column($0).indexName }.joined(separator: ","),
        columns
      )
    }
    try makeUniques()
    if table.isSearched { try fillTexts() }
    return isGrown
  }

  /// Creates an index for each rule, and removes those of rules that this version does not have.
  private func makeUniques() throws {
    let start = "\(plain):!"
    let found = try connection.ask(
      """
      SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'i'
        AND starts_with(relname, $2)
      """,
      [.text(names.schema), .text(start)]
    )
    var others = Set((0..<found.count).compactMap { found.text($0, 0) })
    func key(_ column: Int) -> String { PostgresNames.key(column, table) }
    for unique in table.uniques {
      let list = unique.columns.map(key).joined(separator: ", ")
      let condition = table.sql(unique.condition, key)
      let present = unique.columns.map { " AND \(key($0)) IS NOT NULL" }.joined()
      let duplicate = try connection.ask(
        """
        SELECT min(_number), max(_number) FROM \(name) WHERE \(condition)\(present)
        GROUP BY \(list) HAVING count(*) > 1 ORDER BY 1 LIMIT 1
        """
      )
      if duplicate.count > 0 {
        let numbers = (try duplicate.integer(0, 0), try duplicate.integer(0, 1))
        throw StoreError(table, unique, numbers.0, numbers.1, path: schema.address.name)
      }
      let index = "\(plain):\(table.indexName(of: unique))"
      try connection.send(
        "CREATE UNIQUE INDEX IF NOT EXISTS \(PostgresNames.quoted(index)) ON \(name) (\(list)) "
          + "WHERE \(condition)"
      )
      others.remove(index)
    }
    for index in others {
      try connection.send("DROP INDEX \(names.schema).\(PostgresNames.quoted(index))")
    }
  }

  /// Returns the types of the table's columns by their names.
  func types() throws -> [String: String] {
    try schema.types(of: plain, connection.ask)
  }

  private func add(_ index: Int, _ value: StoredValue) throws {
    let column = table.column(index)
    let collation = column.type == .text ? " COLLATE \"C\"" : ""
    let rest = column.isOptional ? "" : " DEFAULT \(value.sqlConstant)"
    try connection.send(
      "ALTER TABLE \(name) ADD COLUMN \(PostgresNames.column(index, table)) "
        + "\(column.type.sql)\(collation)\(rest)"
    )
  }

  private func makeIndex(_ plain: String, _ columns: String) throws {
    let index = PostgresNames.quoted("\(self.plain):\(plain)")
    try connection.send("CREATE INDEX IF NOT EXISTS \(index) ON \(name) (\(columns))")
  }

  private func makeSet(_ column: String, _ quoted: String) throws {
    let (set, plain) = (set(column), "\(plain).\(column)")
    try connection.send(
      """
      CREATE TABLE IF NOT EXISTS \(set) (
        name TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (name, number)
      )
      """
    )
    try connection.send(
      """
      CREATE INDEX IF NOT EXISTS \(PostgresNames.quoted("\(plain):number")) ON \(set) (number)
      """
    )
    try schema.makeFunction(of: column, in: self.plain, on: connection)
    try connection.send(
      "UPDATE \(name) SET \(quoted) = \(quoted) WHERE \(quoted) <> '[]'"
    )
  }

  /// Fills the searched text of records that were stored before a version declared one.
  func fillTexts() throws {
    let searched = (0..<table.count).filter { table.column($0).traits.contains(.searched) }
    try forEachRow(searched.map { PostgresNames.column($0, table) }) { number, texts in
      let text = texts.compactMap(\.self).joined(separator: "\n").searchForm
      try connection.send(
        "UPDATE \(name) SET _text = $1 WHERE _number = $2",
        [.text(text), .integer(Int64(number))]
      )
    }
  }

  /// Calls `body` with columns of all rows as texts, a part of them at a time: it may change rows.
  func forEachRow(
    _ columns: [String],
    _ body: (_ number: Int, _ texts: [String?]) throws -> Void
  ) throws {
    let list = columns.map { ", \($0)" }.joined()
    var last = -1
    while true {
      let rows = try connection.ask(
        "SELECT _number\(list) FROM \(name) WHERE _number > $1 ORDER BY _number LIMIT 1000",
        [.integer(Int64(last))]
      )
      for row in 0..<rows.count {
        last = try rows.integer(row, 0)
        try body(last, columns.indices.map { rows.text(row, $0 + 1) })
      }
      guard rows.count == 1000 else { return }
    }
  }

  /// PostgreSQL would cut names off, and take one for another.
  private func checkLengths() throws {
    let columns = (0..<table.count).map { table.column($0) }
    let names = columns.map { $0.isSet ? PostgresNames.plainSet($0.name, table) : $0.name }
    for name in names + ["record_\(table.storedKind)"]
    where name.utf8.count > PostgresAddress.longestName {
      throw StoreError(
        path: schema.address.name,
        "can't keep '\(name)': a name has at most \(PostgresAddress.longestName) bytes."
      )
    }
  }
}

extension StoredType {
  /// As PostgreSQL calls it.
  var sql: String {
    switch self {
    case .integer: "bigint"
    case .real: "double precision"
    case .text: "text"
    }
  }
}
