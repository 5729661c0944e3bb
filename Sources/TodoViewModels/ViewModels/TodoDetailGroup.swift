package import EventCommands
package import JSONText

/// The details that were asked for: one for most requests, several where several were named.
package struct TodoDetailGroup: CommandResult {
  /// The details, in the order in which they were named.
  package let details: [TodoDetailViewModel]
  /// Whether several were asked for, so that the result is an array in any case.
  package let isList: Bool

  /// Groups details.
  package init(_ details: [TodoDetailViewModel], isList: Bool) {
    self.details = details
    self.isList = isList
  }

  /// A group of one.
  package init(_ detail: TodoDetailViewModel) {
    details = [detail]
    isList = false
  }

  package func show(on page: inout Page) {
    for detail in details { detail.show(on: &page) }
  }

  package func write(to json: inout JSONWriter) {
    // Not of a copy of the details, which have all texts twice.
    guard isList || details.count != 1 else {
      return TodoViewModel(details[0].original).write(to: &json)
    }
    json.array { json in
      for index in details.indices { TodoViewModel(details[index].original).write(to: &json) }
    }
  }
}
