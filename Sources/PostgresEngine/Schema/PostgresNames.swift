import EventRecords

/// What the things of a list are called in statements: in quotes, and with their schema, as a
/// pooler lends servers that know of no search path.
struct PostgresNames: Sendable {
  /// The schema.
  let schema: String
  /// Where the log ends, in the one row that each writer locks first.
  let counter: String
  let change: String
  let step: String
  /// Which columns the kinds have, by the signatures of their tables.
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

  func table(_ table: RecordTable) -> String { "\(schema).\"record_\(table.kind)\"" }
  /// The names in a set.
  func set(_ column: String, _ table: RecordTable) -> String {
    "\(schema).\(Self.quoted(Self.plainSet(column, table)))"
  }
  static func plainSet(_ column: String, _ table: RecordTable) -> String {
    "record_\(table.kind).\(column)"
  }
  static func column(_ index: Int, _ table: RecordTable) -> String {
    quoted(table.column(index).name)
  }

  /// The text that is searched; of what a version has written that searches none, in one case as
  /// far as PostgreSQL knows it.
  static func searched(_ table: RecordTable) -> String {
    let texts = (0..<table.count).filter { table.column($0).traits.contains(.searched) }
      .map { "coalesce(\(column($0, table)), '')" }
    return texts.isEmpty
      ? "''" : "coalesce(_text, lower(\(texts.joined(separator: " || chr(10) || "))))"
  }
}
