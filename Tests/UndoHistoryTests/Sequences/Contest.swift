import EventMVVM
import EventRecords

/// A sequence of operations among which are undos and redos of one's own steps, under what others
/// have done since, by force or not.
struct Contest {
  private let store: SharedStore
  private var numbers: Set<String> = []

  private init() throws {
    store = try SharedStore()
  }

  /// What is wrong after some operations; nil if nothing is.
  static func problem(of operations: [Operation]) throws -> Trial.Problem? {
    var contest = try Contest()
    do {
      for operation in operations { try contest.run(operation) }
      try contest.goToTheBeginning()
      return nil
    } catch let problem as Trial.Problem {
      return problem
    }
  }

  /// What fails changes nothing: neither the todos nor the history.
  private mutating func run(_ operation: Operation) throws {
    let (state, steps) = (try store.state(), try store.steps())
    let outcome = try store.run(operation)
    numbers.formUnion(Set(try store.state()).numbers)
    guard let failure = outcome.failure else { return }
    try expect(try store.state(), state, "the todos after '\(operation)': \(failure.message)")
    try expect(try store.steps(), steps, "the history after '\(operation)': \(failure.message)")
  }

  /// By force everything is taken back, whatever others have done since.
  private func goToTheBeginning() throws {
    let changes = try store.steps().filter { $0.kind == .change && !$0.isUndone }
    for _ in changes {
      let outcome = try store.run(.command("undo --force"))
      try expect(outcome.failure?.message, nil, "the failure of 'undo --force'")
    }
    let last = try store.run(.command("undo --force"))
    try expect(last.failure?.message, "There is nothing to undo.", "the end of undoing")
    try expect(try store.state(), [], "the todos when everything is undone by force")
    try expect(try numbers.filter(store.finds), [], "the todos that are found nevertheless")
    try expect(try store.damages(), [], "what the doctor finds")
  }
}
