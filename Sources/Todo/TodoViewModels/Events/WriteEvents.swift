public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText
public import RecordCommands
public import TodoModels

/// A request that changes todos, and whose response carries them (S26).
protocol TodoChange: RecordChanging, Codable
where Reply == ResponseTodoViewModel, Kind == Todo {
  /// The verb of the confirmation.
  static var confirmation: String { get }
  /// Returns the verb of the confirmation for a todo.
  static func done(to todo: TodoViewModel) -> String
}

extension TodoChange {
  static func done(to todo: TodoViewModel) -> String { confirmation }

  /// Writes the confirmation for a person.
  public func show(_ value: TodoViewModelGroup, on page: inout Page) {
    value.confirm(Self.done(to:), on: &page)
  }

  /// A failure as views of todos see it.
  public static func worded(_ failure: Failure) -> Failure { failure.ofTodo }

  /// The todos that it wrote.
  public func result(
    _ written: [RecordTransition<Todo>],
    _ turn: borrowing Turn
  ) -> TodoViewModelGroup {
    TodoViewModelGroup(written, isList: isList)
  }
}

/// One or more todos after a request that changed them (S26).
public typealias ResponseTodoViewModel = ResponseView<TodoViewModelGroup>

/// A change of existing todos: the same change to all of them, or to none.
protocol TodoEditing: TodoChange, RecordEdit, UpgradedEvent {}

extension TodoEditing {
  /// Version 2 has todos as records, 3 their references as one value.
  public static var version: Int { 3 }
  /// Makes one value of the references.
  public static var upgrades: [Int: @Sendable (JSON) -> JSON] { [2: \.withTarget] }
  /// The todos that are not deleted.
  public static var offered: Condition<Todo>? { .equals(\.deleted, false) }
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
public struct RequestAddTodo: TodoChange, RecordAdd {
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

  static let confirmation = "Added"

  /// Its name in this session.
  public var subject: String? { alias.map { "@" + $0 } }
}

extension RequestAddTodo {
  /// Returns the todo to add, with a new identity, if it is valid.
  public func record(_ turn: borrowing Turn) throws -> Todo {
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
public struct RequestEditTodo: TodoEditing {
  /// The todos.
  public var id = Target<Todo>()
  /// The changes of their fields.
  public var todo = RecordEdits<Todo>()

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("edit", "Changes fields of todos.")
    .records(\.id)
    .changes(of: \.todo)
    .revision(of: \.id)
    .needingOption(excluding: \.id)
    .example(
      "edit 3 --due +1w",
      "edit 3 --title 'Call Bob back' --untag home",
      "edit 1-4,7 --project garden"
    )

  /// `edit 3` without a field opens the detail (S29).
  public static var onScreen: (any Command.Type)? { RequestTodoDetailViewModel.self }

  /// Creates the request with its default values.
  public init() {}

  /// Checks the edits on any todo.
  public func check(_ turn: borrowing Turn) throws {
    var example = Todo()
    example.title = "any"
    // A date that is moved needs one before.
    example.due = .minute(turn.clock.now)
    try example.edit(todo, seen: example, turn)
  }

  /// Changes the fields.
  public func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) throws {
    try todo.edit(self.todo, seen: seen, turn)
  }

  static let confirmation = "Changed"
}

/// Completes a todo, or opens it again (S21).
public struct RequestToggleCompleteTodoViewModel: TodoEditing {
  /// The todos.
  public var id = Target<Todo>()

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("toggle", "Completes todos, or opens them again.")
    .records(\.id)
    .revision(of: \.id)
    .example("toggle 3")
    .topic(.rare)

  /// Creates the request with its default values.
  public init() {}

  /// Toggles the todo that a view shows: a stale view never reverts an external change (S71).
  public init(_ viewModel: TodoViewModel) {
    id = Target(viewModel)
  }

  /// Completes it, or opens it again.
  public func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.complete(!seen.complete, at: turn.time)
  }

  static let confirmation = "Toggled"

  static func done(to todo: TodoViewModel) -> String {
    todo.complete ? "Completed" : "Reopened"
  }
}

/// Completes todos.
public struct RequestCompleteTodo: TodoEditing {
  /// The todos.
  public var id = Target<Todo>()

  /// Open todos.
  public static let offered: Condition<Todo>? = .open

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("done", "Completes todos.")
    .records(\.id)
    .revision(of: \.id)
    .example("done 3", "done 1,4", "done 3-6")

  /// Creates the request with its default values.
  public init() {}

  /// Completes it.
  public func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.complete(true, at: turn.time)
  }

  static let confirmation = "Completed"
}

/// Opens completed todos again.
public struct RequestReopenTodo: TodoEditing {
  /// The todos.
  public var id = Target<Todo>()

  /// Completed todos.
  public static var offered: Condition<Todo>? {
    .all(.equals(\.deleted, false), .not(.isNil(\.completedAt)))
  }

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("reopen", "Opens completed todos again.")
    .records(\.id)
    .revision(of: \.id)
    .example("reopen 3")

  /// Creates the request with its default values.
  public init() {}

  /// Opens it again.
  public func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.complete(false, at: turn.time)
  }

  static let confirmation = "Reopened"
}

/// Deletes todos; they can be restored (S22, S37).
public struct RequestDeleteTodoViewModel: TodoEditing {
  /// The todos.
  public var id = Target<Todo>()

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("delete", "Deletes todos; 'restore' undoes it.")
    .records(\.id)
    .revision(of: \.id)
    .example("delete 3")

  /// Creates the request with its default values.
  public init() {}

  /// Deletes the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    id = Target(viewModel)
  }

  /// The question to a person before many todos are deleted.
  public var question: String? {
    let all = Set(id.references)
    let count = all.reduce(0) { $0 + $1.mostRecords }
    guard count > 3 else { return nil }
    // How many of a range exist is not known yet.
    return all.count == count
      ? "Delete \(count) todos?"
      : "Delete what there is of \(id.references.map(\.text).joined(separator: ", "))?"
  }
  /// The check that they exist, before a person is asked.
  public var check: (any CheckRequest)? { RequestDeletionCheck(id: id) }

  /// Deletes it.
  public func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.deleted = true
  }

  static let confirmation = "Deleted"
}

/// Requests a check that the todos to delete exist.
struct RequestDeletionCheck: CheckRequest, UpgradedEvent {
  typealias Reply = ResponseCheck
  static let version = 2
  static let upgrades: [Int: @Sendable (JSON) -> JSON] = [1: \.withTarget]
  static let writes = false

  /// The todos.
  let id: Target<Todo>

  var subject: String? { id.subject }
}

/// Restores deleted todos (S37).
public struct RequestRestoreTodo: TodoEditing {
  /// The todos.
  public var id = Target<Todo>()

  /// Deleted todos.
  public static let offered: Condition<Todo>? = .equals(\.deleted, true)

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("restore", "Restores deleted todos.")
    .records(\.id)
    .revision(of: \.id)
    .example("restore 3")

  /// Creates the request with its default values.
  public init() {}

  /// Restores it.
  public func change(_ todo: inout Todo, seen: Todo, _ turn: borrowing Turn) {
    todo.deleted = false
  }

  static let confirmation = "Restored"
}

/// Moves a todo to another place in the order that `list --sort manual` shows (S62).
public struct RequestMoveTodo: TodoChange, RecordWriting, UpgradedEvent {
  /// Version 2 has todos as records, 3 has plain references.
  public static let version = 3
  /// Makes the references plain.
  public static let upgrades: [Int: @Sendable (JSON) -> JSON] = [2: \.withPlainReferences]

  /// The todo.
  public var id = RecordReference.last
  /// The side of the other todo.
  public var side = ManualSide.before
  /// The other todo.
  public var other = RecordReference.last
  /// The revision that the caller had read; a place that was changed since is a conflict.
  public var expectedRevision: Int?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "move",
    "Moves a todo in the order of 'list --sort manual'."
  )
  .record(\.id, of: Todo.self)
  .word(\.side, "On which side of the other one")
  .record(\.other, of: Todo.self, "The other todo, likewise")
  .option(
    \.expectedRevision,
    "Refuses what was changed since you read it: the 'revision' in JSON",
    flag: "--expected-revision"
  )
  .example("move 3 before 5")

  /// Creates the request with its default values.
  public init() {}

  /// Moves the todo that a view shows.
  public init(_ viewModel: TodoViewModel, _ side: ManualSide, _ other: TodoViewModel) {
    id = RecordReference(viewModel.uuid)
    self.side = side
    self.other = RecordReference(other.uuid)
    expectedRevision = viewModel.revision
  }

  /// The move, which may move others as well to make room.
  public func writes(_ turn: borrowing Turn) -> [RecordWrite<Todo>] {
    [.move(id, side, of: other, in: \.place, seen: expectedRevision)]
  }

  static let confirmation = "Moved"

  /// The todo as the command refers to it.
  public var subject: String? { id.text }
}
