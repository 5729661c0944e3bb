import JSONText

/// The change log of a store: the order in which all that was written took effect.
struct SerialLog {
  /// The stored fields of a todo by name, as the log has them.
  typealias Fields = [String: JSON]

  enum Kind: Equatable {
    case change
    case undo(of: Int)
    case redo(of: Int)

    /// The number of the step that it reverts.
    var reverted: Int? {
      switch self {
      case .change: nil
      case .undo(let step), .redo(let step): step
      }
    }
  }

  struct Change {
    let revision: Int
    let todo: Int
    /// Nil where the todo was added.
    var before: Fields?
    var after: Fields
  }

  struct Step {
    let number: Int
    let kind: Kind
    var isReverted = false
    var changes: [Change]
  }

  /// The store after a number of steps.
  struct State {
    fileprivate(set) var revision = 0
    fileprivate(set) var fields: [Int: Fields] = [:]
    fileprivate(set) var revisions: [Int: Int] = [:]
    fileprivate(set) var reverted: Set<Int> = []
    fileprivate(set) var toUndo: Int?
    fileprivate(set) var toRedo: Int?

    /// A todo that has been added, and whose addition is not undone.
    func todo(_ number: Int) -> Todo? {
      fields[number]?["withdrawn"] == .bool(true) ? nil : stored(number)
    }

    /// A todo as its row has it, also where its addition is undone.
    func stored(_ number: Int) -> Todo? {
      fields[number].map { Todo(number: number, revision: revisions[number] ?? 0, $0) }
    }

    /// How many todos have a row.
    var count: Int { fields.keys.count { todo($0) != nil } }

    /// What a list of all shows.
    var listed: [Todo] { fields.keys.sorted().compactMap { todo($0) } }
  }

  let steps: [Step]
  /// The states after no step, one step, and so on.
  private(set) var states = [State()]
  /// The todo as each change left it, by revision.
  private(set) var todos: [Int: Todo] = [:]
  /// What does not fit together in the log itself.
  private(set) var problems: [String] = []

  /// Carries the steps out, one after the other.
  init(_ steps: [Step]) {
    self.steps = steps
    for step in steps { append(step) }
  }

  /// The index of a step.
  func index(of number: Int) -> Int? { steps.firstIndex { $0.number == number } }

  /// The value of a field when the store had come to a revision.
  func value(of number: Int, _ field: Request.Field, at revision: Int) -> String? {
    let change = steps.flatMap(\.changes).last { $0.todo == number && $0.revision <= revision }
    return change.flatMap { todos[$0.revision] }?.text(field)
  }

  // MARK: Carrying out

  private mutating func append(_ step: Step) {
    var state = states[states.count - 1]
    if step.changes.first?.revision != step.number {
      problems.append("step \(step.number) does not begin with a change of its number")
    }
    for change in step.changes { carryOut(change, in: &state) }
    if let reverted = step.kind.reverted {
      check(step, reverting: reverted, to: state)
      state.reverted.insert(reverted)
      if let index = index(of: reverted), case .undo(let undone) = steps[index].kind {
        state.reverted.remove(undone)
      }
    }
    states.append(state)
    findNext()
  }

  private mutating func carryOut(_ change: Change, in state: inout State) {
    if change.revision <= state.revision {
      problems.append("revision \(change.revision) comes after \(state.revision)")
    }
    let old = state.fields[change.todo]
    if (old == nil) != (change.before == nil) {
      problems.append("revision \(change.revision): #\(change.todo) is added twice, or never was")
    }
    for (name, value) in change.before ?? [:] where (old ?? [:]).value(name) != value {
      problems.append(
        "revision \(change.revision): the \(name) of #\(change.todo) was another one before"
      )
    }
    state.fields[change.todo] = (old ?? [:]).merging(change.after) { $1 }
    state.revisions[change.todo] = change.revision
    state.revision = change.revision
    todos[change.revision] = Todo(
      number: change.todo,
      revision: change.revision,
      state.fields[change.todo] ?? [:]
    )
  }

  /// An undo or a redo reverts the step whose turn it is, and nothing else.
  private mutating func check(_ step: Step, reverting reverted: Int, to state: State) {
    let before = states[states.count - 1]
    let (verb, next) =
      if case .undo = step.kind { ("undo", before.toUndo) } else { ("redo", before.toRedo) }
    guard reverted == next, let index = index(of: reverted) else {
      problems.append(
        "\(verb) \(step.number) reverts step \(reverted), but the turn was that of "
          + (next.map { "step \($0)" } ?? "none")
      )
      return
    }
    let earlier = states[index]
    var own: Set<[String]> = []
    for change in steps[index].changes {
      for name in change.after.keys { own.insert(["\(change.todo)", name]) }
      own.insert(["\(change.todo)", "withdrawn"])
      let now = state.fields[change.todo] ?? [:]
      guard let then = earlier.fields[change.todo] else {
        if now["withdrawn"] != .bool(true) {
          problems.append("\(verb) \(step.number) leaves #\(change.todo), which was added")
        }
        continue
      }
      for name in change.after.keys where now.value(name) != then.value(name) {
        problems.append("\(verb) \(step.number) leaves the \(name) of #\(change.todo)")
      }
    }
    for change in step.changes {
      for name in change.after.keys where !own.contains(["\(change.todo)", name]) {
        problems.append(
          "\(verb) \(step.number) changes the \(name) of #\(change.todo), of which step "
            + "\(reverted) knows nothing"
        )
      }
    }
  }

  /// What the next undo and the next redo have to revert.
  private mutating func findNext() {
    let last = states.count - 1
    let past = steps.prefix(last)
    let reverted = states[last].reverted
    states[last].toUndo =
      past.last { $0.kind == .change && !reverted.contains($0.number) }?.number
    let undo = past.last {
      if case .undo = $0.kind { !reverted.contains($0.number) } else { false }
    }
    let change = past.last { $0.kind == .change }?.number ?? 0
    states[last].toRedo = undo.flatMap { $0.number > change ? $0.number : nil }
  }
}

extension SerialLog.Fields {
  /// A field, also where it was never set.
  fileprivate func value(_ name: String) -> JSON {
    if let value = self[name] { return value }
    return switch name {
    case "tags": .array([])
    case "deleted", "withdrawn": .bool(false)
    case "title", "subtitle": .string("")
    default: .null
    }
  }
}

extension Todo {
  init(number: Int, revision: Int, _ fields: SerialLog.Fields) {
    self.init(number: number, revision: revision)
    if case .string(let text) = fields["title"] { title = text }
    if case .string(let text) = fields["subtitle"] { subtitle = text }
    if case .array(let names) = fields["tags"] { tags = Set(names.compactMap(\.text)) }
    if let time = fields["completedAt"] { isComplete = time != .null }
    isDeleted = fields["deleted"] == .bool(true)
  }

  /// A field as a text.
  func text(_ field: Request.Field) -> String {
    switch field {
    case .title: title
    case .subtitle: subtitle
    case .tags: tags.sorted().joined(separator: " ")
    }
  }
}

extension JSON {
  /// The text that it is.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The whole number that it is.
  var number: Int? {
    guard case .integer(let number) = self else { return nil }
    return Int(number)
  }
}
