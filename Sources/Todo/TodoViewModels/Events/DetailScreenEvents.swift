package import EventCommands
package import EventMVVM
package import EventRecords
import EventValues
package import JSONText
package import RecordCommands
package import TodoModels

// The commands of a todo's detail. Each applies to the topmost screen of its session (S15, S78);
// edits belong to that screen alone until they are saved.

/// Edits fields of the open todo.
package struct RequestSetDetail: Command, Codable {
  package typealias Reply = ResponseDraft
  // Version 2 has todos as records.
  package static let version = 2
  package static let writes = false

  /// The changes of its fields.
  package var todo = RecordEdits<Todo>()

  package static let command = CommandSpec<Self>("set", "Edits fields; 'save' stores them.")
    .changes(of: \.todo)
    .needingOption()

  package init() {}
}

/// Toggles a field of the open todo (S46).
package struct RequestToggleDetail: Command, Codable {
  package typealias Reply = ResponseDraft
  package static let writes = false

  /// The field; completion unless given.
  package var field: DetailSwitch?

  package static let command = CommandSpec<Self>(
    "toggle",
    "Completes or reopens, or changes another field; 'save' stores it."
  )
  .word(\.field, "Which; completed unless given")

  package init() {}
}

/// A field of a detail that has two values.
package enum DetailSwitch: String, Choice, Codable {
  case completed, priority, deleted
}

/// Shows the open todo with its edits.
package struct RequestShowDetail: Command, Codable {
  package typealias Reply = ResponseDraft
  package static let writes = false

  package static let command = CommandSpec<Self>("show", "Shows the open todo with its edits.")

  package init() {}

  package func show(_ value: TodoDraft, on page: inout Page) {
    value.showAll(on: &page)
  }
}

/// Stores the edits (S30); a failure keeps the screen and the edits.
package struct RequestSaveDetail: Command, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Whether external changes are overwritten.
  package var force = false

  package static let command = CommandSpec<Self>("save", "Stores what was edited, and closes.")
    .option(\.force, "Overwrites what somebody else changed meanwhile", flag: "--force")

  package init() {}

  /// Asks the person, who sees the external changes.
  package func secondTry(after failure: Failure) -> SecondTry<Self>? {
    guard failure.kind == .conflict, !force else { return nil }
    var second = self
    second.force = true
    return SecondTry("Overwrite it?", second, isForPersons: true)
  }

  package func show(_ value: TodoViewModelGroup, on page: inout Page) {
    value.confirm({ _ in "Saved" }, on: &page)
  }
}

/// Closes the detail and writes nothing (S31).
package struct RequestCancelDetail: Command, Codable {
  package typealias Reply = ResponseDraft
  package static let writes = false

  package static let command = CommandSpec<Self>("cancel", "Closes and discards the edits.")

  package init() {}

  package func show(_ value: TodoDraft, on page: inout Page) {
    guard value.isEdited else { return }
    page.confirm { page in
      page.write("Forgotten what was edited.")
      page.endLine()
    }
  }
}

/// The open todo after an edit.
package typealias ResponseDraft = ResponseView<TodoDraft>

/// A todo as it would be if it were saved now.
package struct TodoDraft: CommandResult {
  package static let responseName: String? = "ResponseDraft"
  private let detail: TodoDetailViewModel
  private let time: Instant

  /// Creates the draft of a detail at a time.
  init(_ detail: TodoDetailViewModel, at now: Instant) {
    self.detail = detail
    time = now
  }

  /// The todo with the edits.
  package var todo: Kept<Todo> {
    Kept(detail.number, detail.updatedTodo(at: time), revision: detail.original.revision)
  }
  /// Whether there are edits.
  package var isEdited: Bool { detail.isEdited }
  package var subject: String? { detail.subject }

  package func show(on page: inout Page) {
    TodoViewModel(todo).show(on: &page)
  }

  /// Writes it with its notes, its texts (S47), and the titles of its actions (S42).
  func showAll(on page: inout Page) {
    let row = TodoViewModel(todo)
    row.showWhole(on: &page)
    let subtitle = detail.subtitle
    if !subtitle.isEmpty { page.write(userLines: subtitle, indent: "    ") }
    let created = detail.createdText(at: time)
    page.write("    \(detail.completedText), \(detail.priorityText), created \(created)")
    page.endLine()
    page.write("    'toggle': \(row.completeActionTitle)", .secondary)
    if !detail.isNew { page.write(", 'toggle deleted': \(detail.deleteActionTitle)", .secondary) }
    page.endLine()
    page.write(isEdited ? "    not saved yet" : "    nothing was edited", .secondary)
    page.endLine()
  }

  package func write(to json: inout JSONWriter) {
    TodoViewModel(todo).write(to: &json)
  }
}

/// Shows an open list, with the order and the filter that the request sets from now on (S108).
package struct RequestRows: Command, Codable {
  package typealias Reply = ResponseTodoViewModels
  package static let writes = false

  /// The order from now on; unchanged unless given.
  package var sort: TodoSort?
  /// The filter from now on; unchanged unless given.
  package var only: CompletionFilter?

  package static let command = CommandSpec<Self>("rows", "Shows the open list as it stands.")
    .option(\.sort, "The order from now on; '-' before it reverses", flag: "--sort")
    .option(\.only, "What it shows from now on", flag: "--only")

  package init() {}
}

/// The todos that a list shows, by completion.
package enum CompletionFilter: String, Choice, Codable {
  case open, done, any
}
