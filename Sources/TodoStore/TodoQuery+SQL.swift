import EventMVVM
import GRDB
import TodoModels

/// One of the conditions of a query.
struct QueryFilter {
  /// What holds for a todo that passes.
  let condition: String
  /// What its question mark stands for.
  var argument: (any DatabaseValueConvertible)?
  /// Finds the numbers of those that pass by an index of their own; nil if there is none.
  var numbers: String?

  /// The condition, worded so that the index is used.
  var narrowCondition: String { numbers.map { "number IN (\($0))" } ?? condition }

  /// The conditions of a predicate; all must hold.
  static func all(_ predicate: TodoQuery.Predicate) -> [QueryFilter] {
    var filters: [QueryFilter] = []
    filters.append(
      QueryFilter(
        condition: predicate.deleted.map { "deleted = \($0 ? 1 : 0)" } ?? TodoRecord.isThere
      )
    )
    if let complete = predicate.complete {
      filters.append(
        QueryFilter(condition: complete ? "completedAt IS NOT NULL" : "completedAt IS NULL")
      )
    }
    if let priority = predicate.priority { filters.append(.priority(priority)) }
    if let project = predicate.project { filters.append(.indexed("project = ?", project)) }
    filters += predicate.tags.map(QueryFilter.tag)
    if let date = predicate.dueBefore { filters.append(.indexed("due < ?", date.text)) }
    if let date = predicate.dueAfter { filters.append(.indexed("due > ?", end(of: date))) }
    filters += predicate.words.map { word in
      QueryFilter(condition: "instr(folded, ?) > 0", argument: TodoRecord.folded(word))
    }
    return filters
  }

  private static func indexed(_ condition: String, _ argument: String) -> QueryFilter {
    QueryFilter(
      condition: condition,
      argument: argument,
      numbers: "SELECT number FROM todo WHERE \(condition)"
    )
  }

  private static func tag(_ name: String) -> QueryFilter {
    QueryFilter(
      condition: "EXISTS (SELECT 1 FROM tag WHERE name = ? AND todo = number)",
      argument: name,
      numbers: "SELECT todo FROM tag WHERE name = ?"
    )
  }

  private static func priority(_ priority: Priority) -> QueryFilter {
    guard priority == .high else { return QueryFilter(condition: "priority = 0") }
    return QueryFilter(
      condition: "priority = 1",
      numbers: "SELECT number FROM todo WHERE priority = 1"
    )
  }

  /// The text after which all dates strictly later sort: a day's minutes are still part of it.
  private static func end(of time: CivilTime) -> String {
    switch time {
    case .day(let day): day.text + "T99"
    case .minute(let minute): minute.text
    }
  }
}

extension TodoQuery {
  /// The index that has the todos asked for in the order asked for; nil if it is SQLite's to choose.
  var index: String? {
    guard sort.key == .created, predicate.deleted == false else { return nil }
    return predicate.complete.map { $0 ? "todoByCompletion" : "todoByOpening" }
  }
}

extension TodoQuery.Sort {
  /// The terms of ORDER BY.
  var sql: String {
    switch key {
    case .created: return "createdAt \(isReversed ? "ASC" : "DESC"), number DESC"
    case .due: return "due IS NULL, due \(isReversed ? "DESC" : "ASC"), number DESC"
    case .manual:
      return
        "\(ManualOrder.key) \(isReversed ? "ASC" : "DESC"), number \(isReversed ? "ASC" : "DESC")"
    case .priority: return "priority \(isReversed ? "ASC" : "DESC"), number DESC"
    case .title:
      // The title is the first line of what is searched; the notes must not break ties.
      let title = "substr(folded, 1, instr(folded, char(10)))"
      return "\(title) \(isReversed ? "DESC" : "ASC"), number DESC"
    }
  }
}
