public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
public import JSONText
import RecordCommands
public import TodoModels

/// A todo as an editor shows it (S46): the edited fields and the displayed texts.
///
/// It is a value (S51): editing changes no stored todo. ``shouldSave`` is set by the
/// ViewModelServer alone, after validation (S49).
@dynamicMemberLookup
public struct TodoDetailViewModel: Sendable, Equatable, Encodable {
  let original: Kept<Todo>
  /// The todo with the edits, except for the time of its completion.
  private var draft: Todo
  /// Whether its addition was undone meanwhile.
  var isGone = false
  /// Whether it is done.
  public var completed: Bool
  /// Whether external changes are overwritten; else they are conflicts.
  public var overwrites = false
  /// Whether to store it.
  public internal(set) var shouldSave = false

  /// Edits a stored todo.
  public init(_ todo: consuming Kept<Todo>) {
    draft = todo.value
    completed = todo.value.complete
    original = todo
  }

  /// Edits a todo that is not stored yet.
  public init(new todo: Todo) {
    self.init(Kept(0, todo, revision: 0))
  }

  /// The edited fields of the todo.
  public subscript<Value>(dynamicMember field: WritableKeyPath<Todo, Value>) -> Value {
    get { draft[keyPath: field] }
    set { draft[keyPath: field] = newValue }
  }

  /// The todo's number; 0 if it is new.
  public var number: Int { original.number }
  /// Whether it is not stored yet.
  public var isNew: Bool { original.number == 0 }

  // MARK: Editing

  /// Sets the priority to high, or back to normal.
  public mutating func togglePriority() {
    draft.priority = draft.priority == .high ? .normal : .high
  }
  /// Completes it, or opens it again.
  public mutating func toggleCompleted() { completed.toggle() }
  /// Deletes it, or restores it.
  public mutating func toggleDeleted() { draft.deleted.toggle() }

  /// Edits fields, if the result is valid.
  mutating func apply(_ edits: RecordEdits<Todo>, _ turn: borrowing Turn) throws {
    try draft.edit(edits, seen: draft, turn)
  }

  /// Whether there are edits.
  public var isEdited: Bool { updatedTodo(at: original.value.createdAt) != original.value }

  /// Returns the same edits on the changed todo; nil where the change and an edit concern one
  /// field, which is a conflict when it is saved.
  func rebased(onto todo: TodoViewModel) -> TodoDetailViewModel? {
    var merged = todo.todo.value
    let edited = updatedTodo(at: original.value.createdAt)
    guard merged.take(edited, since: original.value).isEmpty else { return nil }
    var detail = TodoDetailViewModel(todo.todo)
    detail.draft = merged
    detail.completed = merged.complete
    detail.isGone = todo.isGone
    return detail
  }

  // MARK: Displayed texts

  /// `Complete` or `Incomplete` (S47).
  public var completedText: String { completed ? "Complete" : "Incomplete" }
  /// The title of the action that deletes or restores it.
  public var deleteActionTitle: String { draft.deleted ? "Restore" : "Delete" }
  /// The priority in upper case.
  public var priorityText: String { draft.priority.rawValue.uppercased() }

  /// Returns its age, in whole seconds; never negative (S70).
  public func createdText(at now: Instant) -> String {
    let age = max(
      0,
      now.milliseconds
        .subtractingReportingOverflow(
          original.value.createdAt.milliseconds
        )
        .partialValue / 1000
    )
    return age == 1 ? "1 second ago" : "\(age) seconds ago"
  }

  // MARK: Saving

  /// Returns itself if it is valid, else why not (S48).
  public func validate() -> Result<TodoDetailViewModel, Failure> {
    Result { () throws(Failure) in
      try draft.check(isNew ? nil : original.value)
      return self
    }
  }

  /// Returns the todo with the edits; one that was complete keeps its time (S49, S69).
  public func updatedTodo(at now: Instant) -> Todo {
    var todo = draft
    todo.composeProject(unlike: isNew ? nil : original.value)
    todo.completedAt = completed ? original.value.completedAt ?? now : nil
    return todo
  }
}

extension TodoDetailViewModel: CommandResult {
  /// Writes it for a person.
  public func show(on page: inout Page) {
    guard !isNew else { return showNew(on: &page) }
    TodoViewModel(original).showWhole(on: &page)
    let subtitle = draft.subtitle
    if !subtitle.isEmpty { page.write(userLines: subtitle, indent: "    ") }
    page.write("    \(TodoViewModel(original).priority)", .secondary)
    page.write(", created ", .secondary)
    page.write(original.value.createdAt, .secondary)
    if let time = original.value.completedAt {
      page.write(", completed ", .secondary)
      page.write(time, .secondary)
    }
    page.write(", \(original.value.uuid.text)", .secondary)
    page.endLine()
  }

  private func showNew(on page: inout Page) {
    if draft.title.isEmpty {
      page.write("A new todo: 'set --title TITLE' names it, 'save' adds it, 'cancel' gives it up.")
    } else {
      page.write("A new todo, not saved yet: ")
      page.write(user: draft.title)
      page.write("; 'save' adds it, 'cancel' gives it up.")
    }
    page.endLine()
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    TodoViewModel(original).write(to: &json)
  }
}
