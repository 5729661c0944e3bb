public import EventCommands
import EventMVVM
import EventPatterns
public import JSONText

// How many todos are open and overdue, for a prompt and for programs.

/// Requests the numbers of open and of overdue todos.
public struct RequestTodoStatus: StatusRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseStatus
  /// It only reads.
  public static let writes = false

  /// Creates the request with its default values.
  public init() {}
}

extension StatusText {
  /// Creates the text `12 open, 3 overdue`.
  init(open: Int, overdue: Int) {
    let more = overdue > 0 ? [Piece(", "), Piece("\(overdue) overdue", .urgent)] : []
    self.init([Piece("\(open) open", .secondary)] + more)
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
