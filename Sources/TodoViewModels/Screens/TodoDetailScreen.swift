import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import TodoModels

/// An editor of one todo (S46): what was edited, until it is saved or discarded.
final class TodoDetailScreen: Screen {
  /// The name under which the catalogue has its commands.
  static let kind = "detail"
  static let isNotOpen = "No todo is open; 'open' and its number open one."

  /// Under way while the edits are being stored (S91).
  let saving: Action
  private let contents: StateContainer<Contents>

  private struct Contents: Sendable, Equatable {
    var detail: TodoDetailViewModel
    /// When it was edited last: a todo that it completes is completed then.
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

  /// Takes over a change of the todo (S26).
  ///
  /// What other processes did arrives later than what was done here, and so may be older.
  /// Where both changed a field, the screen stays as it is, so that saving is a conflict (S71).
  ///
  /// - Returns: What that means for the screen.
  func hear(_ todo: TodoViewModel, _ turn: borrowing Turn) -> Heard {
    let detail = detail
    guard todo.uuid == detail.uuid, todo.revision > detail.original.revision else {
      return .nothing
    }
    guard let rebased = detail.rebased(onto: todo) else { return .conflict }
    contents.change(turn) { $0.detail = rebased }
    return rebased == detail ? .nothing : .change
  }

  /// What a change of the todo means for the screen.
  enum Heard {
    /// It shows what it showed.
    case nothing
    /// It shows something else.
    case change
    /// Its edits can't be saved as they are.
    case conflict
  }
}

extension StateName {
  /// What the editor shows.
  static let detail = StateName("detail", "The open todo, with what was edited of it.")
  /// Whether the edits of the open todo are being stored.
  static let saving = StateName(
    "detail/saving",
    "Whether the edits of the open todo are being stored.",
    progress: "saving"
  )
}

extension TodoDetailViewModel {
  /// `#3 Buy milk`, as it is edited.
  fileprivate var screenTitle: String {
    guard isNew else {
      return "#\(number) \(self.title)" + (self.deleted ? " (deleted)" : "")
    }
    return self.title.isEmpty ? "new todo" : "new: \(self.title)"
  }
}
