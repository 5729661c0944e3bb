public import EventMVVM
import EventRecords
import EventValues
public import RecordCommands
public import TodoModels

/// A todo as an editor shows it (S46): the edited fields and the displayed texts.
public typealias TodoDetailViewModel = RecordDetail<Todo>
/// The requested details: one for most requests, several where several were named.
public typealias TodoDetailGroup = RecordDetails<Todo>

extension RecordDetail<Todo> {
  // MARK: Editing

  /// Whether it is done.
  public var completed: Bool {
    get { draft.complete }
    // The time of the completion is that of the saving.
    set { draft.completedAt = newValue ? original.value.completedAt ?? draft.createdAt : nil }
  }
  /// Sets the priority to high, or back to normal.
  public mutating func togglePriority() { draft.togglePriority() }
  /// Completes it, or opens it again.
  public mutating func toggleCompleted() { completed.toggle() }
  /// Deletes it, or restores it.
  public mutating func toggleDeleted() { draft.deleted.toggle() }

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
