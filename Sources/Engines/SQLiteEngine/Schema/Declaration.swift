import EventRecords
import GRDB

/// The tables of the kinds that a program declares, in SQLite.
///
/// Several versions of a program can use one store. What one of them adds stays. An older version
/// does not change the column of a field that it does not declare, and a field that was added later
/// has the value of a new record in older records.
struct Declaration: Sendable {
  private let tables: [RecordTable]

  init(_ tables: [RecordTable]) {
    self.tables = tables
  }

  /// Returns the tables that no version has created with these columns, or whose texts are in a form
  /// of before.
  func missing(_ database: Database) throws -> [RecordTable] {
    try missing(database) { $0.signature }
  }

  /// Whether all tables have their columns, whatever the form of their texts.
  func hasColumns(_ database: Database) throws -> Bool {
    try missing(database) { $0.columnSignature }.isEmpty
  }

  private func missing(
    _ database: Database,
    by signature: (RecordTable) -> Int64
  ) throws -> [RecordTable] {
    let rows = FoundRows(try database.boundStatement("SELECT signature FROM declaration", []))
    var missing = tables
    while try rows.step() {
      let known = try rows.integer(0)
      missing.removeAll { signature($0) == known || $0.signature == known }
    }
    return missing
  }

  /// Creates what is missing; inside a transaction.
  func make(_ database: Database) throws {
    for table in try missing(database) {
      table.check()
      try make(table, database)
      try database.execute(
        sql: "INSERT INTO declaration (kind, signature) VALUES (?, ?)",
        arguments: [table.kind, table.signature]
      )
    }
  }

  private func make(_ table: RecordTable, _ database: Database) throws {
    let names = TableNames(table)
    try database.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(names.table) (
          _number INTEGER PRIMARY KEY,
          _revision INTEGER NOT NULL,
          _text TEXT
        ) STRICT
        """
    )
    let known =
      try Row.fetchAll(
        database,
        sql: "SELECT name, type FROM pragma_table_info(?)",
        arguments: [names.plain]
      )
      .reduce(into: [String: String]()) { $0[$1[0]] = $1[1] }
    let defaults = try table.defaults()
    for index in 0..<table.count {
      let column = table.column(index)
      let type = column.type.sql
      if let found = known[column.name] {
        guard found == type else {
          throw StoreError(
            path: "",
            "keeps the field '\(column.name)' of a \(table.kind) as \(found), "
              + "and this version of the program takes it for \(type): it has to have another name"
          )
        }
        // The column was optional once: a missing value becomes that of a new record.
        if !column.isOptional {
          try database.execute(
            sql: "UPDATE \(names.table) SET \(names.columns[index]) = \(defaults[index].sql) "
              + "WHERE \(names.columns[index]) IS NULL"
          )
        }
      } else {
        try database.execute(
          sql: "ALTER TABLE \(names.table) ADD COLUMN \(names.columns[index]) \(type)"
            + (column.isOptional ? "" : " DEFAULT \(defaults[index].sql)")
        )
      }
      try makeIndex(column, names, index, database)
    }
    for order in table.orders {
      let name = names.index(order.map { table.column($0).name }.joined(separator: ","))
      let columns = order.map { names.columns[$0] }.joined(separator: ", ")
      try database.execute(
        sql: "CREATE INDEX IF NOT EXISTS \(name) ON \(names.table) (\(columns))"
      )
    }
    if table.isSearched { try fillTexts(table, names, database) }
    // Records of a kind that was unknown to each version that has opened the store so far.
    if try database.tableExists("record") { try OldRecords(database, [table]).moveRecords() }
  }

  private func makeIndex(
    _ column: RecordColumn,
    _ names: TableNames,
    _ index: Int,
    _ database: Database
  ) throws {
    if column.isSet {
      try makeSet(names.set(column.name), names.plainSet(column.name), names, index, database)
    } else if column.traits.contains(.indexed) {
      try database.execute(
        sql: """
          CREATE INDEX IF NOT EXISTS \(names.index(column.name))
          ON \(names.table) (\(names.columns[index]))
          """
      )
    }
  }

  /// Creates the table of the names in a set; triggers maintain it, also when a version writes that
  /// does not declare the set.
  private func makeSet(
    _ set: String,
    _ plain: String,
    _ names: TableNames,
    _ index: Int,
    _ database: Database
  ) throws {
    let column = names.columns[index]
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
  private func fillTexts(
    _ table: RecordTable,
    _ names: TableNames,
    _ database: Database
  ) throws {
    let searched = (0..<table.count).filter { table.column($0).traits.contains(.searched) }
    let columns = searched.map { names.columns[$0] }.joined(separator: ", ")
    let rows = try Row.fetchAll(database, sql: "SELECT _number, \(columns) FROM \(names.table)")
    let statement = try database.makeStatement(
      sql: "UPDATE \(names.table) SET _text = ? WHERE _number = ?"
    )
    for row in rows {
      let texts = searched.indices.compactMap { row[$0 + 1] as String? }
      try statement.execute(
        arguments: [texts.joined(separator: "\n").searchForm, row[0] as Int]
      )
    }
  }
}

/// The quoted names of a table, its columns and its indexes.
struct TableNames: Sendable {
  /// The name of the table, without quotes.
  let plain: String
  /// The table.
  let table: String
  /// Its columns.
  let columns: [String]

  init(_ table: RecordTable) {
    plain = "record_\(table.kind)"
    self.table = "\"\(plain)\""
    columns = (0..<table.count).map { "\"\(table.column($0).name)\"" }
  }

  /// The names in a set, without quotes.
  func plainSet(_ column: String) -> String { "\(plain).\(column)" }
  /// The names in a set.
  func set(_ column: String) -> String { "\"\(plainSet(column))\"" }
  /// The index of a column.
  func index(_ column: String) -> String { "\"\(plain):\(column)\"" }
}

extension StoredType {
  fileprivate var sql: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    }
  }
}

extension StoredValue {
  /// The value as a constant of SQL.
  fileprivate var sql: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    }
  }
}
