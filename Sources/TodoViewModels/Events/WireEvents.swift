package import EventCommands
package import EventMVVM
import EventPatterns
package import JSONText

// The notifications to programs about todos.

extension ResponseChangedTodoViewModels: ChangeNotice {
  package static let notification = "todo/changed"
  package var changedIDs: [Int] { items.map(\.viewModel.number) }
  package var revision: Int { items.reduce(0) { max($0, $1.viewModel.revision) } }
}

extension ResponseChangedTodoViewModels: WireEvent {
  /// The todos as the change left them, each with what it made of it and of which fields.
  package func write(to json: inout JSONWriter) {
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
  /// The list, and the changes of its rows.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("screen")
      screen.write(to: &json)
      json.key("changes")
      changes.write(to: &json) { row, json in row.write(to: &json) }
    }
  }
}

/// Asks how many todos are open, and how many of them overdue, for watching programs.
package struct RequestTodoCounts: WatchedState, Codable {
  package typealias Reply = ResponseTodoCounts
  package static let writes = false
  package static let stateName = "todo/counts"
  package static let summary = "How many todos are open, and how many of them overdue."

  package init() {}
}

/// How many todos are open and overdue.
package struct ResponseTodoCounts: ViewModelEvent, Response {
  /// The numbers or why there are none.
  package let result: Result<TodoCounts, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TodoCounts, Failure>) {
    self.result = result
  }
}

/// How many todos are open and overdue.
package struct TodoCounts: CommandResult {
  /// Those that are neither completed nor deleted.
  package let open: Int
  /// Those of them that were due before today.
  package let overdue: Int

  package func show(on page: inout Page) {
    page.write("\(open) open, \(overdue) overdue")
    page.endLine()
  }

  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("open", open)
      $0.member("overdue", overdue)
    }
  }
}
