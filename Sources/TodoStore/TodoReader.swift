import EventMVVM
import GRDB
import TodoModels

/// Reads todos from a connection; filtering, sorting and limiting happen in SQL.
struct TodoReader {
  let database: Database

  init(_ database: Database) {
    self.database = database
  }

  // MARK: Queries

  /// The todos that a query finds, in its order.
  func read(_ query: TodoQuery) throws -> [Todo] {
    if let references = query.predicate.references {
      return try references.count > 1
        ? database.inSnapshot { try resolve(references) } : resolve(references)
    }
    let rows = try rows(of: query)
    var todos: [Todo] = []
    while let row = try rows.next() { todos.append(try TodoRecord(row).todo) }
    return todos
  }

  /// What a query finds in a store that is not there yet.
  static func readNothing(_ query: TodoQuery) throws -> [Todo] {
    if let reference = query.predicate.references?.first { throw ModelError.notFound(reference) }
    return []
  }

  /// The rows that a query finds, one at a time.
  func rows(of query: TodoQuery) throws -> RowCursor {
    let (conditions, arguments) = Self.conditions(query.predicate)
    var sql = "SELECT \(TodoRecord.columns) FROM todo"
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    sql += " ORDER BY " + Self.order(query.sort)
    if let limit = query.limit { sql += " LIMIT \(limit)" }
    return try Row.fetchCursor(database, sql: sql, arguments: arguments)
  }

  private static func conditions(
    _ predicate: TodoQuery.Predicate
  ) -> ([String], StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    func add(_ condition: String, _ argument: (any DatabaseValueConvertible)? = nil) {
      conditions.append(condition)
      if let argument { arguments += [argument] }
    }
    if let deleted = predicate.deleted { add("deleted = \(deleted ? 1 : 0)") }
    if let complete = predicate.complete {
      add(complete ? "completedAt IS NOT NULL" : "completedAt IS NULL")
    }
    if let priority = predicate.priority { add("priority = \(priority == .high ? 1 : 0)") }
    if let project = predicate.project { add("project = ?", project) }
    for tag in predicate.tags {
      add("EXISTS (SELECT 1 FROM tag WHERE name = ? AND todo = number)", tag)
    }
    if let date = predicate.dueBefore { add("due < ?", date.text) }
    if let date = predicate.dueAfter { add("due > ?", Self.end(of: date)) }
    for word in predicate.words { add("instr(folded, ?) > 0", TodoRecord.folded(word)) }
    return (conditions, arguments)
  }

  /// The text after which all dates strictly later sort: a day's minutes are still part of it.
  private static func end(of time: CivilTime) -> String {
    switch time {
    case .day(let day): day.text + "T99"
    case .minute(let minute): minute.text
    }
  }

  private static func order(_ sort: TodoQuery.Sort) -> String {
    let reversed = sort.isReversed
    switch sort.key {
    case .created: return "createdAt \(reversed ? "ASC" : "DESC"), number DESC"
    case .due: return "due IS NULL, due \(reversed ? "DESC" : "ASC"), number DESC"
    case .priority: return "priority \(reversed ? "ASC" : "DESC"), number DESC"
    case .title:
      // The title is the first line of what is searched; the notes must not break ties.
      let title = "substr(folded, 1, instr(folded, char(10)))"
      return "\(title) \(reversed ? "DESC" : "ASC"), number DESC"
    }
  }

  // MARK: References

  /// The todos referred to, each once, in the order of the references.
  func resolve(_ references: [TodoReference]) throws -> [Todo] {
    var seen: Set<Int> = []
    return try references.map(resolve).filter { seen.insert($0.number).inserted }
  }

  /// The one todo referred to.
  func resolve(_ reference: TodoReference) throws -> Todo {
    let found: [Todo]
    switch reference {
    case .number(let number): found = try select("number = ?", [number])
    case .uuid(let uuid): found = try select("uuid = ?", [uuid.text])
    case .prefix(let prefix):
      found = try select("uuid >= ? AND uuid < ? LIMIT 6", [prefix, prefix + "~"])
    }
    guard let first = found.first else { throw ModelError.notFound(reference) }
    guard found.count == 1 else {
      throw ModelError.ambiguous(reference, numbers: found.map(\.number))
    }
    return first
  }

  private func select(_ condition: String, _ arguments: StatementArguments) throws -> [Todo] {
    let statement = try database.cachedStatement(
      sql: "SELECT \(TodoRecord.columns) FROM todo WHERE \(condition)"
    )
    return try Row.fetchAll(statement, arguments: arguments).map { try TodoRecord($0).todo }
  }

  // MARK: Labels

  /// At most a hundred labels that begin with a prefix.
  func labels(_ kind: RequestReadLabels.Kind, prefix: String) throws -> [String] {
    let (column, table) = kind == .tags ? ("name", "tag") : ("project", "todo")
    let end = prefix + "\u{10FFFF}"
    return try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT \(column) FROM \(table) WHERE \(column) >= ? AND \(column) < ?
        ORDER BY \(column) LIMIT 100
        """,
      arguments: [prefix, end]
    )
  }
}

extension Database {
  /// Reads in one state of the store, however many statements that takes.
  func inSnapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInsideTransaction else { return try body() }
    try execute(sql: "BEGIN")
    defer { try? execute(sql: "COMMIT") }
    return try body()
  }
}
