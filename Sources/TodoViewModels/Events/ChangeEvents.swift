public import EventMVVM
package import EventPatterns
public import EventRecords
public import TodoModels

/// Says that todos have changed, in any process, once that is certain (S26).
public struct ResponseChangedTodoViewModels: ViewModelEvent, Fact, Encodable {
  /// The second says which fields were changed.
  public static let version = 2
  /// A todo, and what the change made of it.
  public struct Item: Sendable, Equatable, Encodable {
    /// The todo as the change left it.
    public let viewModel: TodoViewModel
    /// What the change made of it.
    public let change: ChangeKind
    /// The names of the fields that the change gave another value.
    public let fields: [String]

    /// Describes the change of a todo; nil if there is none.
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
    /// It is another than before.
    case changed
    /// It is deleted, or its addition was undone.
    case removed
  }

  /// The todos that changed.
  public let items: [Item]
  /// The name of the other process's frontend that changed them; nil if it was one of this process.
  public let externalOrigin: String?

  /// States the changes of todos; what did not change is left out.
  public init(_ transitions: [RecordTransition<Todo>], by externalOrigin: String? = nil) {
    items = transitions.compactMap(Item.init)
    self.externalOrigin = externalOrigin
  }

  /// The todos as the change left them.
  public var viewModels: [TodoViewModel] { items.map(\.viewModel) }

  /// The todos, at most three.
  public var subject: String? {
    RecordSubject.numbers(items.count) { items[$0].viewModel.number }
  }
}

/// States the changes of the rows of an open list, as a view applies it to those that it shows
/// (S63).
///
/// What a view shows at first are the rows that the list was opened with, or those of `rows`.
package struct ResponseRowChanges: ViewModelEvent, Fact, Encodable {
  /// Whose list it is; a view applies those of its own session, and leaves all others alone (S15).
  package let session: Origin
  /// The list, as it is now.
  package let screen: ScreenView
  /// The changes of its rows.
  package let changes: ListChanges<TodoViewModel>

  /// States changes.
  package init(_ session: Origin, _ screen: ScreenView, _ changes: ListChanges<TodoViewModel>) {
    self.session = session
    self.screen = screen
    self.changes = changes
  }

  package var subject: String? { screen.title }
}
