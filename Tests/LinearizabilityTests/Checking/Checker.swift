/// Whether the answers of clients can have come about in the order of the change log.
///
/// Each write that was acknowledged is one step of the log, an unanswered one is one or none, a
/// refused one is none. Reads, refusals and writes that changed nothing stand between two steps,
/// where the store was as they say. And all of it agrees with real time: what began when another
/// had ended comes after it. Since the log gives the order of the steps, only two things are to be
/// found: which request made a step where several ask for the same, and between which steps the
/// rest stands.
struct Checker {
  let operations: [Operation]
  let log: SerialLog

  init(_ operations: [Operation], _ log: SerialLog) {
    self.operations = operations.sorted { $0.begin < $1.begin }
    self.log = log
  }

  /// What can't have happened; nothing, if all of it can.
  func problems() -> [String] {
    let found = log.problems + numbersGivenTwice()
    guard found.isEmpty else { return found }
    let candidates = log.steps.indices.map { step in
      operations.indices.filter { couldMake(operations[$0], step) }
    }
    let orphans = log.steps.indices.filter { candidates[$0].isEmpty }
    guard orphans.isEmpty else {
      return orphans.map { "step \(log.steps[$0].number) has no request: \(log.steps[$0])" }
    }
    var search = Search(checker: self, candidates: candidates)
    return search.problems()
  }

  /// A number is one todo for ever, and a revision one change.
  private func numbersGivenTwice() -> [String] {
    var (titles, makers): ([Int: String], [Int: String]) = ([:], [:])
    var problems: [String] = []
    for operation in operations {
      guard case .todos(let todos) = operation.answer else { continue }
      for (line, todo) in zip(operation.request.lines, todos) {
        guard let mark = line.mark else { continue }
        if case .add = line, let other = titles.updateValue(mark, forKey: todo.number) {
          problems.append("#\(todo.number) was given twice, to '\(other)' and to '\(mark)'")
        }
        if let other = makers.updateValue(mark, forKey: todo.revision) {
          problems.append(
            "revision \(todo.revision) was given twice, to '\(other)' and to '\(mark)'"
          )
        }
      }
    }
    return problems
  }

  // MARK: What made a step

  /// Whether a step is what was asked for, and the answer what it came to.
  private func couldMake(_ operation: Operation, _ index: Int) -> Bool {
    let step = log.steps[index]
    switch operation.request {
    case .list, .show, .script(_, isDoomed: true): return false
    case .undo: guard case .undo = step.kind else { return false }
    case .redo: guard case .redo = step.kind else { return false }
    case .add, .edit, .complete, .delete, .script:
      let lines = operation.request.lines
      guard step.kind == .change, step.changes.count == lines.count,
        zip(lines, step.changes).allSatisfy({ isChange($1, by: $0, in: index) })
      else { return false }
    }
    switch operation.answer {
    case .refused: return false
    case .unknown, .acknowledged: return true
    case .reverted(let number): return step.kind.reverted == number
    case .todos(let todos):
      return zip(todos, step.changes).allSatisfy { $0 == log.todos[$1.revision] }
    }
  }

  private func isChange(_ change: SerialLog.Change, by line: Request, in step: Int) -> Bool {
    let names = Set(change.after.keys)
    guard let after = log.todos[change.revision] else { return false }
    switch line {
    case .add(let title):
      return change.before == nil && names == ["title"] && after.title == title
    case .edit(change.todo, .tags, let tag, _):
      let before = log.value(of: change.todo, .tags, at: change.revision - 1) ?? ""
      let tags = Set(before.split(separator: " ").map(String.init)).union([tag])
      return change.before != nil && names == ["tags"] && after.tags == tags
    case .edit(change.todo, let field, let value, let seen):
      return change.before != nil && names == [field.rawValue] && after.text(field) == value
        && !isConflict(change.todo, field, value, seen, at: log.states[step].revision)
    case .complete(change.todo, let isComplete):
      return change.before != nil && names == ["completedAt"] && after.isComplete == isComplete
    case .delete(change.todo, let isDeleted):
      return change.before != nil && names == ["deleted"] && after.isDeleted == isDeleted
    default: return false
    }
  }

  /// Whether a field was given another value since a revision.
  private func isConflict(
    _ number: Int,
    _ field: Request.Field,
    _ value: String,
    _ seen: Int?,
    at revision: Int
  ) -> Bool {
    guard let seen, field != .tags else { return false }
    let now = log.value(of: number, field, at: revision)
    return now != log.value(of: number, field, at: seen) && now != value
  }

  // MARK: Where the rest stands

  /// Whether a request that changed nothing can have had its answer after so many steps.
  fileprivate func isTrue(_ operation: Operation, after count: Int) -> Bool {
    let state = log.states[count]
    switch (operation.request, operation.answer) {
    case (_, .unknown), (_, .refused(.locked)): return true
    case (_, .refused(.other)): return false
    case (.list, .todos(let todos)): return todos == state.listed
    case (.show(let number), .todos(let todos)): return todos == [state.todo(number)]
    case (.complete(let number, let isComplete), .todos(let todos)):
      return todos == [state.todo(number)] && todos[0].isComplete == isComplete
    case (.delete(let number, let isDeleted), .todos(let todos)):
      return todos == [state.todo(number)] && todos[0].isDeleted == isDeleted
    case (.undo, .refused(.nothingToRevert)): return state.toUndo == nil
    case (.redo, .refused(.nothingToRevert)): return state.toRedo == nil
    case (let request, .refused(let refusal)):
      if case .script(_, isDoomed: true) = request { return true }
      return request.lines.contains { isRight(refusal, of: $0, in: state) }
    default: return false
    }
  }

  private func isRight(_ refusal: Refusal, of line: Request, in state: SerialLog.State) -> Bool {
    switch refusal {
    case .conflict(let number, let field, let actual):
      guard case .edit(number, field, let value, let seen) = line else { return false }
      return state.todo(number)?.text(field) == actual
        && isConflict(number, field, value, seen, at: state.revision)
    case .notFound(let number):
      let isDeleted = state.todo(number)?.isDeleted
      switch line {
      case .edit(number, _, _, _), .complete(number, _), .delete(number, true):
        return isDeleted ?? true
      case .show(number), .delete(number, false): return isDeleted == nil
      default: return false
      }
    case .nothingToRevert, .locked, .other: return false
    }
  }

  /// What does not agree with real time, if each of these operations made the step of its place.
  ///
  /// Each stands as early as possible, which leaves most room to the rest.
  fileprivate func problems(ofMakers makers: [Int]) -> [String] {
    var steps: [Int: Int] = [:]
    for (step, maker) in makers.enumerated() { steps[maker] = step }
    // A point is twice a number of steps; a step stands at the odd point between two of them.
    var points: [(end: Int, point: Int, index: Int)] = []
    var problems: [String] = []
    for (index, operation) in operations.enumerated() {
      let last = points.filter { $0.end < operation.begin }.max { $0.point < $1.point }
      let floor = last?.point ?? 0
      let because = last.map { "\n  after \(operations[$0.index])" } ?? ""
      let point: Int
      if let step = steps[index] {
        point = 2 * step + 1
        if point < floor {
          problems.append("against real time, as step \(step + 1): \(operation)\(because)")
        }
      } else if operation.answer == .unknown {
        continue
      } else if let count = ((floor + 1) / 2...log.steps.count)
        .first(where: { isTrue(operation, after: $0) })
      {
        point = 2 * count
      } else {
        let isStale = (0...log.steps.count).contains { isTrue(operation, after: $0) }
        problems.append(
          isStale ? "stale: \(operation)\(because)" : "never so: \(operation)"
        )
        continue
      }
      points.append((operation.end, point, index))
    }
    return problems
  }
}

/// Looks for requests that can have made the steps.
private struct Search {
  private let checker: Checker
  /// By step, who can have made it; who began first is tried first.
  private let candidates: [[Int]]
  private var makers: [Int] = []
  private var first: [String]?
  /// So many ways to give the steps away are tried.
  private var left = 10_000

  init(checker: Checker, candidates: [[Int]]) {
    self.checker = checker
    self.candidates = candidates
  }

  /// What is wrong with the first way; nothing, if there is one with which nothing is.
  mutating func problems() -> [String] {
    if extend(after: 0) { return [] }
    return first ?? ["no requests agree with real time:"]
      + candidates.enumerated()
      .flatMap { step, makers in
        makers.map { "step \(checker.log.steps[step].number): \(checker.operations[$0])" }
      }
  }

  /// Gives the next steps away to requests that had not ended when one of an earlier step began.
  private mutating func extend(after latest: Int) -> Bool {
    guard makers.count < candidates.count else {
      left -= 1
      let problems = checker.problems(ofMakers: makers)
      first = first ?? problems
      return problems.isEmpty
    }
    for candidate in candidates[makers.count] where !makers.contains(candidate) && left > 0 {
      let operation = checker.operations[candidate]
      guard operation.end >= latest else { continue }
      makers.append(candidate)
      if extend(after: max(latest, operation.begin)) { return true }
      makers.removeLast()
    }
    return false
  }
}

extension Request {
  /// The lines of a script; of anything else, itself.
  var lines: [Request] {
    guard case .script(let lines, _) = self else { return [self] }
    return lines
  }

  /// What no other request has.
  var mark: String? {
    switch self {
    case .add(let mark), .edit(_, _, let mark, _): mark
    default: nil
    }
  }
}
