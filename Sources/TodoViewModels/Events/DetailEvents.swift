package import EventCommands
package import EventMVVM
import EventRecords

/// Asks for the detail of a fresh todo, which is not stored yet (S23).
package struct RequestNewTodoDetailViewModel: Command, Codable {
  package typealias Reply = ResponseTodoDetailViewModel
  package static let writes = false

  package static let command = CommandSpec<Self>("new", "Opens the detail of a new todo.")

  /// Asks for one.
  package init() {}
}

/// Asks for the detail of a todo (S24).
package struct RequestTodoDetailViewModel: Command, Codable {
  package typealias Reply = ResponseTodoDetailViewModel
  // The second has todos as records.
  package static let version = 2
  package static let writes = false

  /// Which.
  package var id = References()

  package static let command = CommandSpec<Self>("show", "Shows a todo with its notes.")
    .word(\.id, References.summary)

  package init() {}

  /// Asks for the detail of a todo.
  init(_ reference: Reference) {
    id = References(reference)
  }

  /// Asks for the detail of what a view shows.
  package init(_ viewModel: TodoViewModel) {
    id = References(viewModel)
  }

  package var subject: String? { id.subject }
}

/// The details that were asked for (S23, S24).
package struct ResponseTodoDetailViewModel: ViewModelEvent, Response {
  /// The details or why there are none.
  package let result: Result<TodoDetailGroup, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TodoDetailGroup, Failure>) {
    self.result = result
  }

  package var subject: String? { result.subject { $0.subject } }
}

/// Asks to store what an editor shows (S25).
package struct RequestUpdateDetailViewModel: ViewModelEvent, Request, Encodable {
  package typealias Reply = ResponseUpdateDetailViewModel

  /// The edited detail.
  package var detail: TodoDetailViewModel

  /// Asks to store an edited detail (S30).
  package init(_ detail: TodoDetailViewModel) {
    self.detail = detail
  }

  package var subject: String? { detail.subject }
}

/// Says whether what an editor shows can be stored (S25).
///
/// Three observe it (S27): the editor shows a failure in place, the list closes the editor on a
/// success, and the ViewModelServer stores the edits.
package struct ResponseUpdateDetailViewModel: ViewModelEvent, Response {
  /// The validated detail or what is wrong with it.
  package let result: Result<TodoDetailViewModel, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TodoDetailViewModel, Failure>) {
    self.result = result
  }

  package var subject: String? { result.subject { $0.subject } }
}
