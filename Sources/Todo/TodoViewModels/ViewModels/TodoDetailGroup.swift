public import EventCommands
public import JSONText

/// The requested details: one for most requests, several where several were named.
public struct TodoDetailGroup: CommandResult {
  /// The name of its response.
  public static let responseName: String? = "ResponseTodoDetailViewModel"
  /// The details, in the order in which they were named.
  public let details: [TodoDetailViewModel]
  /// Whether the request referred to several, so that the result is an array in any case.
  public let isList: Bool

  /// Creates a group of details.
  public init(_ details: [TodoDetailViewModel], isList: Bool) {
    self.details = details
    self.isList = isList
  }

  /// Creates a group of one.
  public init(_ detail: TodoDetailViewModel) {
    details = [detail]
    isList = false
  }

  /// Writes it for a person.
  public func show(on page: inout Page) {
    for detail in details { detail.show(on: &page) }
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    // Not from a copy of the details, which holds all texts twice.
    guard isList || details.count != 1 else {
      return TodoViewModel(details[0].original).write(to: &json)
    }
    json.array { json in
      for index in details.indices { TodoViewModel(details[index].original).write(to: &json) }
    }
  }
}
