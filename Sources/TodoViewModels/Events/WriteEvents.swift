package import EventCommands
package import EventMVVM
package import TodoModels

/// A request that changes todos, and is answered by them (S26).
package protocol TodoChange: Command where Reply == ResponseTodoViewModel {
  /// What was done to a todo, as the confirmation says it.
  static func done(to todo: TodoViewModel) -> String
  /// What the session calls the todo from now on; nil if it gets no name.
  var alias: String? { get }
  /// Whether several todos were asked for, so that the result is an array whatever their number.
  var isList: Bool { get }
}

extension TodoChange {
  package var alias: String? { nil }
  package var isList: Bool { false }

  package func show(_ value: TodoViewModelGroup, on page: inout Page) {
    value.confirm(Self.done(to:), on: &page)
  }
}

/// Fields of a todo as words give them.
package protocol TodoFields {
  /// What is to be done; it never clears.
  var title: Change<String> { get }
  /// Notes.
  var subtitle: Change<String> { get }
  /// How much it matters.
  var priority: Change<Priority> { get }
  /// When it is due.
  var due: Change<When> { get }
  /// Labels to add, or to have.
  var tags: TagChange { get }
  /// Labels to remove.
  var untags: [Tag] { get }
  /// What it is part of.
  var project: Change<Project> { get }
}

/// A change of todos that are there: the same patch to all of them, or to none.
package protocol TodoPatching: TodoChange {
  /// Which.
  var id: References { get }
  /// The revision that was seen; a field that was changed since is a conflict (S71).
  var expectedRevision: Int? { get }
  /// What is to become of each.
  func patch(_ turn: borrowing Turn) throws -> TodoPatch
}

extension TodoPatching {
  package var isList: Bool { id.isList }
  package var subject: String? { id.subject }
}

/// Adds a todo.
package struct RequestAddTodo: TodoChange, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// What is to be done.
  package var title = ""
  /// Notes.
  package var subtitle: Change<String> = .keep
  /// How much it matters.
  package var priority: Change<Priority> = .keep
  /// When it is due.
  package var due: Change<When> = .keep
  /// Its labels.
  package var tags: [Tag] = []
  /// What it is part of.
  package var project: Change<Project> = .keep
  /// What to call it in this session.
  package var alias: String?

  package static let command = CommandSpec<Self>("add", "Adds a todo.")
    .text(\.title, "What is to be done")
    .option(\.subtitle, "Notes, of any number of lines", flag: "--subtitle")
    .option(\.priority, "How much it matters", flag: "--priority")
    .option(\.due, "When it is due", flag: "--due")
    .option(\.tags, "A label (repeatable)", flag: "--tag")
    .option(\.project, "What it is part of", flag: "--project")
    .option(\.title, "The title, if not given as words", flag: "--title")
    .alias(\.alias, "What to call it in this session")

  package init() {}

  package static func done(to todo: TodoViewModel) -> String { "Added" }

  package var subject: String? { alias.map { "@" + $0 } }
}

/// Changes fields of todos.
package struct RequestEditTodo: TodoPatching, TodoFields, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = References()
  /// What is to be done; it never clears.
  package var title: Change<String> = .keep
  /// Notes.
  package var subtitle: Change<String> = .keep
  /// How much it matters.
  package var priority: Change<Priority> = .keep
  /// When it is due.
  package var due: Change<When> = .keep
  /// Labels to add, or to have.
  package var tags = TagChange()
  /// Labels to remove.
  package var untags: [Tag] = []
  /// What it is part of.
  package var project: Change<Project> = .keep
  /// The revision that the editor saw; a field that was changed since is a conflict.
  package var expectedRevision: Int?

  package static let command = CommandSpec<Self>("edit", "Changes fields of todos.")
    .word(\.id, References.summary)
    .option(\.title, "The title", flag: "--title")
    .option(\.subtitle, "Notes; empty clears", flag: "--subtitle")
    .option(\.priority, "How much it matters; empty means normal", flag: "--priority")
    .option(\.due, "When it is due; empty clears", flag: "--due")
    .option(\.tags, "A label to add (repeatable)", flag: "--tag")
    .option(\.untags, "A label to remove (repeatable)", flag: "--untag")
    .option(\.project, "What it is part of; empty clears", flag: "--project")
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")
    .needingOption(besides: \.expectedRevision)

  /// `edit 3` without a field opens the detail (S29).
  package static var onScreen: (any Command.Type)? { RequestTodoDetailViewModel.self }

  package init() {}

  package static func done(to todo: TodoViewModel) -> String { "Changed" }
}

/// Completes a todo, or opens it again (S21).
package struct RequestToggleCompleteTodoViewModel: TodoPatching, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = References()
  /// The revision that was seen.
  package var expectedRevision: Int?
  /// Whether the view showed it as complete; nil if there was no view.
  var shownComplete: Bool?

  package static let command = CommandSpec<Self>("toggle", "Completes todos, or opens them again.")
    .word(\.id, References.summary)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")

  package init() {}

  /// Toggles what a view shows: a stale one never takes back what somebody else did (S71).
  package init(_ viewModel: TodoViewModel) {
    id = References(viewModel)
    expectedRevision = viewModel.revision
    shownComplete = viewModel.complete
  }

  package static func done(to todo: TodoViewModel) -> String {
    todo.complete ? "Completed" : "Reopened"
  }
}

/// Completes todos.
package struct RequestCompleteTodo: TodoPatching, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = References()
  /// The revision that was seen.
  package var expectedRevision: Int?

  package static let command = CommandSpec<Self>("done", "Completes todos.")
    .word(\.id, References.summary)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")

  package init() {}

  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    var patch = TodoPatch()
    patch.completion = .complete(turn.time)
    return patch
  }

  package static func done(to todo: TodoViewModel) -> String { "Completed" }
}

/// Opens completed todos again.
package struct RequestReopenTodo: TodoPatching, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = References()
  /// The revision that was seen.
  package var expectedRevision: Int?

  package static let command = CommandSpec<Self>("reopen", "Opens completed todos again.")
    .word(\.id, References.summary)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")

  package init() {}

  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    var patch = TodoPatch()
    patch.completion = .open
    return patch
  }

  package static func done(to todo: TodoViewModel) -> String { "Reopened" }
}

/// Deletes todos; they can be restored (S22, S37).
package struct RequestDeleteTodoViewModel: TodoPatching, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = References()
  /// The revision that was seen.
  package var expectedRevision: Int?

  package static let command = CommandSpec<Self>("delete", "Deletes todos; 'restore' undoes it.")
    .word(\.id, References.summary)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")

  package init() {}

  /// Deletes what a view shows.
  package init(_ viewModel: TodoViewModel) {
    id = References(viewModel)
    expectedRevision = viewModel.revision
  }

  package var question: String? {
    let count = Set(id.list).count
    return count > 3 ? "Delete \(count) todos?" : nil
  }

  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    var patch = TodoPatch()
    patch.deleted = true
    return patch
  }

  package static func done(to todo: TodoViewModel) -> String { "Deleted" }
}

/// Restores deleted todos (S37).
package struct RequestRestoreTodo: TodoPatching, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = References()
  /// The revision that was seen.
  package var expectedRevision: Int?

  package static let command = CommandSpec<Self>("restore", "Restores deleted todos.")
    .word(\.id, References.summary)
    .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")

  package init() {}

  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    var patch = TodoPatch()
    patch.deleted = false
    return patch
  }

  package static func done(to todo: TodoViewModel) -> String { "Restored" }
}

/// Gives a todo another place in the order that `list --sort manual` shows (S62).
package struct RequestMoveTodo: TodoChange, Codable {
  package typealias Reply = ResponseTodoViewModel

  /// Which.
  package var id = Reference.last
  /// On which side of the other one.
  package var side = TodoSide.before
  /// The other one.
  package var other = Reference.last
  /// The revision that was seen; a place that was changed since is a conflict.
  package var expectedRevision: Int?

  package static let command = CommandSpec<Self>(
    "move",
    "Moves a todo in the order of 'list --sort manual'."
  )
  .word(\.id, References.summary)
  .word(\.side, "On which side of the other one")
  .word(\.other, "The other todo, likewise")
  .option(\.expectedRevision, References.revisionSummary, flag: "--expected-revision")

  package init() {}

  /// Moves what a view shows.
  package init(_ viewModel: TodoViewModel, _ side: TodoSide, _ other: TodoViewModel) {
    id = .todo(.uuid(viewModel.uuid))
    self.side = side
    self.other = .todo(.uuid(other.uuid))
    expectedRevision = viewModel.revision
  }

  package static func done(to todo: TodoViewModel) -> String { "Moved" }

  package var subject: String? { id.text }
}
