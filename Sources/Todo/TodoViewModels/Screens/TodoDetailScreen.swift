import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues
import TodoModels

/// An editor of one todo (S46): its edits, until they are saved or discarded.
final class TodoDetailScreen: Screen {
  /// The name of its commands in the catalogue.
  static let kind = "detail"
  static let isNotOpen = "No todo is open; 'open' and its number open one."

  /// Executing while the edits are being stored (S91).
  let saving: Action
  private let contents: StateContainer<Contents>

  private struct Contents: Sendable, Equatable {
    var detail: TodoDetailViewModel
    /// The time of the last edit, which becomes the completion time of a completed todo.
    var time: Instant
  }

  init(_ detail: TodoDetailViewModel, _ turn: borrowing Turn) {
    let contents = Contents(detail: detail, time: turn.time)
    self.contents = StateContainer(contents, name: Self.kind, on: turn.stream)
    saving = Action("save", on: turn.stream)
  }

  /// The todo with its edits.
  var detail: TodoDetailViewModel { contents.model.detail }

  var view: ScreenView {
    let detail = detail
    return ScreenView(kind: Self.kind, title: detail.screenTitle, isEdited: detail.isEdited)
  }

  var states: [NamedState] {
    [
      contents.state.named(.detail, showing: { TodoDraft($0.detail, at: $0.time) }),
      saving.isExecuting.named(.saving),
    ]
  }

  /// Edits it.
  func edit(_ turn: borrowing Turn, _ change: (inout TodoDetailViewModel) throws -> Void) throws {
    let time = turn.time
    try contents.change(turn) { contents in
      try change(&contents.detail)
      contents.time = time
    }
  }

  /// Applies a change of the todo (S26).
  ///
  /// External changes arrive later than changes of this process, and so may be older. Where both
  /// changed a field, the screen stays unchanged, so that saving is a conflict (S71).
  ///
  /// - Returns: The consequence for the screen.
  func hear(_ todo: TodoViewModel, _ turn: borrowing Turn) -> Heard {
    let detail = detail
    guard todo.uuid == detail.uuid, todo.revision > detail.original.revision else {
      return .nothing
    }
    guard let rebased = detail.rebased(onto: todo) else { return .conflict }
    contents.change(turn) { $0.detail = rebased }
    return rebased == detail ? .nothing : .change
  }

  /// The consequence of a change of the todo for the screen.
  enum Heard {
    /// Its content is unchanged.
    case nothing
    /// Its content has changed.
    case change
    /// Its edits can't be saved without a conflict.
    case conflict
  }
}

extension StateName {
  /// The content of the editor.
  static let detail = StateName("detail", "The open todo, with what was edited of it.")
  /// Whether the edits of the open todo are being stored.
  static let saving = StateName(
    "detail/saving",
    "Whether the edits of the open todo are being stored.",
    progress: "saving"
  )
}

extension TodoDetailViewModel {
  /// The edited title: `#3 Buy milk`.
  fileprivate var screenTitle: String {
    guard isNew else {
      return "#\(number) \(self.title)" + (self.deleted ? " (deleted)" : "")
    }
    return self.title.isEmpty ? "new todo" : "new: \(self.title)"
  }
}
