public import EventCommands
import EventRecords
public import JSONText
import RecordCommands
import TodoModels

/// The todos that a request changed: one for most requests, several where several were named.
public struct TodoViewModelGroup: Sendable, Equatable {
  /// A todo, and whether the request changed it.
  public struct Item: Sendable, Equatable {
    /// The todo after the request.
    public let viewModel: TodoViewModel
    /// False if it already had the requested values.
    public let isChanged: Bool
    /// What has changed; nil if that is not known.
    let transition: RecordTransition<Todo>?

    /// Pairs a todo with whether it changed.
    public init(_ viewModel: TodoViewModel, isChanged: Bool = true) {
      self.init(viewModel, isChanged: isChanged, nil)
    }

    init(_ viewModel: TodoViewModel, isChanged: Bool, _ transition: RecordTransition<Todo>?) {
      self.viewModel = viewModel
      self.isChanged = isChanged
      self.transition = transition
    }

    /// Whether both show the same, whatever was there before.
    public static func == (first: Item, second: Item) -> Bool {
      first.viewModel == second.viewModel && first.isChanged == second.isChanged
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
        TodoViewModel(transition).map { Item($0, isChanged: transition.isChange, transition) }
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

  /// Writes a confirmation, a line each, with what was understood: `Added #42 Buy milk  due tomorrow, Sat
  /// 28 Nov`, `Changed #42: due none → Fri 4 Dec`, `Completed #42 Buy milk`.
  func confirm(_ verb: (TodoViewModel) -> String, on page: inout Page) {
    page.confirm { page in
      for item in items { item.confirm(verb(item.viewModel), on: &page) }
    }
  }
}

extension TodoViewModelGroup.Item {
  fileprivate func confirm(_ verb: String, on page: inout Page) {
    let isAdded = transition.map { $0.before == nil } ?? false
    let changes = (try? transition?.fields) ?? []
    page.write(isChanged ? verb : "Unchanged")
    page.write(" ")
    page.write("#\(viewModel.number)", .secondary)
    if isChanged, !isAdded, verb == "Changed", !changes.isEmpty {
      page.write(": ")
      page.write(changes)
    } else {
      page.write(" ")
      page.write(user: viewModel.title)
      if isAdded { viewModel.showFields(on: &page, isConfirmed: true) }
    }
    page.endLine()
  }
}

extension TodoViewModelGroup: CommandResult {
  /// The name of its response.
  public static var responseName: String? { "ResponseTodoViewModel" }
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
