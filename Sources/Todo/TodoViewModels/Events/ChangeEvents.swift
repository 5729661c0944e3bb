public import EventMVVM
import EventPatterns
public import EventRecords
public import TodoModels

/// States that todos have changed, in any process, once the change is committed (S26).
public struct ResponseChangedTodoViewModels: ViewModelEvent, Fact, Encodable {
  /// Version 2 has the names of the changed fields.
  public static let version = 2
  /// A todo after a change, and the kind of the change.
  public struct Item: Sendable, Equatable, Encodable {
    /// The todo after the change.
    public let viewModel: TodoViewModel
    /// The kind of the change.
    public let change: ChangeKind
    /// The names of the fields whose values changed.
    public let fields: [String]

    /// Creates the item for a change of a todo; nil if there is no change.
    init?(_ transition: RecordTransition<Todo>) {
      guard transition.isChange, let viewModel = TodoViewModel(transition) else { return nil }
      let (was, isNow) = (transition.before?.isSuggested ?? false, !viewModel.deleted)
      self.viewModel = viewModel
      change = was == isNow ? .changed : isNow ? .added : .removed
      fields = transition.after == nil ? ["deleted"] : transition.changedFields
    }
  }

  /// The kind of a change, for views of todos (S45).
  public enum ChangeKind: String, Sendable, Encodable {
    /// It was added, restored or redone.
    case added
    /// Its content has changed.
    case changed
    /// It is deleted, or its addition was undone.
    case removed
  }

  /// The todos that changed.
  public let items: [Item]
  /// The name of the other process's frontend that changed them; nil for a change of this process.
  public let externalOrigin: String?

  /// Creates the event from the changes of todos; unchanged ones are left out.
  public init(_ transitions: [RecordTransition<Todo>], by externalOrigin: String? = nil) {
    items = transitions.compactMap(Item.init)
    self.externalOrigin = externalOrigin
  }

  /// The todos after the change.
  public var viewModels: [TodoViewModel] { items.map(\.viewModel) }

  /// The todos, at most three.
  public var subject: String? {
    RecordSubject.numbers(items.count) { items[$0].viewModel.number }
  }
}

/// States the changes of the rows of an open list, for a view that applies them to its rows (S63).
///
/// A view begins with the rows that the list was opened with, or those of `rows`.
struct ResponseRowChanges: ViewModelEvent, Fact, Encodable {
  /// The session of the list; a view applies those of its own session, and ignores all others
  /// (S15).
  let session: Origin
  /// The list, in its present form.
  let screen: ScreenView
  /// The changes of its rows.
  let changes: ListChanges<TodoViewModel>

  /// Creates the event.
  init(_ session: Origin, _ screen: ScreenView, _ changes: ListChanges<TodoViewModel>) {
    self.session = session
    self.screen = screen
    self.changes = changes
  }

  var subject: String? { screen.title }
}
