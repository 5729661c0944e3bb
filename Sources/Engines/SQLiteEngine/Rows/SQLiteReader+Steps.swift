import EventMVVM
import EventRecords
import GRDB

// The steps of a store's change log: one for each root that has changed something, whatever the
// number of its changes.
//
// A step begins in the transaction of its first change. Its state is stored with it, in the table
// `step`, so that the next step to undo is found without reading the log.

extension SQLiteWriter {
  /// Adds a step, unless its root has one.
  func begin(_ step: Step) throws {
    let (kind, undoes) = step.kind.columns
    try database.run(
      """
      INSERT OR IGNORE INTO step (number, session, root, origin, at, kind, undoes, isTakenBack)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0)
      """,
      [.integer(Int64(step.number))] + step.root.values
        + [.text(step.origin), .integer(step.time.milliseconds), .integer(kind.rawValue), undoes]
    )
  }

  /// Marks a step as undone, or as redone.
  func mark(_ step: Int, isUndone: Bool) throws {
    try database.run(
      "UPDATE step SET isTakenBack = ? WHERE number = ?",
      [.integer(isUndone ? 1 : 0), .integer(Int64(step))]
    )
  }
}

extension SQLiteReader {
  /// Returns the steps that a query finds.
  func steps(_ query: StepQuery) throws -> [Step] {
    switch query {
    case .newest(let count):
      try steps("ORDER BY number DESC LIMIT ?", [.integer(Int64(count))])
    case .toUndo(let maker): try latest(.change, by: maker).map { [$0] } ?? []
    case .toRedo(let maker): try stepToRedo(by: maker).map { [$0] } ?? []
    case .number(let number): try steps("WHERE number = ?", [.integer(Int64(number))])
    case .root(let root): try steps("WHERE session = ? AND root = ?", root.values)
    }
  }

  func steps(of roots: [Root]) throws -> [Step] {
    let pairs = roots.map { [Int64(bitPattern: $0.session), Int64(bitPattern: $0.number)] }
    return try steps(
      """
      WHERE (session, root) IN
        (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))
      """,
      [.text("\(pairs)")]
    )
  }

  /// Returns the latest undo, unless a change after it has begun another branch.
  private func stepToRedo(by maker: StepMaker?) throws -> Step? {
    guard let undo = try latest(.undo, by: maker) else { return nil }
    let later = try [false, true].compactMap { try latest(.change, isUndone: $0, by: maker) }
    return later.contains { $0.number > undo.number } ? nil : undo
  }

  private func latest(
    _ kind: StoredKind,
    isUndone: Bool = false,
    by maker: StepMaker?
  ) throws -> Step? {
    let state = "kind = ? AND isTakenBack = ?"
    let values: [StoredValue] = [.integer(kind.rawValue), .integer(isUndone ? 1 : 0)]
    guard let maker else {
      return try steps("WHERE \(state) ORDER BY number DESC LIMIT 1", values).first
    }
    // `+` keeps SQLite from using the index of kind and state, with which it would have to find and
    // sort the session's steps; the index of session and root has the latest at its end. A process
    // may have several frontends, each with an origin of its own.
    return try steps(
      "WHERE session = ? AND +kind = ? AND isTakenBack = ? AND +origin = ? ORDER BY root DESC LIMIT 1",
      [.integer(Int64(bitPattern: maker.session))] + values + [.text(maker.origin)]
    )
    .first
      ?? steps(
        "WHERE origin = ? AND \(state) ORDER BY number DESC LIMIT 1",
        [.text(maker.origin)] + values
      )
      .first
  }

  private func steps(_ rest: String, _ values: [StoredValue]) throws -> [Step] {
    let rows = FoundRows(
      try database.boundStatement(
        "SELECT number, session, root, origin, at, kind, undoes, isTakenBack FROM step \(rest)",
        values
      )
    )
    var steps: [Step] = []
    while try rows.step() { steps.append(try Step(rows)) }
    return steps
  }
}

/// The values of the column `kind`.
private enum StoredKind: Int64 {
  case change = 0
  case undo = 1
  case redo = 2
}

extension Step.Kind {
  /// The columns of the kind.
  fileprivate var columns: (kind: StoredKind, undoes: StoredValue) {
    switch self {
    case .change: (.change, .null)
    case .undo(let number): (.undo, .integer(Int64(number)))
    case .redo(let number): (.redo, .integer(Int64(number)))
    }
  }
}

extension Root {
  /// The values of a step's columns.
  var values: [StoredValue] {
    [.integer(Int64(bitPattern: session)), .integer(Int64(bitPattern: number))]
  }
}

extension Step {
  /// Reads a row of the table.
  fileprivate init(_ row: FoundRows) throws {
    do {
      let kind: Kind
      switch (StoredKind(rawValue: try row.integer(5)), try row.cell(6)) {
      case (.change, .null): kind = .change
      case (.undo, .integer(let undone)): kind = .undo(of: Int(undone))
      case (.redo, .integer(let undone)): kind = .redo(of: Int(undone))
      default: throw StoreError(path: "", "its kind is unknown")
      }
      self.init(
        number: row.number,
        root: try row.root(1),
        origin: try row.text(3),
        time: Instant(milliseconds: try row.integer(4)),
        kind: kind,
        isUndone: try row.integer(7) != 0
      )
    } catch is StoreError {
      throw StoreError(path: "", "step \(row.number) is damaged: it can't be read")
    }
  }
}
