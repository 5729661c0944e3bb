import EventRecords
import GRDB

/// The table of a kind as a program declares it, in a database; inside a transaction.
struct DeclaredTable {
  let table: RecordTable
  let names: TableNames
  let database: Database

  /// - Parameters:
  ///   - table: The declaration.
  ///   - database: The store.
  ///   - kind: The kind under which a version has stored such records, if it is another name.
  init(_ table: RecordTable, _ database: Database, of kind: String? = nil) {
    self.table = table
    names = TableNames(table, of: kind)
    self.database = database
  }

  /// Creates what is missing, and brings what is there to the form of this version.
  ///
  /// - Returns: Whether another version may have been made with less, and is to look at the tables again.
  @discardableResult
  func make() throws -> Bool {
    let isNew = try !database.tableExists(names.plain)
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(names.table) (
          _number INTEGER PRIMARY KEY,
          _revision INTEGER NOT NULL,
          _text TEXT
        ) STRICT
        """
    )
    let before = try types()
    for index in 0..<table.count { try takeLaterNames(of: index, before) }
    let known = try types()
    let defaults = try table.defaults()
    var isGrown = isNew
    for index in 0..<table.count {
      let column = table.column(index)
      guard !table.isNewer(index, among: known.keys) else {
        throw StoreError(newer: table, column)
      }
      if let type = known[column.name] {
        try change(index, from: type, to: defaults[index])
      } else {
        isGrown = true
        try add(index, defaults[index])
        if let former = table.former(index).first(where: { known[$0.name] != nil }) {
          try convert(former.name, by: former.conversion, to: index)
        }
      }
      try makeIndex(index)
    }
    for order in table.orders {
      let name = names.index(order.map { table.column($0).indexName }.joined(separator: ","))
      let columns = order.map { names.keys[$0] }.joined(separator: ", ")
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS \(name) ON \(names.table) (\(columns))"
      )
    }
    try makeUniques()
    if table.isSearched { try fillTexts() }
    // Records of a kind that was unknown to each version that has opened the store so far.
    if try database.tableExists("record") { try OldRecords(database, [table]).moveRecords() }
    return isGrown
  }

  /// Returns the types of the table's columns by their names.
  func types() throws -> [String: String] {
    try Row.fetchAll(
      database,
      sql: "SELECT name, type FROM pragma_table_info(?)",
      arguments: [names.plain]
    )
    .reduce(into: [String: String]()) { $0[$1[0]] = $1[1] }
  }

  private func add(_ index: Int, _ value: StoredValue) throws {
    let column = table.column(index)
    try database.execute(
      sql: "ALTER TABLE \(names.table) ADD COLUMN \(names.columns[index]) \(column.type.sql)"
        + (column.isOptional ? "" : " DEFAULT \(value.sqlConstant)")
    )
  }

  private func makeIndex(_ index: Int) throws {
    let column = table.column(index)
    if column.isSet {
      try makeSet(column.name, names.columns[index])
    } else if column.traits.contains(.indexed) {
      try database.execute(
        sql: """
          CREATE INDEX IF NOT EXISTS \(names.index(column.indexName))
          ON \(names.table) (\(names.keys[index]))
          """
      )
    }
  }

  /// Creates an index for each rule, and removes those of rules that this version does not have.
  private func makeUniques() throws {
    let start = names.plain + ":!"
    var others = Set(
      try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND instr(name, ?) = 1",
        arguments: [start]
      )
    )
    for unique in table.uniques {
      let columns = unique.columns.map { names.keys[$0] }
      let (list, condition) = (
        columns.joined(separator: ", "), table.sql(unique.condition) { names.keys[$0] }
      )
      let present = columns.map { " AND \($0) IS NOT NULL" }.joined()
      let duplicate = try Row.fetchOne(
        database,
        sql: """
          SELECT min(_number), max(_number) FROM \(names.table) WHERE \(condition)\(present)
          GROUP BY \(list) HAVING count(*) > 1 ORDER BY 1
          """
      )
      if let duplicate { throw StoreError(table, unique, duplicate[0], duplicate[1]) }
      let name = table.indexName(of: unique)
      try database.execute(
        sql: "CREATE UNIQUE INDEX IF NOT EXISTS \(names.index(name)) ON \(names.table) (\(list)) "
          + "WHERE \(condition)"
      )
      others.remove("\(names.plain):\(name)")
    }
    for name in others { try database.execute(sql: "DROP INDEX \"\(name)\"") }
  }

  /// Creates the table of the names in a set; triggers maintain it, also when a version writes that
  /// does not declare the set.
  private func makeSet(_ name: String, _ column: String) throws {
    let (set, plain) = (names.set(name), names.plainSet(name))
    func adding(_ row: String, _ source: String = "") -> String {
      // A value that is not an array has no names.
      let list = "CASE WHEN json_valid(\(row)\(column)) THEN \(row)\(column) ELSE '[]' END"
      return "INSERT OR IGNORE INTO \(set) (name, number) "
        + "SELECT value, \(row)_number FROM \(source)json_each(\(list)) WHERE type = 'text'"
    }
    func trigger(_ name: String, _ event: String, _ body: String) -> String {
      "CREATE TRIGGER IF NOT EXISTS \"\(plain):\(name)\" AFTER \(event) ON \(names.table) "
        + "BEGIN \(body); END;"
    }
    let clear = "DELETE FROM \(set) WHERE number = OLD._number"
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(set) (
          name TEXT NOT NULL,
          number INTEGER NOT NULL,
          PRIMARY KEY (name, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS "\(plain):number" ON \(set) (number);
        \(trigger("insert", "INSERT", adding("NEW.")))
        \(trigger("update", "UPDATE OF \(column)", "\(clear); \(adding("NEW."))"))
        \(trigger("delete", "DELETE", clear))
        \(adding("", "\(names.table), "));
        """
    )
  }

  /// Fills the searched text of records that were stored before a version declared one.
  func fillTexts() throws {
    let searched = (0..<table.count).filter { table.column($0).traits.contains(.searched) }
    let write = "UPDATE \(names.table) SET _text = ? WHERE _number = ?"
    try forEachRow(searched.map { names.columns[$0] }) { number, values in
      var texts: [String] = []
      for case .success(.text(let text)) in values { texts.append(text) }
      let form = texts.joined(separator: "\n").searchForm
      try database.run(write, [.text(form), .integer(Int64(number))])
    }
  }

  /// Calls `body` with columns of all rows, a part of them at a time: it may change rows.
  func forEachRow(
    _ columns: [String],
    _ body: (_ number: Int, _ values: [Result<StoredValue, any Error>]) throws -> Void
  ) throws {
    let list = columns.map { ", \($0)" }.joined()
    var last = -1
    while true {
      let rows = FoundRows(
        try database.boundStatement(
          "SELECT _number\(list) FROM \(names.table) WHERE _number > ? ORDER BY _number LIMIT 1000",
          [.integer(Int64(last))]
        )
      )
      var part: [(Int, [Result<StoredValue, any Error>])] = []
      while try rows.step() {
        let values = columns.indices.map { index in Result { try rows.cell(index + 1) } }
        part.append((rows.number, values))
      }
      for (number, values) in part { try body(number, values) }
      guard let end = part.last, part.count == 1000 else { return }
      last = end.0
    }
  }
}

extension StoredType {
  var sql: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    }
  }
}
