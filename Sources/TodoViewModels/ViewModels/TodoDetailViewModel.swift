package import EventCommands
package import EventMVVM
package import JSONText
package import TodoModels

/// A todo as an editor shows it (S46): five properties that can be edited, and what they read as.
///
/// It is a value (S51): editing changes nobody's todo. ``shouldSave`` is set by the ViewModelServer
/// alone, after validation (S49).
package struct TodoDetailViewModel: Sendable, Equatable {
  let original: Todo
  /// What is to be done.
  package var title: String
  /// Notes.
  package var subtitle: String
  /// How much it matters.
  package var priority: Priority
  /// Whether it is done.
  package var completed: Bool
  /// Whether it is deleted.
  package var deleted: Bool
  /// Whether it is to be stored.
  package internal(set) var shouldSave = false

  /// Edits a todo, stored or fresh.
  package init(_ todo: Todo) {
    original = todo
    title = todo.title
    subtitle = todo.subtitle
    priority = todo.priority
    completed = todo.complete
    deleted = todo.deleted
  }

  /// The todo's identity.
  package var uuid: UniqueID { original.uuid }
  /// The todo's number; 0 if it is new.
  package var number: Int { original.number }
  /// Whether nobody has stored it yet.
  package var isNew: Bool { original.number == 0 }

  // MARK: Editing

  /// Makes it high, or normal again.
  package mutating func togglePriority() { priority = priority == .high ? .normal : .high }
  /// Completes it, or opens it again.
  package mutating func toggleCompleted() { completed.toggle() }
  /// Deletes it, or restores it.
  package mutating func toggleDeleted() { deleted.toggle() }

  // MARK: What it reads as

  /// `Complete` or `Incomplete` (S47).
  package var completedText: String { completed ? "Complete" : "Incomplete" }
  /// What the action is called that deletes or restores it.
  package var deleteActionTitle: String { deleted ? "Restore" : "Delete" }
  /// The priority in upper case.
  package var priorityText: String { priority.rawValue.uppercased() }

  /// How long ago it was made, in whole seconds; never negative (S70).
  package func createdText(at now: Instant) -> String {
    let age = max(
      0,
      now.milliseconds
        .subtractingReportingOverflow(
          original.createdAt.milliseconds
        )
        .partialValue / 1000
    )
    return age == 1 ? "1 second ago" : "\(age) seconds ago"
  }

  // MARK: Saving

  /// Itself, if it can be stored; else why not (S48).
  package func validate() -> Result<TodoDetailViewModel, Failure> {
    (Rules.problem(title: title) ?? Rules.problem(subtitle: subtitle)).map { .failure($0) }
      ?? .success(self)
  }

  /// The todo with the edits merged in; one that was complete keeps its time (S49, S69).
  package func updatedTodo(at now: Instant) -> Todo {
    var todo = original
    todo.title = title
    todo.subtitle = subtitle
    todo.priority = priority
    todo.deleted = deleted
    todo.completedAt = completed ? original.completedAt ?? now : nil
    return todo
  }

  /// What storing it writes: a new todo, or the fields that were edited (S50, S71).
  func write(at now: Instant) -> TodoWrite {
    let updated = updatedTodo(at: now)
    guard !isNew else { return .add(updated) }
    let patch = TodoPatch(from: original, to: updated)
    return .change(.uuid(uuid), patch, seen: original.revision)
  }
}

extension TodoDetailViewModel: CommandResult {
  package func show(on page: inout Page) {
    TodoViewModel(original).show(on: &page)
    page.write(userLines: subtitle.isEmpty ? [] : [subtitle])
    page.write("    created \(original.createdAt.iso8601)", .dim)
    if let time = original.completedAt { page.write(", completed \(time.iso8601)", .dim) }
    page.write(", revision \(original.revision), \(uuid.text)", .dim)
    page.endLine()
  }

  package func write(to json: inout JSONWriter) {
    TodoViewModel(original).write(to: &json)
  }
}

extension Page {
  fileprivate mutating func write(userLines texts: [String]) {
    for text in texts { write(userLines: text, indent: "    ") }
  }
}
