public import Completing
public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText
public import RecordCommands
public import TodoModels

// The events of the commands on todos, by the names of the sources (S19 to S37).

/// The verb `toggle`.
public enum ToggleTodo: VerbName {}
/// The verb `done`.
public enum CompleteTodo: VerbName {}
/// The verb `reopen`.
public enum ReopenTodo: VerbName {}

/// Requests the list of todos (S20).
public typealias RequestTodoViewModels = RequestList<Todo>
/// The requested list (S20).
public typealias ResponseTodoViewModels = RequestTodoViewModels.Reply
/// Requests the detail of a new todo, which is not stored yet (S23).
public typealias RequestNewTodoDetailViewModel = RequestNew<Todo>
/// Requests the detail of a todo (S24).
public typealias RequestTodoDetailViewModel = RequestShow<Todo>
/// The requested details (S23, S24).
public typealias ResponseTodoDetailViewModel = RequestTodoDetailViewModel.Reply
/// Requests to store the edits of an editor (S25).
public typealias RequestUpdateDetailViewModel = RequestUpdateDetail<Todo>
/// States whether the edits of an editor can be stored (S25, S27).
public typealias ResponseUpdateDetailViewModel = RequestUpdateDetailViewModel.Reply
/// States that todos have changed, in any process, once the change is committed (S26).
public typealias ResponseChangedTodoViewModels = ResponseChangedViews<Todo>
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
/// Requests the numbers of open and of overdue todos, for a prompt.
public typealias RequestTodoStatus = RequestOpenStatus<Todo>
/// Requests the numbers of open and of overdue todos, for watching programs.
public typealias RequestTodoCounts = RequestOpenCounts<Todo>
/// The requested numbers.
public typealias ResponseTodoCounts = RequestTodoCounts.Reply
/// The numbers of open and of overdue todos.
public typealias TodoCounts = OpenCounts<Todo>
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

extension Target<Todo> {
  /// Refers to the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    self.init(viewModel.record, by: RecordReference(viewModel.uuid))
  }
}

extension RequestShow<Todo> {
  /// Requests the detail of the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    self.init(Target(RecordReference(viewModel.uuid)))
  }
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
