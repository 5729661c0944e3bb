import EventMVVM
import GRDB
import SQLiteStore
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
    return try find(query).all()
  }

  /// How many todos a predicate finds.
  func count(_ predicate: TodoQuery.Predicate) throws -> Int {
    let filters = QueryFilter.all(predicate)
    let sql = "SELECT count(*) FROM todo WHERE "
    return try Int.fetchOne(
      database,
      sql: sql + filters.map(\.condition).joined(separator: " AND "),
      arguments: filters.compactMap(\.argument).bound
    ) ?? 0
  }

  /// What a query finds in a store that is not there yet.
  static func readNothing(_ query: TodoQuery) throws -> [Todo] {
    if let reference = query.predicate.references?.first { throw ModelError.notFound(reference) }
    return []
  }

  /// What a query finds, one todo at a time.
  func find(_ query: TodoQuery) throws -> FoundTodos {
    let filters = QueryFilter.all(query.predicate)
    let narrowest = try filters.firstIndex { try isNarrow($0) }
    let conditions = filters.indices.map { index in
      index == narrowest ? filters[index].narrowCondition : filters[index].condition
    }
    var sql = "SELECT \(TodoRecord.columns) FROM todo"
    if narrowest != nil {
      sql += " NOT INDEXED"  // By number.
    } else if let index = query.index {
      sql += " INDEXED BY \(index)"
    }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    sql += " ORDER BY " + query.sort.sql
    if let limit = query.limit { sql += " LIMIT \(limit)" }
    let arguments = filters.compactMap(\.argument)
    return try FoundTodos(database.makeStatement(sql: sql), arguments.bound)
  }

  /// Whether so few todos pass a filter that they are found faster by it than in the order asked for.
  ///
  /// SQLite has no figures to decide by, and would look through all todos for the three of a project.
  private func isNarrow(_ filter: QueryFilter) throws -> Bool {
    guard let numbers = filter.numbers else { return false }
    let statement = try database.cachedStatement(
      sql: "SELECT count(*) FROM (\(numbers) LIMIT \(Self.few + 1))"
    )
    let arguments = [filter.argument].compactMap(\.self)
    return try Int.fetchOne(statement, arguments: arguments.bound) ?? 0 <= Self.few
  }

  private static let few = 1000

  // MARK: References

  /// The todos referred to, each once, in the order of the references.
  func resolve(_ references: [TodoReference]) throws -> [Todo] {
    if references.count == 1 { return try only(references[0]) }
    var seen: Set<Int> = []
    return try references.map(resolve).filter { seen.insert($0.number).inserted }
  }

  /// The one todo referred to.
  func resolve(_ reference: TodoReference) throws -> Todo { try only(reference)[0] }

  /// The one todo referred to, and no other.
  private func only(_ reference: TodoReference) throws -> [Todo] {
    let found: [Todo]
    switch reference {
    case .number(let number): found = try select(Self.isThereByNumber, number)
    case .uuid(let uuid): found = try select(Self.isThereByUUID, [uuid.text])
    case .prefix(let prefix): found = try select(Self.isThereByPrefix, [prefix, prefix + "~"])
    }
    guard !found.isEmpty else { throw ModelError.notFound(reference) }
    guard found.count == 1 else {
      throw ModelError.ambiguous(reference, numbers: found.map(\.number))
    }
    return found
  }

  /// The todo of a number, whether its addition was taken back or not.
  func any(_ number: Int) throws -> Todo {
    guard let todo = try select(Self.byNumber, number).first else {
      throw ModelError.notFound(.number(number))
    }
    return todo
  }

  private func select(_ sql: String, _ number: Int) throws -> [Todo] {
    try FoundTodos(database.cachedStatement(sql: sql), number: number).all()
  }

  private func select(_ sql: String, _ arguments: StatementArguments) throws -> [Todo] {
    try FoundTodos(database.cachedStatement(sql: sql), arguments).all()
  }

  // Made once: the statement of a text is found by it, each time.
  private static let byNumber = "SELECT \(TodoRecord.columns) FROM todo WHERE number = ?"
  private static let isThereByNumber = byNumber + " AND \(TodoRecord.isThere)"
  private static let isThereByUUID =
    "SELECT \(TodoRecord.columns) FROM todo WHERE uuid = ? AND \(TodoRecord.isThere)"
  private static let isThereByPrefix =
    "SELECT \(TodoRecord.columns) FROM todo WHERE uuid >= ? AND uuid < ? AND \(TodoRecord.isThere) LIMIT 6"

  // MARK: Labels

  /// At most a hundred labels that begin with a prefix.
  ///
  /// From label to label, as an index is asked for the next: to look for those that differ would be to
  /// read every one that is there, on all todos.
  func labels(_ kind: RequestReadLabels.Kind, prefix: String) throws -> [String] {
    let (column, table) = kind == .tags ? ("name", "tag") : ("project", "todo")
    let end = prefix + "\u{10FFFF}"
    return try String.fetchAll(
      database,
      sql: """
        WITH RECURSIVE label (text) AS (
          SELECT min(\(column)) FROM \(table) WHERE \(column) >= :start AND \(column) < :end
          UNION ALL
          SELECT (
            SELECT min(\(column)) FROM \(table) WHERE \(column) > label.text AND \(column) < :end
          )
          FROM label WHERE label.text IS NOT NULL
        )
        SELECT text FROM label WHERE text IS NOT NULL LIMIT 100
        """,
      arguments: ["start": prefix, "end": end]
    )
  }
}

extension [any DatabaseValueConvertible] {
  /// The values of question marks, in order.
  fileprivate var bound: StatementArguments { reduce(into: []) { $0 += [$1] } }
}
