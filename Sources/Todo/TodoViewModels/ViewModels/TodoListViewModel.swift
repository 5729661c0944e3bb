import EventCommands
import EventMVVM
public import EventPatterns
public import EventRecords
public import RecordCommands
public import TodoModels

/// A list of todos as a view shows it (S43): an inert value that applies changes and returns their
/// consequences for the view.
public typealias TodoListViewModel = ListedRecords<Todo>

extension ListedRecords<Todo> {
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

  /// Creates a list of todos in the order given.
  public init(_ rows: [TodoViewModel] = []) { self.init(records: rows, isList: true) }

  /// The rows, in order.
  public var rows: [TodoViewModel] { records }

  /// How many rows a section has: all are in section 0.
  public func count(inSection section: Int) -> Int { section == 0 ? records.count : 0 }

  /// Returns the changes from this list to another one, as a view applies them (S63).
  public func changes(to list: TodoListViewModel) -> ListChanges<TodoViewModel> {
    ListChanges(from: rows, to: list.rows, by: \.uuid)
  }

  /// Replaces the list by a new one (S44).
  public mutating func incorporate(_ list: TodoListViewModel) -> GroupChange {
    guard records != list.records else { return .none }
    records = list.records
    return .reload
  }

  /// Applies a change of one todo (S45): a new one is inserted at its place among the newest first,
  /// unless it is deleted (S67); an older version than the shown one changes nothing.
  public mutating func incorporate(_ row: TodoViewModel) -> SingleChange {
    if let index = records.firstIndex(where: { $0.isSame(as: row) }) {
      return replace(index, with: row)
    }
    guard !row.deleted else { return .none }
    let index = records.firstIndex { row.isNewer(than: $0) } ?? records.count
    records.insert(row, at: index)
    return .insert(index)
  }

  private mutating func replace(_ index: Int, with row: TodoViewModel) -> SingleChange {
    guard row.revision >= records[index].revision else { return .none }
    if row.deleted {
      records.remove(at: index)
      return .delete(index)
    }
    guard records[index] != row else { return .none }
    records[index] = row
    return .reload(index)
  }
}

extension RecordView<Todo> {
  /// Whether it is before another in a list that shows the newest first (S35).
  fileprivate func isNewer(than other: TodoViewModel) -> Bool {
    (value.createdAt, number) > (other.value.createdAt, other.number)
  }
}
