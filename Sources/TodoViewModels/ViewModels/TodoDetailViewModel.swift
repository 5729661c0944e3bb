package import EventCommands
package import EventMVVM
package import JSONText
package import TodoModels

/// A todo as an editor shows it (S46): what can be edited, and what it reads as.
///
/// It is a value (S51): editing changes nobody's todo. ``shouldSave`` is set by the ViewModelServer
/// alone, after validation (S49).
package struct TodoDetailViewModel: Sendable, Equatable, Encodable {
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
  /// When it is due.
  package var due: CivilTime?
  /// Its labels.
  package var tags: [String]
  /// What it is part of.
  package var project: String?
  /// Whether what somebody else changed meanwhile is overwritten; else it is a conflict.
  package var overwrites = false
  /// Whether it is to be stored.
  package internal(set) var shouldSave = false

  /// Edits a todo, stored or fresh.
  package init(_ todo: consuming Todo) {
    title = todo.title
    subtitle = todo.subtitle
    priority = todo.priority
    completed = todo.complete
    deleted = todo.deleted
    due = todo.due
    tags = todo.tags
    project = todo.project
    original = todo
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

  /// Takes the fields of a patch over.
  mutating func apply(_ patch: TodoPatch) {
    let shown = updatedTodo(at: original.createdAt)
    let wanted = patch.applied(to: shown, seen: shown)
    title = wanted.title
    subtitle = wanted.subtitle
    priority = wanted.priority
    due = wanted.due
    tags = wanted.tags
    project = wanted.project
  }

  /// Whether anything was edited.
  package var isEdited: Bool { edits(at: original.createdAt) != TodoPatch() }

  /// The same edits of the todo as somebody else has left it; nil where both changed a field, which is a
  /// conflict for whoever saves.
  func rebased(onto todo: Todo) -> TodoDetailViewModel? {
    let edits = edits(at: original.createdAt)
    guard edits.conflict(seen: original, current: todo) == nil else { return nil }
    var detail = TodoDetailViewModel(todo)
    detail.apply(edits)
    if completed != original.complete { detail.completed = completed }
    if deleted != original.deleted { detail.deleted = deleted }
    return detail
  }

  private func edits(at now: Instant) -> TodoPatch {
    TodoPatch(from: original, to: updatedTodo(at: now))
  }

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
    let problem =
      Rules.problem(title: title) ?? Rules.problem(subtitle: subtitle)
      ?? tooManyTags ?? tags.lazy.compactMap { Rules.problem(tag: $0) }.first
      ?? project.flatMap { Rules.problem(project: $0) }
    return problem.map { .failure($0) } ?? .success(self)
  }

  /// A stored todo's are counted where they are merged.
  private var tooManyTags: Failure? {
    guard isNew, tags.count > Rules.mostTags else { return nil }
    return Rules.tooMany("tags", tags.count, Rules.mostTags, "A todo", field: "tags")
  }

  /// The todo with the edits merged in; one that was complete keeps its time (S49, S69).
  package func updatedTodo(at now: Instant) -> Todo {
    var todo = original
    todo.title = title
    todo.subtitle = subtitle
    todo.priority = priority
    todo.deleted = deleted
    todo.completedAt = completed ? original.completedAt ?? now : nil
    todo.due = due
    todo.tags = tags
    todo.project = project
    return todo
  }

  /// What storing it writes: a new todo, or the fields that were edited (S50, S71).
  func write(at now: Instant) -> TodoWrite {
    guard !isNew else { return .add(updatedTodo(at: now)) }
    return .change(.uuid(uuid), edits(at: now), seen: overwrites ? nil : original.revision)
  }
}

extension TodoDetailViewModel: CommandResult {
  package func show(on page: inout Page) {
    guard !isNew else { return showNew(on: &page) }
    TodoViewModel(original).show(on: &page)
    if !subtitle.isEmpty { page.write(userLines: subtitle, indent: "    ") }
    page.write("    created \(original.createdAt.iso8601)", .dim)
    if let time = original.completedAt { page.write(", completed \(time.iso8601)", .dim) }
    page.write(", revision \(original.revision), \(uuid.text)", .dim)
    page.endLine()
  }

  private func showNew(on page: inout Page) {
    page.write("A new todo: 'set --title TITLE' names it, 'save' adds it, 'cancel' gives it up.")
    page.endLine()
  }

  package func write(to json: inout JSONWriter) {
    TodoViewModel(original).write(to: &json)
  }
}
