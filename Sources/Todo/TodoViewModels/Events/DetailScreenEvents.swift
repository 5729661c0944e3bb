import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText
import RecordCommands
import TodoModels

// The commands of a todo's detail. Each applies to the topmost screen of its session (S15, S78);
// edits belong to that screen alone until they are saved.

/// Edits fields of the open todo.
struct RequestSetDetail: Command, Codable {
  typealias Reply = ResponseDraft
  // Version 2 has todos as records.
  static let version = 2
  static let writes = false

  /// The changes of its fields.
  var todo = RecordEdits<Todo>()

  static let command = CommandSpec<Self>("set", "Edits fields; 'save' stores them.")
    .option(of: \.todo, \.title)
    .options(of: \.todo, excluding: \.title, saysItClears: true)
    .option(removingFrom: \.todo, \.tags, "A label to remove (repeatable)")
    .needingOption()

  init() {}
}

/// Toggles a field of the open todo (S46).
struct RequestToggleDetail: Command, Codable {
  typealias Reply = ResponseDraft
  static let writes = false

  /// The field; completion unless given.
  var field: DetailSwitch?

  static let command = CommandSpec<Self>(
    "toggle",
    "Completes or reopens, or changes another field; 'save' stores it."
  )
  .word(\.field, "Which; completed unless given")

  init() {}
}

/// A field of a detail that has two values.
enum DetailSwitch: String, Choice, Codable {
  case completed, priority, deleted
}

/// Shows the open todo with its edits.
struct RequestShowDetail: Command, Codable {
  typealias Reply = ResponseDraft
  static let writes = false

  static let command = CommandSpec<Self>("show", "Shows the open todo with its edits.")

  init() {}

  func show(_ value: TodoDraft, on page: inout Page) {
    value.showAll(on: &page)
  }
}

/// Stores the edits (S30); a failure keeps the screen and the edits.
struct RequestSaveDetail: Command, Codable {
  typealias Reply = ResponseTodoViewModel

  /// Whether external changes are overwritten.
  var force = false

  static let command = CommandSpec<Self>("save", "Stores what was edited, and closes.")
    .option(\.force, "Overwrites what somebody else changed meanwhile", flag: "--force")

  init() {}

  /// Asks the person, who sees the external changes.
  func secondTry(after failure: Failure) -> SecondTry<Self>? {
    guard failure.kind == .conflict, !force else { return nil }
    var second = self
    second.force = true
    return SecondTry("Overwrite it?", second, isForPersons: true)
  }

  func show(_ value: RecordGroup<Todo>, on page: inout Page) {
    value.confirm({ _ in "Saved" }, on: &page)
  }
}

/// Closes the detail and writes nothing (S31).
struct RequestCancelDetail: Command, Codable {
  typealias Reply = ResponseDraft
  static let writes = false

  static let command = CommandSpec<Self>("cancel", "Closes and discards the edits.")

  init() {}

  func show(_ value: TodoDraft, on page: inout Page) {
    guard value.isEdited else { return }
    page.confirm { page in
      page.write("Forgotten what was edited.")
      page.endLine()
    }
  }
}

/// The open todo after an edit.
typealias ResponseDraft = ResponseView<TodoDraft>

/// A todo as it would be if it were saved now.
struct TodoDraft: CommandResult {
  static let responseName: String? = "ResponseDraft"
  private let detail: TodoDetailViewModel
  private let time: Instant

  /// Creates the draft of a detail at a time.
  init(_ detail: TodoDetailViewModel, at now: Instant) {
    self.detail = detail
    time = now
  }

  /// The todo with the edits.
  var todo: Kept<Todo> {
    Kept(detail.number, detail.updatedTodo(at: time), revision: detail.original.revision)
  }
  /// Whether there are edits.
  var isEdited: Bool { detail.isEdited }
  var subject: String? { detail.subject }

  func show(on page: inout Page) {
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

  func write(to json: inout JSONWriter) {
    TodoViewModel(todo).write(to: &json)
  }
}

/// Shows an open list, with the order and the filter that the request sets from now on (S108).
struct RequestRows: Command, Codable {
  typealias Reply = ResponseTodoViewModels
  static let writes = false

  /// The order from now on; unchanged unless given.
  var sort: TodoSort?
  /// The filter from now on; unchanged unless given.
  var only: CompletionFilter?

  static let command = CommandSpec<Self>("rows", "Shows the open list as it stands.")
    .option(\.sort, "The order from now on; '-' before it reverses", flag: "--sort")
    .option(\.only, "What it shows from now on", flag: "--only")

  init() {}
}

/// The todos that a list shows, by completion.
enum CompletionFilter: String, Choice, Codable {
  case open, done, any
}
