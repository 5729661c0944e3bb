import EventMVVM

import EventRecords
@testable import UndoHistory

/// A sequence of operations on a store of its own, beside what must come of it.
struct Trial {
  /// What is not as it must be.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  private let store: SharedStore
  private var timeline = Timeline()
  /// The numbers of all todos that ever were there.
  private var numbers: Set<String> = []

  private init() throws {
    store = try SharedStore()
  }

  /// What is wrong with undo, redo or the history after some operations; nil if nothing is.
  static func problem(of operations: [Operation]) throws -> Problem? {
    var trial = try Trial()
    do {
      for operation in operations { try trial.run(operation) }
      try trial.goToTheBeginning()
      try trial.goToTheEnd()
      return nil
    } catch let problem as Problem {
      return problem
    }
  }

  // MARK: Running

  private mutating func run(_ operation: Operation) throws {
    let outcome = try store.run(operation)
    switch operation {
    case .command("undo", _): try takeIn(outcome, operation) { $0.undo() }
    case .command("redo", _): try takeIn(outcome, operation) { $0.redo() }
    default: try takeIn(outcome, operation)
    }
  }

  private mutating func takeIn(
    _ outcome: SharedStore.Outcome,
    _ operation: Operation,
    _ reverse: (inout Timeline) -> Bool
  ) throws {
    let before = timeline.state
    let count =
      reverse(&timeline) ? Set(before).symmetricDifference(timeline.state).numbers.count : nil
    switch (outcome.failure, count) {
    case (nil, let count?):
      try expect(outcome.report?.count ?? -1, count, "the number of changes of '\(operation)'")
    case (let failure?, nil):
      try expect(failure.kind, .notFound, "the answer to '\(operation)'")
    case (let failure?, _?):
      throw Problem(description: "'\(operation)' fails: \(failure.message)")
    case (nil, nil):
      throw Problem(description: "'\(operation)' must find nothing, but it did something")
    }
    try expect(try store.state(seenBy: .me), timeline.state, "the todos after '\(operation)'")
    try expect(try store.state(seenBy: .other), timeline.state, "what others see of them")
  }

  /// What a change comes to is not the question here: its state is taken as it is.
  private mutating func takeIn(_ outcome: SharedStore.Outcome, _ operation: Operation) throws {
    let state = try store.state()
    guard outcome.failure == nil, outcome.isStep else {
      return try expect(state, timeline.state, "the todos after '\(operation)', which is no step")
    }
    timeline.change(to: state)
    numbers.formUnion(Set(state).numbers)
  }

  // MARK: There and back

  private mutating func goToTheBeginning() throws {
    for _ in 0...timeline.depth { try run(.command("undo")) }
    try expect(timeline.depth, 0, "the number of steps that are left")
    try expect(try store.state(), [], "the todos when everything is undone")
    try expect(try numbers.filter(store.finds), [], "the todos that are found nevertheless")
    try checkHistory()
  }

  private mutating func goToTheEnd() throws {
    var last = timeline
    while last.redo() { try run(.command("redo")) }
    try run(.command("redo"))
    try expect(try store.state(), last.state, "the todos when everything is redone")
    try checkHistory()
    try expect(try store.damages(), [], "what the doctor finds")
  }

  private func checkHistory() throws {
    let steps = try store.steps()
    let numbers = steps.map(\.number)
    try expect(numbers, numbers.sorted(by: >), "the order of the history")
    let places = Dictionary(uniqueKeysWithValues: zip(numbers.reversed(), 1...))
    let history = steps.map { step in
      let text =
        switch step.kind {
        case .change: "change"
        case .undo(let undone): "undo of \(places[undone] ?? -1)"
        case .redo(let undone): "redo of \(places[undone] ?? -1)"
        }
      return text + (step.isUndone ? " (undone)" : "")
    }
    try expect(history, timeline.history, "the history")
  }
}

/// Throws a ``Trial/Problem`` unless two values are the same.
func expect<T: Equatable>(_ actual: T, _ expected: T, _ what: String) throws {
  guard actual != expected else { return }
  throw Trial.Problem(description: "\(what): expected \(expected), but is \(actual)")
}

extension Set<String> {
  /// The numbers of the todos of these lines.
  var numbers: Set<String> {
    Set<String>(compactMap { $0.firstMatch(of: /"id":(\d+)/).map { String($0.output.1) } })
  }
}
