package import EventCommands
package import EventMVVM
package import TodoModels

/// Asks for the list of todos (S20).
package struct RequestTodoViewModels: Command {
  package typealias Reply = ResponseTodoViewModels
  package static let writes = false

  /// Each is part of the title or the notes, in any case.
  package var words: [String] = []
  /// Only completed ones.
  package var done = false
  /// Only open ones.
  package var open = false
  /// Only deleted ones.
  package var deleted = false
  /// Deleted ones, too.
  package var all = false
  /// Those that have all of these.
  package var tags: [Tag] = []
  /// Those of a project.
  package var project: Project?
  /// Those of a priority.
  package var priority: Priority?
  /// Those due strictly before.
  package var dueBefore: When?
  /// Those due strictly after.
  package var dueAfter: When?
  /// The order; newest first unless given.
  package var sort: TodoSort?
  /// How many at most.
  package var limit: Count?

  package static let command = CommandSpec<Self>("list", "Lists todos, newest first.")
    .word(\.words, "What title or notes contain", placeholder: "WORD")
    .option(\.done, "Only completed ones")
    .option(\.open, "Only open ones")
    .option(\.deleted, "Only deleted ones")
    .option(\.all, "Deleted ones, too")
    .option(\.tags, "With this label (repeatable: with all of them)", flag: "--tag")
    .option(\.project, "Of this project")
    .option(\.priority, "Of this priority")
    .option(\.dueBefore, "Due strictly before")
    .option(\.dueAfter, "Due strictly after")
    .option(\.sort, "The order; '-' before it reverses")
    .option(\.limit, "How many at most")
    .exclusive(\.done, \.open)
    .exclusive(\.deleted, \.all)

  package init() {}
}

/// The list that was asked for (S20).
package struct ResponseTodoViewModels: ViewModelEvent, Response {
  /// The list or why there is none.
  package let result: Result<TodoListViewModel, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TodoListViewModel, Failure>) {
    self.result = result
  }
}

/// One or more todos after a request that changed them (S26).
package struct ResponseTodoViewModel: ViewModelEvent, Response {
  /// The todos or why nothing was changed.
  package let result: Result<TodoViewModelGroup, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TodoViewModelGroup, Failure>) {
    self.result = result
  }
}

/// Says that todos have changed, by whomever, once that is certain (S26).
package struct ResponseChangedTodoViewModels: ViewModelEvent, Fact {
  /// The todos as they are now.
  package let viewModels: [TodoViewModel]

  /// States a change.
  package init(_ viewModels: [TodoViewModel]) {
    self.viewModels = viewModels
  }
}
