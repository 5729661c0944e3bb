import EventMVVM
import EventPatterns
import GRDB
import SQLiteStore
import TodoModels

/// Takes steps back inside a transaction: todo by todo, field by field.
///
/// It compares values, never revisions. A field that has the value that the step gave it gets the one
/// from before; one that has that already is left alone; any other value is somebody else's.
struct StepReverter {
  /// How many todos are dealt with at once: what takes a few milliseconds.
  private static let part = 200

  private let database: Database
  private let writer: TodoWriter
  private let log: StepLog

  init(_ database: Database, _ writer: Writer) {
    self.database = database
    self.writer = TodoWriter(database, writer)
    log = StepLog(database)
  }

  func revert(_ request: RequestRevertStep) throws -> RevertedTodos {
    guard let step = try log.table.step(request.step) else {
      throw StoreError(path: "", "there is no step \(request.step) in the change log")
    }
    if request.last == nil { try log.table.takeBack(step) }
    let numbers = try log.todos(of: step, after: request.last ?? 0, limit: Self.part)
    var todos: [TodoDifference] = []
    var conflicts: [TodoFieldConflict] = []
    for number in numbers {
      let difference = try log.difference(number, in: step)
      var reversal = TodoReversal(difference, force: request.force)
      conflicts += reversal.conflicts
      guard reversal.result != difference.todo else { continue }
      try writer.replace(difference.todo, with: &reversal.result, undoing: step)
      todos.append(TodoDifference(from: difference.todo, to: reversal.result))
    }
    return RevertedTodos(
      todos: todos,
      conflicts: conflicts,
      rest: numbers.count == Self.part ? numbers.last : nil
    )
  }
}

/// What taking a difference back makes of a todo.
private struct TodoReversal {
  private let difference: TodoDifference
  private let force: Bool
  /// The todo as it shall be.
  var result: Todo
  private(set) var conflicts: [TodoFieldConflict] = []

  init(_ difference: TodoDifference, force: Bool) {
    self.difference = difference
    self.force = force
    result = difference.todo
    difference.isAddition ? withdraw() : restore()
  }

  /// Takes an addition back, unless the todo was changed since: its content stays, but out of sight.
  private mutating func withdraw() {
    guard !difference.todo.withdrawn else { return }
    for field in TodoField.allCases where field != .withdrawn {
      if !field.isSame(difference.todo, difference.after) { note(field) }
    }
    if conflicts.isEmpty || force { result.withdrawn = true }
  }

  private mutating func restore() {
    let (before, now, after) = (difference.before, difference.todo, difference.after)
    for field in TodoField.allCases where difference.fields.contains(field) {
      guard !field.isSame(before, after) else { continue }
      if field.isSame(now, after) {
        field.copy(from: before, to: &result)
      } else if field == .tags {
        restoreTags()
      } else if !field.isSame(now, before) {
        note(field)
        if force { field.copy(from: before, to: &result) }
      }
    }
  }

  /// Labels merge: those that the step added go, those that it removed come back.
  private mutating func restoreTags() {
    let (before, after) = (difference.before.tags, difference.after.tags)
    result.tags.removeAll { after.containsText($0) && !before.containsText($0) }
    for tag in before where !after.containsText(tag) && !result.tags.containsText(tag) {
      result.tags.append(tag)
    }
  }

  private mutating func note(_ field: TodoField) {
    conflicts.append(TodoFieldConflict(field, difference))
  }
}
