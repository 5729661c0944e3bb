/// What the steps of a store say, computed anew from its changes.
extension Contents {
  /// What an undo has to take back next.
  var nextToUndo: Step? { steps.last { $0.kind == .change && !$0.isUndone } }

  /// What a redo has to take back next.
  var nextToRedo: Step? {
    guard let undo = steps.last(where: { $0.kind == .undo && !$0.isUndone }),
      let change = steps.last(where: { $0.kind == .change })
    else { return nil }
    return undo.number > change.number ? undo : nil
  }

  /// How many todos a step has changed.
  func count(of step: Step) -> Int {
    Set(changes.filter { $0.step == step.name }.map(\.todo)).count
  }

  /// What does not fit together: steps, changes, and the todos, which must be as the changes leave
  /// them that are not taken back.
  func problemsOfSteps() throws -> [String] {
    var problems: [String] = []
    var first: [String: Int] = [:]
    for change in changes where first[change.step] == nil { first[change.step] = change.revision }
    if Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.number) }) != first {
      problems.append("STEPS: \(steps.map(\.number)) are not those of the changes")
    }
    for step in steps {
      let isUndone = steps.contains { $0.undoes == step.number && !$0.isUndone }
      if isUndone != step.isUndone {
        problems.append("STEPS: step \(step.number) must\(isUndone ? "" : " not") be taken back")
      }
    }
    let standing = Set(steps.filter { $0.kind == .change && !$0.isUndone }.map(\.name))
    let computed = try History(changes.filter { standing.contains($0.step) }).todos
    if computed.map(\.content) != todos.map(\.content) {
      problems.append("STEPS: the todos are not as the steps leave them that are not taken back")
    }
    return problems
  }
}

extension Contents.Todo {
  /// Itself, whichever change it has that from.
  fileprivate var content: Self {
    Self(
      revision: 0,
      number: number,
      title: title,
      subtitle: subtitle,
      completedAt: completedAt,
      isDeleted: isDeleted,
      tags: tags
    )
  }
}
