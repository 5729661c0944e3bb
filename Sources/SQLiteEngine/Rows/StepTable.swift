import EventMVVM
import EventRecords
import GRDB

/// The steps of a store's change log: one for each root that changed something, regardless of the
/// number of its changes.
///
/// A step begins in the transaction of its first change. Its state is kept with it, in the table
/// `step`, so that the next step to undo is found without looking through the log.
struct StepTable {
  private let database: Database

  /// The table of a store.
  init(_ database: Database) {
    self.database = database
  }

  // MARK: Writing

  /// Notes that a root has changed something, if that is not known yet.
  func begin(at revision: Int, by writer: Writer, undoing undone: Step?) throws {
    try begin(
      Step(
        number: revision,
        root: writer.root,
        origin: writer.origin,
        time: writer.time,
        kind: undone.map { $0.kind == .change ? .undo(of: $0.number) : .redo(of: $0.number) }
          ?? .change,
        isUndone: false
      )
    )
  }

  /// Notes a step, unless its root has one.
  func begin(_ step: Step) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO step (number, session, root, origin, at, kind, undoes, isTakenBack)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0)
        """
    )
    try statement.execute(arguments: [
      step.number, Int64(bitPattern: step.root.session), Int64(bitPattern: step.root.number),
      step.origin, step.time.milliseconds, step.kind.columns.kind, step.kind.columns.undoes,
    ])
  }

  /// Marks a step as undone; where it undid one itself, that one counts as done again.
  func markUndone(_ step: Step) throws {
    try mark(step.number, isUndone: true)
    if case .undo(let undone) = step.kind { try mark(undone, isUndone: false) }
  }

  /// Marks a step as undone, or as done again.
  func mark(_ number: Int, isUndone: Bool) throws {
    try database.cachedStatement(sql: "UPDATE step SET isTakenBack = ? WHERE number = ?")
      .execute(arguments: [isUndone ? 1 : 0, number])
  }

  // MARK: Reading

  /// The steps that a query finds.
  func steps(_ query: StepQuery) throws -> [Step] {
    switch query {
    case .newest(let count): try steps("ORDER BY number DESC LIMIT ?", [count])
    case .toUndo(let maker): try latest(kind: 0, by: maker).map { [$0] } ?? []
    case .toRedo(let maker): try stepToRedo(by: maker).map { [$0] } ?? []
    case .number(let number): try steps("WHERE number = ?", [number])
    case .root(let root): try steps("WHERE session = ? AND root = ?", root.arguments)
    }
  }

  /// The latest undo, unless something was changed after it: that has begun another branch.
  private func stepToRedo(by maker: StepMaker?) throws -> Step? {
    guard let undo = try latest(kind: 1, by: maker) else { return nil }
    let later = try [false, true].compactMap { try latest(kind: 0, isUndone: $0, by: maker) }
    return later.contains { $0.number > undo.number } ? nil : undo
  }

  private func latest(
    kind: Int,
    isUndone: Bool = false,
    by maker: StepMaker?
  ) throws -> Step? {
    let state = "kind = ? AND isTakenBack = ?"
    let arguments: StatementArguments = [kind, isUndone ? 1 : 0]
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
}

extension Step.Kind {
  /// What a row holds of it.
  fileprivate var columns: (kind: Int, undoes: Int?) {
    switch self {
    case .change: (0, nil)
    case .undo(let number): (1, number)
    case .redo(let number): (2, number)
    }
  }
}

extension Root {
  /// What a row holds of it.
  var arguments: StatementArguments {
    [Int64(bitPattern: session), Int64(bitPattern: number)]
  }
}

extension Step {
  /// Reads a row that begins with the columns of the table, in their order.
  init(_ row: Row) throws {
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
        isUndone: try row.decode(Int.self, atIndex: 7) != 0
      )
    } catch is RowDecodingError {
      throw damaged()
    }
  }
}
