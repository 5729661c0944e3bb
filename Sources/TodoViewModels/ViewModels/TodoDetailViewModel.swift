public import EventCommands
public import EventMVVM
public import EventRecords
public import JSONText
public import TodoModels

/// A todo as an editor shows it (S46): what can be edited, and what it reads as.
///
/// It is a value (S51): editing changes no stored todo. ``shouldSave`` is set by the
/// ViewModelServer alone, after validation (S49).
@dynamicMemberLookup
public struct TodoDetailViewModel: Sendable, Equatable, Encodable {
  let original: Kept<Todo>
  /// The todo with the edits, but for when it was completed.
  private var draft: Todo
  /// Whether its addition was undone meanwhile.
  var isGone = false
  /// Whether it is done.
  public var completed: Bool
  /// Whether changes by others are overwritten; else they are conflicts.
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

  /// The fields of the todo, as they are edited.
  public subscript<Value>(dynamicMember field: WritableKeyPath<Todo, Value>) -> Value {
    get { draft[keyPath: field] }
    set { draft[keyPath: field] = newValue }
  }

  /// The todo's number; 0 if it is new.
  public var number: Int { original.number }
  /// Whether it is not stored yet.
  public var isNew: Bool { original.number == 0 }

  // MARK: Editing

  /// Makes it high, or normal again.
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

  /// Whether anything was edited.
  public var isEdited: Bool { updatedTodo(at: original.value.createdAt) != original.value }

  /// The same edits of the todo as it was changed meanwhile; nil where both changed a field, which
  /// is a conflict when it is saved.
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

  // MARK: What it reads as

  /// `Complete` or `Incomplete` (S47).
  public var completedText: String { completed ? "Complete" : "Incomplete" }
  /// What the action is called that deletes or restores it.
  public var deleteActionTitle: String { draft.deleted ? "Restore" : "Delete" }
  /// The priority in upper case.
  public var priorityText: String { draft.priority.rawValue.uppercased() }

  /// How long ago it was made, in whole seconds; never negative (S70).
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

  /// Itself, if it can be stored; else why not (S48).
  public func validate() -> Result<TodoDetailViewModel, Failure> {
    Result { () throws(Failure) in
      try draft.check(isNew ? nil : original.value)
      return self
    }
  }

  /// The todo with the edits merged in; one that was complete keeps its time (S49, S69).
  public func updatedTodo(at now: Instant) -> Todo {
    var todo = draft
    todo.completedAt = completed ? original.value.completedAt ?? now : nil
    return todo
  }
}

extension TodoDetailViewModel: CommandResult {
  /// Writes it for a person.
  public func show(on page: inout Page) {
    guard !isNew else { return showNew(on: &page) }
    TodoViewModel(original).show(on: &page)
    let subtitle = draft.subtitle
    if !subtitle.isEmpty { page.write(userLines: subtitle, indent: "    ") }
    page.write("    \(TodoViewModel(original).priority)", .secondary)
    page.write(", created \(original.value.createdAt.iso8601)", .secondary)
    if let time = original.value.completedAt {
      page.write(", completed \(time.iso8601)", .secondary)
    }
    page.write(", revision \(original.revision), \(original.value.uuid.text)", .secondary)
    page.endLine()
  }

  private func showNew(on page: inout Page) {
    page.write("A new todo: 'set --title TITLE' names it, 'save' adds it, 'cancel' gives it up.")
    page.endLine()
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    TodoViewModel(original).write(to: &json)
  }
}
