import EventMVVM
import EventPatterns
import GRDB
import JSONText
import SQLiteStore
import TodoModels

/// The steps of the change log, and what todos they changed.
struct StepLog {
  private let database: Database
  private let reader: TodoReader
  /// The steps themselves.
  let table: StepTable

  init(_ database: Database) {
    self.database = database
    reader = TodoReader(database)
    table = StepTable(database)
  }

  // MARK: Reading

  /// What a query finds, with the first todos of each step.
  func steps(_ query: RequestReadSteps.Query) throws -> [TodoStep] {
    switch query {
    case .steps(let query): try table.steps(query).map(described)
    case .todo(let reference, let count): try changes(of: reference, limit: count)
    }
  }

  // MARK: What a step changed

  /// The todos that a step changed, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - last: Begins behind this todo.
  ///   - count: How many at most.
  /// - Returns: Their numbers.
  /// - Throws: The store's failure.
  func todos(of step: Step, after last: Int, limit count: Int) throws -> [Int] {
    let statement = try database.cachedStatement(
      sql: """
        SELECT DISTINCT todo FROM change WHERE session = ? AND root = ? AND todo > ?
        ORDER BY todo LIMIT ?
        """
    )
    return try Int.fetchAll(statement, arguments: step.root.arguments + [last, count])
  }

  /// What became of a todo in all changes of a step together; fields that came back to what they were
  /// are left out.
  func difference(_ number: Int, in step: Step) throws -> TodoDifference {
    let statement = try database.cachedStatement(
      sql: """
        SELECT before, after FROM change WHERE session = ? AND root = ? AND todo = ?
        ORDER BY revision
        """
    )
    var difference = TodoDifference(of: try reader.any(number))
    for row in try Row.fetchAll(statement, arguments: step.root.arguments + [number]) {
      try difference.add(row[0], row[1])
    }
    return difference
  }

  private func described(_ step: Step) throws -> TodoStep {
    let statement = try database.cachedStatement(
      sql: "SELECT count(DISTINCT todo) FROM change WHERE session = ? AND root = ?"
    )
    let first = try todos(of: step, after: 0, limit: 3)
    return TodoStep(
      step,
      count: try Int.fetchOne(statement, arguments: step.root.arguments) ?? 0,
      todos: try first.map { try difference($0, in: step) }
    )
  }

  /// Each change of a todo, newest first.
  private func changes(of reference: TodoReference, limit: Int) throws -> [TodoStep] {
    let todo: Todo
    if case .number(let number) = reference {
      todo = try reader.any(number)
    } else {
      todo = try reader.resolve(reference)
    }
    let statement = try database.cachedStatement(
      sql: """
        SELECT number, step.session, step.root, step.origin, step.at, kind, undoes, isTakenBack,
          before, after
        FROM change JOIN step ON step.session = change.session AND step.root = change.root
        WHERE todo = ? ORDER BY revision DESC LIMIT ?
        """
    )
    return try Row.fetchAll(statement, arguments: [todo.number, limit])
      .map { row in
        var difference = TodoDifference(of: todo)
        try difference.add(row[8], row[9])
        return TodoStep(try Step(row), count: 1, todos: [difference])
      }
  }
}

extension TodoDifference {
  /// Takes a row of the change log in.
  fileprivate mutating func add(_ before: String?, _ after: String?) throws {
    let blank = Todo(uuid: todo.uuid, createdAt: todo.createdAt, number: todo.number)
    var (earlier, later) = (blank, blank)
    guard let after, let json = try? JSON(parsing: after), ChangeLog.restore(json, to: &later),
      case .object(let members) = json
    else { throw damaged }
    guard let before else { return add(additionOf: later) }
    guard let json = try? JSON(parsing: before), ChangeLog.restore(json, to: &earlier) else {
      throw damaged
    }
    add(members.compactMap { TodoField(rawValue: $0.name) }, from: earlier, to: later)
  }

  private var damaged: StoreError {
    StoreError(path: "", "the change log of todo #\(todo.number) is damaged")
  }
}
