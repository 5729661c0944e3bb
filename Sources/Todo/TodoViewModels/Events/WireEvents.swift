public import EventCommands
import EventMVVM
import EventPatterns
public import JSONText

// The notifications to programs about todos.

extension ResponseChangedTodoViewModels: ChangeNotice {
  /// The method of its notification.
  public static let notification = "todo/changed"
  /// The numbers of the todos.
  public var changedIDs: [Int] { items.map(\.viewModel.number) }
  /// The newest revision among them; 0 where there are none.
  public var revision: Int { items.reduce(0) { max($0, $1.viewModel.revision) } }
}

extension ResponseChangedTodoViewModels: WireEvent {
  /// Writes the todos after the change, each with the kind of the change and the changed fields.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("by", externalOrigin)
      json.key("changes")
      json.array { json in
        for item in items {
          json.object { json in
            json.member("novelty", item.change.rawValue)
            json.key("fields")
            json.array { json in
              for name in item.fields { json.value(name) }
            }
            json.key("todo")
            item.viewModel.write(to: &json)
          }
        }
      }
    }
  }
}

extension ResponseRowChanges: WireEvent {
  /// Writes the list, and the changes of its rows.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("screen")
      screen.write(to: &json)
      json.key("changes")
      changes.write(to: &json) { row, json in row.write(to: &json) }
    }
  }
}

/// Requests the numbers of open and of overdue todos, for watching programs.
public struct RequestTodoCounts: WatchedState, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseTodoCounts
  /// It only reads.
  public static let writes = false
  /// Its name for programs.
  public static let stateName = "todo/counts"
  /// Its description, in a line.
  public static let summary = "How many todos are open, and how many of them overdue."

  /// Creates the request with its default values.
  public init() {}
}

/// The numbers of open and of overdue todos.
public typealias ResponseTodoCounts = ResponseView<TodoCounts>

/// The numbers of open and of overdue todos.
public struct TodoCounts: CommandResult {
  /// The name of its response.
  public static let responseName: String? = "ResponseTodoCounts"
  /// Todos that are neither completed nor deleted.
  public let open: Int
  /// Open todos that were due before today.
  public let overdue: Int

  /// Writes it for a person.
  public func show(on page: inout Page) {
    page.write("\(open) open, \(overdue) overdue")
    page.endLine()
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.object {
      $0.member("open", open)
      $0.member("overdue", overdue)
    }
  }
}
