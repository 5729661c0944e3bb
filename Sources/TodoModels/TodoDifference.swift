import EventMVVM

/// What became of a todo, in one change or in all changes of a step together.
package struct TodoDifference: Sendable, Equatable, Codable {
  /// The todo as it is now.
  package var todo: Todo
  /// Its fields before; only ``fields`` count.
  package var before: Todo
  /// Its fields afterwards; only ``fields`` count.
  package var after: Todo
  /// The fields that were changed.
  package private(set) var fields: Set<TodoField> = []
  /// Whether it was added, so that there is no before.
  package private(set) var isAddition = false

  /// Nothing yet.
  package init(of todo: Todo) {
    self.todo = todo
    before = Todo(uuid: todo.uuid, createdAt: todo.createdAt, number: todo.number)
    after = before
  }

  /// What turns one state of a todo into another.
  package init(from before: Todo, to after: Todo) {
    self.before = before
    self.after = after
    todo = after
    fields = Set(TodoField.allCases.filter { !$0.isSame(before, after) })
  }

  /// The fields that have another value, in the order in which they are declared.
  package var differingFields: [TodoField] {
    TodoField.allCases.filter { fields.contains($0) && !$0.isSame(before, after) }
  }

  private enum CodingKeys: String, CodingKey {
    case todo, before, after, fields, isAddition
  }

  /// Writes the fields in the order in which they are declared: a set has none.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(todo, forKey: .todo)
    try container.encode(before, forKey: .before)
    try container.encode(after, forKey: .after)
    try container.encode(TodoField.allCases.filter(fields.contains), forKey: .fields)
    try container.encode(isAddition, forKey: .isAddition)
  }

  /// Takes a further change in.
  ///
  /// - Parameters:
  ///   - fields: The fields that it changed.
  ///   - earlier: Their values before it.
  ///   - later: Their values after it.
  package mutating func add(_ fields: [TodoField], from earlier: Todo, to later: Todo) {
    for field in fields {
      if self.fields.insert(field).inserted { field.copy(from: earlier, to: &before) }
      field.copy(from: later, to: &after)
    }
  }

  /// Takes the todo's addition in: all of its fields have come to be.
  package mutating func add(additionOf fresh: Todo) {
    isAddition = true
    fields = Set(TodoField.allCases)
    before.withdrawn = true
    after = fresh
  }
}

/// A field of a todo that a step changed and somebody else again since.
package struct TodoFieldConflict: Sendable, Equatable, Codable {
  /// The field.
  package let field: TodoField
  /// What the step did, and the todo as it is now.
  package let difference: TodoDifference

  /// Names a conflict.
  package init(_ field: TodoField, _ difference: TodoDifference) {
    self.field = field
    self.difference = difference
  }
}
