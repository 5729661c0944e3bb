import EventRecords

/// The names of a list's tables in statements: in quotes, and with their schema, since ``path`` has
/// none but PostgreSQL's.
struct PostgresNames: Sendable {
  /// The setting with which a name without a schema is PostgreSQL's own.
  ///
  /// In the path of a role or of a database, a schema in which others create functions and operators
  /// may come first; and also where it comes last, one with better matching types is preferred.
  /// Temporary tables come first unless they are named.
  static let path = "search_path = pg_catalog, pg_temp"

  /// The schema.
  let schema: String
  /// The table with the end of the log, in the one row that each writer locks first.
  let counter: String
  let change: String
  let step: String
  /// The columns of the kinds, as the signatures of their tables.
  let declaration: String

  init(schema: String) {
    let quoted = Self.quoted(schema)
    self.schema = quoted
    counter = quoted + ".counter"
    change = quoted + ".change"
    step = quoted + ".step"
    declaration = quoted + ".declaration"
  }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  func table(_ table: RecordTable) -> String { "\(schema).\"record_\(table.storedKind)\"" }
  /// The table of the names in a set.
  func set(_ column: String, _ table: RecordTable) -> String {
    "\(schema).\(Self.quoted(Self.plainSet(column, table)))"
  }
  static func plainSet(_ column: String, _ table: RecordTable) -> String {
    "record_\(table.storedKind).\(column)"
  }
  static func column(_ index: Int, _ table: RecordTable) -> String {
    quoted(table.column(index).name)
  }
  /// The expression by which the values of a column are compared.
  static func key(_ index: Int, _ table: RecordTable) -> String {
    let column = table.column(index)
    return column.key(quoted(column.name))
  }

  /// The text that is searched; for a row of a version that searches no text, its fields in one
  /// case, as far as PostgreSQL can convert it.
  static func searched(_ table: RecordTable) -> String {
    let texts = (0..<table.count).filter { table.column($0).traits.contains(.searched) }
      .map { "coalesce(\(column($0, table)), '')" }
    return texts.isEmpty
      ? "''" : "coalesce(_text, lower(\(texts.joined(separator: " || chr(10) || "))))"
  }
}
