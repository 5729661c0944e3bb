import EventMVVM
import EventPatterns
import GRDB
import JSONText
import TodoModels

/// The steps of the change log: one for each root that changed something, whatever the number of its
/// changes.
///
/// A step begins in the transaction of its first change. Its state is kept with it, so that what is to
/// be undone next is found without looking through the log.
struct StepLog {
  private let database: Database
  private let reader: TodoReader

  init(_ database: Database) {
    self.database = database
    reader = TodoReader(database)
  }

  // MARK: Writing

  /// Notes that a root has changed something, if that is not known yet.
  func begin(at revision: Int, by writer: Writer, undoing undone: Step?) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO step (number, session, root, origin, at, kind, undoes, isTakenBack)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0)
        """
    )
    try statement.execute(arguments: [
      revision, Int64(bitPattern: writer.root.session), Int64(bitPattern: writer.root.number),
      writer.origin, writer.time.milliseconds, undone.map { $0.kind == .change ? 1 : 2 } ?? 0,
      undone?.number,
    ])
  }

  /// Notes that a step is taken back; where it took one back itself, that one stands again.
  func takeBack(_ step: Step) throws {
    try setTakenBack(step.number, true)
    if case .undo(let undone) = step.kind { try setTakenBack(undone, false) }
  }

  private func setTakenBack(_ number: Int, _ isTakenBack: Bool) throws {
    try database.cachedStatement(sql: "UPDATE step SET isTakenBack = ? WHERE number = ?")
      .execute(arguments: [isTakenBack ? 1 : 0, number])
  }

  // MARK: Reading

  /// What a query finds, with the first todos of each step.
  func steps(_ query: RequestReadSteps.Query) throws -> [TodoStep] {
    switch query {
    case .steps(.newest(let count)):
      return try steps("ORDER BY number DESC LIMIT ?", [count]).map(described)
    case .steps(.toUndo(let maker)):
      return try latest(kind: 0, by: maker).map { [try described($0)] } ?? []
    case .steps(.toRedo(let maker)):
      return try stepToRedo(by: maker).map { [try described($0)] } ?? []
    case .todo(let reference, let count):
      return try changes(of: reference, limit: count)
    }
  }

  /// The step of a number.
  func step(_ number: Int) throws -> Step? {
    try steps("WHERE number = ?", [number]).first
  }

  /// The latest undo, unless somebody changed something after it: that has begun another branch.
  private func stepToRedo(by maker: StepMaker?) throws -> Step? {
    guard let undo = try latest(kind: 1, by: maker) else { return nil }
    let later = try [false, true].compactMap { try latest(kind: 0, isTakenBack: $0, by: maker) }
    return later.contains { $0.number > undo.number } ? nil : undo
  }

  private func latest(
    kind: Int,
    isTakenBack: Bool = false,
    by maker: StepMaker?
  ) throws -> Step? {
    let state = "kind = ? AND isTakenBack = ?"
    let arguments: StatementArguments = [kind, isTakenBack ? 1 : 0]
    guard let maker else {
      return try steps("WHERE \(state) ORDER BY number DESC LIMIT 1", arguments).first
    }
    return try steps(
      "WHERE session = ? AND +kind = ? AND isTakenBack = ? ORDER BY root DESC LIMIT 1",
      [Int64(bitPattern: maker.session)] + arguments
    )
    .first
      ?? steps(
        "WHERE origin = ? AND \(state) ORDER BY number DESC LIMIT 1",
        [maker.origin] + arguments
      )
      .first
  }

  private func steps(_ rest: String, _ arguments: StatementArguments) throws -> [Step] {
    let statement = try database.cachedStatement(
      sql: "SELECT number, session, root, origin, at, kind, undoes, isTakenBack FROM step \(rest)"
    )
    return try Row.fetchAll(statement, arguments: arguments).map(Step.init)
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

extension Root {
  fileprivate var arguments: StatementArguments {
    [Int64(bitPattern: session), Int64(bitPattern: number)]
  }
}

extension Step {
  /// Reads a row.
  fileprivate init(_ row: Row) throws {
    let number = try row.decode(Int.self, atIndex: 0)
    func damaged() -> StoreError {
      StoreError(path: "", "step \(number) is damaged: it can't be read")
    }
    do {
      let undone = try row.decode(Int?.self, atIndex: 6)
      let kind: Kind
      switch (try row.decode(Int.self, atIndex: 5), undone) {
      case (0, nil): kind = .change
      case (1, let undone?): kind = .undo(of: undone)
      case (2, let undone?): kind = .redo(of: undone)
      default: throw damaged()
      }
      self.init(
        number: number,
        root: Root(
          session: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)),
          number: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 2))
        ),
        origin: try row.decode(String.self, atIndex: 3),
        time: Instant(milliseconds: try row.decode(Int64.self, atIndex: 4)),
        kind: kind,
        isTakenBack: try row.decode(Int.self, atIndex: 7) != 0
      )
    } catch is RowDecodingError {
      throw damaged()
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
