public import EventCommands
import EventRecords
public import JSONText
import TodoModels

/// The todos that a request changed: one for most requests, several where several were named.
public struct TodoViewModelGroup: Sendable, Equatable {
  /// A todo, and whether the request changed it.
  public struct Item: Sendable, Equatable {
    /// The todo after the request.
    public let viewModel: TodoViewModel
    /// False if it already had the requested values.
    public let isChanged: Bool

    /// Pairs a todo with whether it changed.
    public init(_ viewModel: TodoViewModel, isChanged: Bool = true) {
      self.viewModel = viewModel
      self.isChanged = isChanged
    }
  }

  /// The todos, in the order in which they were named.
  public let items: [Item]
  /// Whether the request referred to several, so that the result is an array in any case.
  public let isList: Bool

  /// Creates a group of todos.
  public init(_ items: [Item], isList: Bool) {
    self.items = items
    self.isList = isList
  }

  /// Creates a group from changes.
  init(_ transitions: [RecordTransition<Todo>], isList: Bool) {
    self.init(
      transitions.compactMap { transition in
        TodoViewModel(transition).map { Item($0, isChanged: transition.isChange) }
      },
      isList: isList
    )
  }

  /// Creates a group of one.
  public init(_ viewModel: TodoViewModel) {
    items = [Item(viewModel)]
    isList = false
  }

  /// The todos.
  public var viewModels: [TodoViewModel] { items.map(\.viewModel) }

  /// Writes a confirmation, a line each: `Added #42 Buy milk`.
  func confirm(_ verb: (TodoViewModel) -> String, on page: inout Page) {
    page.confirm { page in
      for item in items {
        page.write(item.isChanged ? verb(item.viewModel) : "Unchanged")
        page.write(" ")
        page.write("#\(item.viewModel.number)", .secondary)
        page.write(" ")
        page.write(user: item.viewModel.title)
        page.endLine()
      }
    }
  }
}

extension TodoViewModelGroup: CommandResult {
  /// Writes it for a person.
  public func show(on page: inout Page) {
    confirm({ _ in "Changed" }, on: &page)
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    guard isList || items.count != 1 else { return items[0].viewModel.write(to: &json) }
    json.array { json in
      for item in items { item.viewModel.write(to: &json) }
    }
  }
}
