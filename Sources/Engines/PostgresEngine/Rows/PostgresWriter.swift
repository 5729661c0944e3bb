import EventMVVM
import EventRecords

/// Writes records in a transaction that holds the counter; it waits for the result of no statement.
final class PostgresWriter: PostgresReader, RecordWriter {
  private let transaction: PostgresTransaction

  init(_ transaction: PostgresTransaction) {
    self.transaction = transaction
    super.init(transaction.names) { try transaction.ask($0, $1) }
  }

  override func end() -> LogEnd { transaction.end }

  override func result(_ number: Int, of table: RecordTable) throws -> PostgresResult {
    if let read = transaction.read, read.kind == table.kind, read.number == number {
      return read.result
    }
    let result = try super.result(number, of: table)
    transaction.read = (table.kind, number, result)
    return result
  }

  func insert(_ values: RecordValues, number: Int, revision: Int, into table: RecordTable) throws {
    let columns = (0..<table.count).map { ", " + PostgresNames.column($0, table) }.joined()
    let marks = (0..<table.count).map { ", $\($0 + 4)" }.joined()
    var bound: [StoredValue] = [.integer(Int64(number)), .integer(Int64(revision))]
    bound.append(table.isSearched ? .text(try values.searchText()) : .null)
    for index in 0..<table.count { bound.append(try values.value(index)) }
    try transaction.write(
      """
      INSERT INTO \(names.table(table)) (_number, _revision, _text\(columns))
      VALUES ($1, $2, $3\(marks))
      """,
      bound
    )
  }

  func release(_ columns: FieldSet, of number: Int, in table: RecordTable) throws {
    let list = columns.map { "\(PostgresNames.column($0, table)) = NULL" }
      .joined(separator: ", ")
    guard !list.isEmpty else { return }
    try transaction.write(
      "UPDATE \(names.table(table)) SET \(list) WHERE _number = $1",
      [.integer(Int64(number))]
    )
  }

  func update(
    _ values: RecordValues,
    _ columns: FieldSet,
    number: Int,
    revision: Int,
    in table: RecordTable
  ) throws {
    var bound: [StoredValue] = [.integer(Int64(number)), .integer(Int64(revision))]
    var sql = "UPDATE \(names.table(table)) SET _revision = $2"
    for index in columns {
      bound.append(try values.value(index))
      sql += ", \(PostgresNames.column(index, table)) = $\(bound.count)"
    }
    if values.areSearched(columns) {
      bound.append(.text(try values.searchText()))
      sql += ", _text = $\(bound.count)"
    } else if !table.isSearched {
      // Another version of the program may search the text of this row.
      sql += ", _text = NULL"
    }
    try transaction.write(sql + " WHERE _number = $1", bound)
  }

  func remove(_ number: Int, from table: RecordTable) throws {
    try transaction.write(
      "DELETE FROM \(names.table(table)) WHERE _number = $1",
      [.integer(Int64(number))]
    )
  }

  func isFree(_ condition: RecordCondition, of table: RecordTable) throws -> Bool {
    guard !transaction.asksAtOnce else { return try count(condition, of: table) == 0 }
    var query = PostgresQuery(names, table)
    let sql = query.free(condition)
    try transaction.write(sql, query.values)
    return true
  }

  // MARK: The change log

  func append(_ change: LoggedChange) throws {
    try transaction.write(
      """
      INSERT INTO \(names.change)
        (revision, record, kind, before, after, session, root, part, origin, at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        .integer(Int64(change.revision)), .integer(Int64(change.number)), .text(change.kind),
        change.before.map { .text($0) } ?? .null, change.after.map { .text($0) } ?? .null,
      ] + change.transaction.root.values + [
        .integer(Int64(change.transaction.ordinal)), .text(change.origin),
        .integer(change.time.milliseconds),
      ]
    )
    transaction.note(change)
  }

  func begin(_ step: Step) throws {
    let (kind, undoes): (Int64, StoredValue) =
      switch step.kind {
      case .change: (0, .null)
      case .undo(let number): (1, .integer(Int64(number)))
      case .redo(let number): (2, .integer(Int64(number)))
      }
    try transaction.write(
      """
      INSERT INTO \(names.step) (number, session, root, origin, at, kind, undoes, "isTakenBack")
      VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING
      """,
      [.integer(Int64(step.number))] + step.root.values
        + [.text(step.origin), .integer(step.time.milliseconds), .integer(kind), undoes]
    )
  }

  func mark(_ step: Int, isUndone: Bool) throws {
    try transaction.write(
      "UPDATE \(names.step) SET \"isTakenBack\" = $1 WHERE number = $2",
      [.integer(isUndone ? 1 : 0), .integer(Int64(step))]
    )
  }
}
