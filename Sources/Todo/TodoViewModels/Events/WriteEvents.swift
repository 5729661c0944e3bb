public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText
public import RecordCommands
public import TodoModels

// The commands that follow from the declaration of a todo, by the names of the sources (S19 to S37).

extension Todo: @retroactive CommandRecord {
  /// The commands on todos; `list` and `show` are its own.
  public static let commands = RecordCommands<Todo>()
    .replacing(.list, with: RequestTodoViewModels.self)
    .replacing(.show, with: RequestTodoDetailViewModel.self)
    .without(.count)
    .deletes(by: \.deleted)
    .preparing { todo, before, turn in try todo.prepare(before: before, turn) }
    .checking { edits, turn in
      var example = Todo()
      example.title = "any"
      // A date that is moved needs one before.
      example.due = .minute(turn.clock.now)
      try example.edit(edits, seen: example, turn)
    }
    .drawing { todo, page in
      TodoViewModel(todo.record).showFields(on: &page, isConfirmed: true)
    }
    .wording(\.ofTodo)
    .editing(by: RequestTodoDetailViewModel.self)
    .verb(
      "toggle",
      "Completes todos, or opens them again.",
      { $0.complete ? "Completed" : "Reopened" },
      as: ToggleTodo.self,
      topic: .rare,
      examples: ["toggle 3"],
      recorded: .target("RequestToggleCompleteTodoViewModel")
    ) { todo, seen, turn in
      todo.complete(!seen.complete, at: turn.time)
    }
    .verb(
      "done",
      "Completes todos.",
      "Completed",
      as: CompleteTodo.self,
      for: .isNil(\.completedAt),
      examples: ["done 3", "done 1,4", "done 3-6"],
      recorded: .target("RequestCompleteTodo")
    ) { todo, turn in
      todo.complete(true, at: turn.time)
    }
    .verb(
      "reopen",
      "Opens completed todos again.",
      "Reopened",
      as: ReopenTodo.self,
      for: .not(.isNil(\.completedAt)),
      examples: ["reopen 3"],
      recorded: .target("RequestReopenTodo")
    ) { todo, turn in
      todo.complete(false, at: turn.time)
    }
    .examples(
      .add,
      "add Call Bob --due fri",
      "add 'Pay rent' --due '1 dec' --tag home --priority high",
      "add Paint the fence --project garden"
    )
    .examples(
      .edit,
      "edit 3 --due +1w",
      "edit 3 --title 'Call Bob back' --untag home",
      "edit 1-4,7 --project garden"
    )
    .examples(.delete, "delete 3")
    .examples(.restore, "restore 3")
    .response("ResponseTodoViewModel")
    .recorded(.add, as: RecordedForm(version: 3, upgrades: [2: { $0 }]))
    .recorded(.edit, as: RecordedForm(version: 4, upgrades: [2: \.withTarget, 3: { $0 }]))
    .recorded(.delete, as: .target("RequestDeleteTodoViewModel"))
    .recorded(.restore, as: .target())
    .recordedCheck(
      as: RecordedForm("RequestDeletionCheck", version: 2, upgrades: [1: \.withTarget])
    )
}

extension RecordedForm {
  /// A request with todos: version 2 has them as records, 3 their references as one value.
  fileprivate static func target(_ name: String? = nil) -> Self {
    RecordedForm(name, version: 3, upgrades: [2: \.withTarget])
  }
}

/// The verb `toggle`.
public enum ToggleTodo: VerbName {}
/// The verb `done`.
public enum CompleteTodo: VerbName {}
/// The verb `reopen`.
public enum ReopenTodo: VerbName {}

/// Adds a todo.
public typealias RequestAddTodo = RequestAdd<Todo>
/// Changes fields of todos.
public typealias RequestEditTodo = RequestEdit<Todo>
/// Completes a todo, or opens it again (S21).
public typealias RequestToggleCompleteTodoViewModel = RequestVerb<Todo, ToggleTodo>
/// Completes todos.
public typealias RequestCompleteTodo = RequestVerb<Todo, CompleteTodo>
/// Opens completed todos again.
public typealias RequestReopenTodo = RequestVerb<Todo, ReopenTodo>
/// Deletes todos; they can be restored (S22, S37).
public typealias RequestDeleteTodoViewModel = RequestDelete<Todo>
/// Restores deleted todos (S37).
public typealias RequestRestoreTodo = RequestRestore<Todo>
/// One or more todos after a request that changed them (S26).
public typealias ResponseTodoViewModel = ResponseView<RecordGroup<Todo>>

extension RecordGroup<Todo> {
  /// The todos.
  public var viewModels: [TodoViewModel] { records.map { TodoViewModel($0.record) } }
}

extension RequestVerb<Todo, ToggleTodo> {
  /// Toggles the todo that a view shows: a stale view never reverts an external change (S71).
  public init(_ viewModel: TodoViewModel) { self.init(Target(viewModel)) }
}

extension RequestDelete<Todo> {
  /// Deletes the todo that a view shows.
  public init(_ viewModel: TodoViewModel) { self.init(Target(viewModel)) }
}

/// Moves a todo to another place in the order that `list --sort manual` shows (S62).
public struct RequestMoveTodo: RecordWriting, UpgradedEvent {
  /// The kind of its records.
  public typealias Kind = Todo
  /// The response that answers it.
  public typealias Reply = ResponseTodoViewModel
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

  /// Writes a confirmation for a person.
  public func show(_ value: RecordGroup<Todo>, on page: inout Page) {
    value.confirm({ _ in "Moved" }, on: &page)
  }

  /// A failure as views of todos see it.
  public static func worded(_ failure: Failure) -> Failure { failure.ofTodo }

  /// The todo at its new place.
  public func result(
    _ written: [RecordTransition<Todo>],
    _ turn: borrowing Turn
  ) -> RecordGroup<Todo> {
    RecordGroup(written, isList: false, turn)
  }

  /// The todo as the command refers to it.
  public var subject: String? { id.text }
}
