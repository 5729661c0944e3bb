public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText
public import RecordCommands
public import TodoModels

/// Requests the detail of a new todo, which is not stored yet (S23).
public struct RequestNewTodoDetailViewModel: Command, UpgradedEvent {
  /// The response that answers it.
  public typealias Reply = ResponseTodoDetailViewModel
  /// Version 2 has a title.
  public static let version = 2
  /// Adds the title.
  public static let upgrades: [Int: @Sendable (JSON) -> JSON] = [
    1: { $0.adding("title", .string("")) }
  ]
  /// It only reads.
  public static let writes = false

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("new", "Opens the detail of a new todo.")
    .example("new Call Bob")
    .topic(.screens)
    .text(\.title, "Its title; it can be given later")

  /// The title, which may be given later.
  public var title = ""

  /// Creates the request.
  public init() {}
}

/// Requests the detail of a todo (S24).
public struct RequestTodoDetailViewModel: RecordShow, UpgradedEvent {
  /// The response that answers it.
  public typealias Reply = ResponseTodoDetailViewModel
  /// Version 2 has todos as records, 3 their references as one value.
  public static let version = 3
  /// Makes one value of the references.
  public static let upgrades: [Int: @Sendable (JSON) -> JSON] = [2: \.withTarget]

  /// The todos.
  public var id = Target<Todo>()

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("show", "Shows a todo with its notes.")
    .example("show 3")
    .records(\.id)

  /// Creates the request with its default values.
  public init() {}

  /// Requests the detail of a todo.
  init(_ reference: RecordReference) {
    id = Target(reference)
  }

  /// Requests the detail of the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    id = Target(RecordReference(viewModel.uuid))
  }

  /// The details.
  public func result(_ todos: [Kept<Todo>], _ turn: borrowing Turn) -> TodoDetailGroup {
    TodoDetailGroup(todos.map { TodoDetailViewModel($0) }, isList: id.isList)
  }
}

/// The requested details (S23, S24).
public typealias ResponseTodoDetailViewModel = ResponseView<TodoDetailGroup>

/// Requests to store the edits of an editor (S25).
public struct RequestUpdateDetailViewModel: ViewModelEvent, Request, Encodable {
  /// The response that answers it.
  public typealias Reply = ResponseUpdateDetailViewModel

  /// The edited detail.
  public var detail: TodoDetailViewModel

  /// Creates the request for an edited detail (S30).
  public init(_ detail: TodoDetailViewModel) {
    self.detail = detail
  }

  /// The todo; nil if it is not stored yet.
  public var subject: String? { detail.subject }
}

/// States whether the edits of an editor can be stored (S25).
///
/// It has three observers (S27): the editor shows a failure in place, the list closes the editor
/// on a success, and the ViewModelServer stores the edits.
public struct ResponseUpdateDetailViewModel: ViewModelEvent, Response {
  /// The validated detail, or what is invalid.
  public let result: Result<TodoDetailViewModel, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<TodoDetailViewModel, Failure>) {
    self.result = result
  }

  /// The todos, at most three.
  public var subject: String? { result.subject { $0.subject } }
}
