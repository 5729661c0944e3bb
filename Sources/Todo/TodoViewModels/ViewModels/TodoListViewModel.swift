public import EventCommands
public import EventPatterns
public import JSONText
import EventMVVM
import EventRecords
import TodoModels

/// A list of todos as a view shows it (S43): an inert value that applies changes and returns their
/// consequences for the view.
public struct TodoListViewModel: Sendable, Equatable {
  /// The consequence of a whole new list for the view (S44).
  public enum GroupChange: Sendable, Equatable {
    /// The lists differ: the view reloads.
    case reload
    /// The lists are equal.
    case none
  }

  /// The consequence of a change of one todo for the view (S45).
  public enum SingleChange: Sendable, Equatable {
    /// A row was inserted at this index.
    case insert(Int)
    /// The row at this index has new content.
    case reload(Int)
    /// The row at this index was removed.
    case delete(Int)
    /// The list does not show it, or shows it already in this form.
    case none
  }

  /// The rows, in order.
  public private(set) var rows: [TodoViewModel]

  /// Where no row was found for a label: the labels that there are.
  private(set) var labels: [String] = []

  /// Creates an empty list, with the labels that there are.
  init(noneOf labels: [String]) {
    rows = []
    self.labels = labels
  }

  /// Creates a list of todos in the order given.
  public init(_ rows: [TodoViewModel] = []) {
    self.rows = rows
  }

  /// How many rows a section has: all are in section 0.
  public func count(inSection section: Int) -> Int { section == 0 ? rows.count : 0 }

  /// Returns the changes from this list to another one, as a view applies them (S63).
  public func changes(to list: TodoListViewModel) -> ListChanges<TodoViewModel> {
    ListChanges(from: rows, to: list.rows, by: \.uuid)
  }

  /// Replaces the list by a new one (S44).
  public mutating func incorporate(_ list: TodoListViewModel) -> GroupChange {
    guard rows != list.rows else { return .none }
    rows = list.rows
    return .reload
  }

  /// Applies a change of one todo (S45): a new one is inserted at its place among the newest first,
  /// unless it is deleted (S67); an older version than the shown one changes nothing.
  public mutating func incorporate(_ row: TodoViewModel) -> SingleChange {
    if let index = rows.firstIndex(where: { $0.isSame(as: row) }) {
      return replace(index, with: row)
    }
    guard !row.deleted else { return .none }
    let index = rows.firstIndex { row.isNewer(than: $0) } ?? rows.count
    rows.insert(row, at: index)
    return .insert(index)
  }

  private mutating func replace(_ index: Int, with row: TodoViewModel) -> SingleChange {
    guard row.revision >= rows[index].revision else { return .none }
    if row.deleted {
      rows.remove(at: index)
      return .delete(index)
    }
    guard rows[index] != row else { return .none }
    rows[index] = row
    return .reload(index)
  }
}

extension TodoViewModel {
  /// Whether it is before another in a list that shows the newest first (S35).
  func isNewer(than other: TodoViewModel) -> Bool {
    (todo.value.createdAt, number) > (other.todo.value.createdAt, other.number)
  }
}

extension TodoListViewModel: PartedResult {
  /// The name of its response.
  public static var responseName: String? { "ResponseTodoViewModels" }
  /// The todos, at most three.
  public var subject: String? { rows.subject }

  /// Writes it for a person.
  public func show(on page: inout Page) { show(on: &page, saysCompletion: false) }

  func show(on page: inout Page, saysCompletion: Bool) {
    let width = rows.map { "#\($0.number)".count }.max() ?? 0
    for row in rows { row.showLine(on: &page, numberWidth: width, saysCompletion) }
  }

  /// Writes the rows as items of an open array.
  public func writeItems(to json: inout JSONWriter) {
    for row in rows { row.write(to: &json) }
  }
}
