import EventMVVM
import EventPatterns
import JSONText
import TodoModels

// Steps of the change log, as those see them who know no todo.

extension JournalEntry {
  /// Shows a step.
  init(_ step: TodoStep) {
    self.init(step.step, count: step.count, changes: step.todos.map(SubjectChange.init))
  }
}

extension ReversedPart {
  /// Shows a part of a reversal.
  init(_ part: RevertedTodos) {
    self.init(
      changes: part.todos.map(SubjectChange.init),
      conflicts: part.conflicts.map { conflict in
        let (field, difference) = (conflict.field, conflict.difference)
        return JournalConflict(
          id: difference.todo.number,
          title: difference.todo.title,
          kind: SubjectChange.Kind(difference),
          field: FieldChange(field, in: difference),
          current: field.json(of: difference.todo)
        )
      },
      rest: part.rest
    )
  }
}

extension SubjectChange {
  /// Shows what became of a todo.
  init(_ difference: TodoDifference) {
    let fields = difference.differingFields.filter { $0 != .withdrawn }
    self.init(
      id: difference.todo.number,
      title: difference.todo.title,
      kind: Kind(difference),
      fields: fields.map { FieldChange($0, in: difference) }
    )
  }
}

extension SubjectChange.Kind {
  fileprivate init(_ difference: TodoDifference) {
    guard difference.fields.contains(.withdrawn) else {
      self = .changed
      return
    }
    switch (difference.before.withdrawn, difference.after.withdrawn) {
    case (true, false): self = .added
    case (false, true): self = .removed
    default: self = .changed
    }
  }
}

extension FieldChange {
  fileprivate init(_ field: TodoField, in difference: TodoDifference) {
    self.init(
      field.rawValue,
      from: field.json(of: difference.before),
      to: field.json(of: difference.after)
    )
  }
}

extension TodoField {
  /// The field's value, as in the JSON of a todo.
  fileprivate func json(of todo: Todo) -> JSON {
    switch self {
    case .title: .string(todo.title)
    case .subtitle: .string(todo.subtitle)
    case .priority: .string(todo.priority.rawValue)
    case .completedAt: todo.completedAt.map { .string($0.iso8601) } ?? .null
    case .deleted: .bool(todo.deleted)
    case .due: todo.due.map { .string($0.text) } ?? .null
    case .tags: .array(todo.tags.map { .string($0) })
    case .project: todo.project.map { .string($0) } ?? .null
    case .place: todo.place.map { .string($0.text) } ?? .null
    case .withdrawn: .bool(todo.withdrawn)
    }
  }
}
