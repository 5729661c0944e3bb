/// What must come of commands, undos and redos, without a store: the states, one behind the other.
///
/// A change after an undo begins another branch: what was undone before it is in the history only.
struct Timeline {
  /// All todos, a line each.
  typealias State = [String]

  private struct Step {
    let text: String
    var isUndone = false
  }

  /// A change between two states.
  private struct Move {
    /// Its place among the steps.
    let change: Int
    let before: State
    let after: State
    /// The place of the undo that took it back.
    var undo: Int?
  }

  private(set) var state: State = []
  private var steps: [Step] = []
  /// What an undo can take back, the next one last.
  private var done: [Move] = []
  /// What a redo can do again, the next one last.
  private var undone: [Move] = []

  /// How many undos there are left.
  var depth: Int { done.count }

  /// What the history says, newest first.
  var history: [String] {
    steps.reversed().map { $0.text + ($0.isUndone ? " (undone)" : "") }
  }

  mutating func change(to after: State) {
    done.append(Move(change: steps.count, before: state, after: after))
    undone = []
    steps.append(Step(text: "change"))
    state = after
  }

  /// Takes the latest change back; false if there is none.
  ///
  /// Where a script has come back to where it began, nothing is changed, and there is no step.
  mutating func undo() -> Bool {
    guard var move = done.popLast() else { return false }
    steps[move.change].isUndone = true
    guard move.before != move.after else { return true }
    move.undo = steps.count
    steps.append(Step(text: "undo of \(move.change + 1)"))
    undone.append(move)
    state = move.before
    return true
  }

  /// Does the latest undo's change again; false if there is none, or something was changed since.
  mutating func redo() -> Bool {
    guard var move = undone.popLast(), let undo = move.undo else { return false }
    steps[undo].isUndone = true
    steps[move.change].isUndone = false
    steps.append(Step(text: "redo of \(undo + 1)"))
    move.undo = nil
    done.append(move)
    state = move.after
    return true
  }
}
