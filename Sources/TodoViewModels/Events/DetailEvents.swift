public import EventCommands
public import EventMVVM
import EventRecords

/// Asks for the detail of a fresh todo, which is not stored yet (S23).
public struct RequestNewTodoDetailViewModel: Command, Codable {
  /// What answers it.
  public typealias Reply = ResponseTodoDetailViewModel
  /// It only reads.
  public static let writes = false

  /// How it is written.
  public static let command = CommandSpec<Self>("new", "Opens the detail of a new todo.")

  /// Asks for one.
  public init() {}
}

/// Asks for the detail of a todo (S24).
public struct RequestTodoDetailViewModel: Command, Codable {
  /// What answers it.
  public typealias Reply = ResponseTodoDetailViewModel
  /// The second has todos as records.
  public static let version = 2
  /// It only reads.
  public static let writes = false

  /// Which.
  public var id = References()

  /// How it is written.
  public static let command = CommandSpec<Self>("show", "Shows a todo with its notes.")
    .word(\.id, References.summary)

  /// The request before anything of it was read.
  public init() {}

  /// Asks for the detail of a todo.
  init(_ reference: Reference) {
    id = References(reference)
  }

  /// Asks for the detail of what a view shows.
  public init(_ viewModel: TodoViewModel) {
    id = References(viewModel)
  }

  /// The todos, at most three.
  public var subject: String? { id.subject }
}

/// The details that were asked for (S23, S24).
public struct ResponseTodoDetailViewModel: ViewModelEvent, Response {
  /// The details or why there are none.
  public let result: Result<TodoDetailGroup, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<TodoDetailGroup, Failure>) {
    self.result = result
  }

  /// The todos, at most three.
  public var subject: String? { result.subject { $0.subject } }
}

/// Asks to store what an editor shows (S25).
public struct RequestUpdateDetailViewModel: ViewModelEvent, Request, Encodable {
  /// What answers it.
  public typealias Reply = ResponseUpdateDetailViewModel

  /// The edited detail.
  public var detail: TodoDetailViewModel

  /// Asks to store an edited detail (S30).
  public init(_ detail: TodoDetailViewModel) {
    self.detail = detail
  }

  /// The todo; nil if it is not stored yet.
  public var subject: String? { detail.subject }
}

/// Says whether what an editor shows can be stored (S25).
///
/// Three observe it (S27): the editor shows a failure in place, the list closes the editor on a
/// success, and the ViewModelServer stores the edits.
public struct ResponseUpdateDetailViewModel: ViewModelEvent, Response {
  /// The validated detail or what is wrong with it.
  public let result: Result<TodoDetailViewModel, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<TodoDetailViewModel, Failure>) {
    self.result = result
  }

  /// The todos, at most three.
  public var subject: String? { result.subject { $0.subject } }
}
