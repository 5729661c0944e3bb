public import EventCommands
package import EventMVVM
public import EventRecords
import EventValues
public import RecordCommands
public import TodoModels

/// A request that changes todos, and whose response carries them (S26).
package protocol TodoChange: Command where Reply == ResponseTodoViewModel {
  /// Returns the verb of the confirmation for a todo.
  static func done(to todo: TodoViewModel) -> String
  /// The session's name for the todo from now on; nil for none.
  var alias: String? { get }
  /// Whether the command referred to several todos, so that the result is an array in any case.
  var isList: Bool { get }
}

extension TodoChange {
  package var alias: String? { nil }
  package var isList: Bool { false }

  /// Writes the confirmation for a person.
  public func show(_ value: TodoViewModelGroup, on page: inout Page) {
    value.confirm(Self.done(to:), on: &page)
  }
}

/// One or more todos after a request that changed them (S26).
public typealias ResponseTodoViewModel = ResponseView<TodoViewModelGroup>

/// A change of existing todos: the same change to all of them, or to none.
package protocol TodoEditing: TodoChange {
  /// The todos.
  var id: References { get }
  /// The revision that the caller had read; a field that was changed since is a conflict (S71).
  var expectedRevision: Int? { get }
  /// The todos that it is for: completion offers them, and a range leaves out the others.
  static var offered: Condition<Todo> { get }
  /// The todo as a view shows it, if a view requests the change; else the store's version is used.
  var shown: Kept<Todo>? { get }
  /// Checks the part of the request that needs no todo.
  func check(_ turn: borrowing Turn) throws
  /// Changes the current version of a todo, given the version that the caller had read.
  func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) throws
}

extension TodoEditing {
  package var isList: Bool { id.isList }
  package static var offered: Condition<Todo> { .equals(\.deleted, false) }
  /// The todos, at most three.
  public var subject: String? { id.subject }
  package var shown: Kept<Todo>? { nil }
  package func check(_ turn: borrowing Turn) throws {}
}

extension CommandSpec {
  /// Declares the fields of a todo that people change.
  func changes(
    of edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<Todo>>
      & Sendable
  ) -> Self {
    option(of: edits(), \.title)
      .options(of: edits(), excluding: \.title, saysItClears: true)
      .option(removingFrom: edits(), \.tags, "A label to remove (repeatable)")
  }
}

/// Adds a todo.
public struct RequestAddTodo: TodoChange, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// Its fields.
  public var todo = RecordEdits<Todo>()
  /// Its name in this session.
  public var alias: String?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("add", "Adds a todo.")
    .text(of: \.todo, \.title, "What is to be done")
    .options(of: \.todo, excluding: \.title)
    .option(of: \.todo, \.title, "The title, if not given as words")
    .alias(\.alias, "What to call it from now on")
    .example(
      "add Call Bob --due fri",
      "add 'Pay rent' --due '1 dec' --tag home --priority high",
      "add Paint the fence --project garden"
    )

  /// Creates the request with its default values.
  public init() {}

  package static func done(to todo: TodoViewModel) -> String { "Added" }

  /// Its name in this session.
  public var subject: String? { alias.map { "@" + $0 } }
}

extension RequestAddTodo {
  /// Returns the todo to add, with a new identity, if it is valid.
  func todo(_ turn: borrowing Turn) throws -> Todo {
    if let problem = Rules.problem(alias: alias) { throw problem }
    var todo = try Todo(self.todo, turn)
    todo.title = todo.title.withoutBlanksAround
    todo.composeProject(unlike: nil)
    try todo.check()
    todo.uuid = turn.makeID()
    todo.createdAt = turn.time
    return todo
  }
}

/// Changes fields of todos.
public struct RequestEditTodo: TodoEditing, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todos.
  public var id = References()
  /// The changes of their fields.
  public var todo = RecordEdits<Todo>()
  /// The revision that the editor had read; a field that was changed since is a conflict.
  public var expectedRevision: Int?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("edit", "Changes fields of todos.")
    .word(\.id, References.summary, offering: offered)
    .changes(of: \.todo)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .needingOption(excluding: \.expectedRevision)
    .example(
      "edit 3 --due +1w",
      "edit 3 --title 'Call Bob back' --untag home",
      "edit 1-4,7 --project garden"
    )

  /// `edit 3` without a field opens the detail (S29).
  public static var onScreen: (any Command.Type)? { RequestTodoDetailViewModel.self }

  /// Creates the request with its default values.
  public init() {}

  package func check(_ turn: borrowing Turn) throws {
    var example = Todo()
    example.title = "any"
    // A date that is moved needs one before.
    example.due = .minute(turn.clock.now)
    try example.edit(todo, seen: example, turn)
  }

  package func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) throws {
    try todo.edit(self.todo, seen: seen, turn)
  }

  package static func done(to todo: TodoViewModel) -> String { "Changed" }
}

/// Completes a todo, or opens it again (S21).
public struct RequestToggleCompleteTodoViewModel: TodoEditing, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todos.
  public var id = References()
  /// The revision that the caller had read.
  public var expectedRevision: Int?
  package private(set) var shown: Kept<Todo>?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("toggle", "Completes todos, or opens them again.")
    .word(\.id, References.summary, offering: offered)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .unlisted(\.shown)
    .example("toggle 3")
    .topic(.rare)

  /// Creates the request with its default values.
  public init() {}

  /// Toggles the todo that a view shows: a stale view never reverts an external change (S71).
  public init(_ viewModel: TodoViewModel) {
    id = References(viewModel)
    shown = viewModel.todo
  }

  package func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.complete(!seen.complete, at: turn.time)
  }

  package static func done(to todo: TodoViewModel) -> String {
    todo.complete ? "Completed" : "Reopened"
  }
}

/// Completes todos.
public struct RequestCompleteTodo: TodoEditing, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todos.
  public var id = References()
  /// The revision that the caller had read.
  public var expectedRevision: Int?

  package static var offered: Condition<Todo> {
    .all(.equals(\.deleted, false), .isNil(\.completedAt))
  }

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("done", "Completes todos.")
    .word(\.id, References.summary, offering: offered)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .example("done 3", "done 1,4", "done 3-6")

  /// Creates the request with its default values.
  public init() {}

  package func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.complete(true, at: turn.time)
  }

  package static func done(to todo: TodoViewModel) -> String { "Completed" }
}

/// Opens completed todos again.
public struct RequestReopenTodo: TodoEditing, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todos.
  public var id = References()
  /// The revision that the caller had read.
  public var expectedRevision: Int?

  package static var offered: Condition<Todo> {
    .all(.equals(\.deleted, false), .not(.isNil(\.completedAt)))
  }

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("reopen", "Opens completed todos again.")
    .word(\.id, References.summary, offering: offered)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .example("reopen 3")

  /// Creates the request with its default values.
  public init() {}

  package func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.complete(false, at: turn.time)
  }

  package static func done(to todo: TodoViewModel) -> String { "Reopened" }
}

/// Deletes todos; they can be restored (S22, S37).
public struct RequestDeleteTodoViewModel: TodoEditing, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todos.
  public var id = References()
  /// The revision that the caller had read.
  public var expectedRevision: Int?
  package private(set) var shown: Kept<Todo>?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("delete", "Deletes todos; 'restore' undoes it.")
    .word(\.id, References.summary, offering: offered)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .unlisted(\.shown)
    .example("delete 3")

  /// Creates the request with its default values.
  public init() {}

  /// Deletes the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    id = References(viewModel)
    shown = viewModel.todo
  }

  /// The question to a person before many todos are deleted.
  public var question: String? {
    let all = Set(id.list)
    let count = all.reduce(0) { $0 + $1.mostTodos }
    guard count > 3 else { return nil }
    // How many of a range exist is not known yet.
    return all.count == count
      ? "Delete \(count) todos?"
      : "Delete what there is of \(id.list.map(\.text).joined(separator: ", "))?"
  }
  /// The check that they exist, before a person is asked.
  public var check: (any CheckRequest)? { RequestDeletionCheck(id: id) }

  package func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.deleted = true
  }

  package static func done(to todo: TodoViewModel) -> String { "Deleted" }
}

/// Requests a check that the todos to delete exist.
package struct RequestDeletionCheck: CheckRequest, Codable {
  package typealias Reply = ResponseCheck
  package static let writes = false

  /// The todos.
  package let id: References

  package var subject: String? { id.subject }
}

/// Restores deleted todos (S37).
public struct RequestRestoreTodo: TodoEditing, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todos.
  public var id = References()
  /// The revision that the caller had read.
  public var expectedRevision: Int?

  package static var offered: Condition<Todo> { .equals(\.deleted, true) }

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("restore", "Restores deleted todos.")
    .word(\.id, References.summary, offering: offered)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .example("restore 3")

  /// Creates the request with its default values.
  public init() {}

  package func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.deleted = false
  }

  package static func done(to todo: TodoViewModel) -> String { "Restored" }
}

/// Moves a todo to another place in the order that `list --sort manual` shows (S62).
public struct RequestMoveTodo: TodoChange, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
  /// Version 2 has todos as records.
  public static let version = 2

  /// The todo.
  public var id = Reference.last
  /// The side of the other todo.
  public var side = ManualSide.before
  /// The other todo.
  public var other = Reference.last
  /// The revision that the caller had read; a place that was changed since is a conflict.
  public var expectedRevision: Int?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "move",
    "Moves a todo in the order of 'list --sort manual'."
  )
  .word(\.id, References.summary)
  .word(\.side, "On which side of the other one")
  .word(\.other, "The other todo, likewise")
  .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
  .example("move 3 before 5")

  /// Creates the request with its default values.
  public init() {}

  /// Moves the todo that a view shows.
  public init(_ viewModel: TodoViewModel, _ side: ManualSide, _ other: TodoViewModel) {
    id = .todo(RecordReference(viewModel.uuid))
    self.side = side
    self.other = .todo(RecordReference(other.uuid))
    expectedRevision = viewModel.revision
  }

  package static func done(to todo: TodoViewModel) -> String { "Moved" }

  /// The todo as the command refers to it.
  public var subject: String? { id.text }
}
