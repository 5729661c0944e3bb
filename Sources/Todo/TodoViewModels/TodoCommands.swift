import RecordCommands
public import EventCommands
import EventMVVM
import EventValues
import TodoModels

/// What a program with todos adds to its catalogue.
public enum TodoCommands {
  /// The prefix of its JSON-RPC methods.
  public static let group = "todo"
  /// Adds the commands on todos, their status and their notices.
  public static func add(to catalogue: inout Catalogue) {
    catalogue.add(group, commands)
    catalogue.add(status: status)
    catalogue.add(wire: wire)
  }

  /// Adds the commands of its screens.
  public static func addScreens(to catalogue: inout Catalogue) {
    catalogue.add(
      onScreen: nil,
      "at a prompt or in an editor",
      group,
      [RequestNewTodoDetailViewModel.self]
    )
    catalogue.add(
      onScreen: TodoDetailScreen.kind,
      "in the detail of a todo",
      TodoDetailScreen.kind,
      [
        RequestSetDetail.self, RequestToggleDetail.self, RequestShowDetail.self,
        RequestSaveDetail.self, RequestCancelDetail.self,
      ]
    )
    catalogue.add(
      onScreen: TodoListScreen.kind,
      "in an open list",
      TodoListScreen.kind,
      [RequestRows.self]
    )
    catalogue.add(links: [
      Candidate(RequestTodoViewModels.verb, "A list that follows changes by others"),
      Candidate(RequestNewTodoDetailViewModel.verb, "The detail of a new todo"),
    ])
  }

  /// The request for the numbers of open and of overdue todos.
  public static let status: any StatusRequest.Type = RequestTodoStatus.self
  /// The notices and states for programs in addition to changes.
  public static var wire: Wire {
    var wire = Wire(states: [RequestTodoCounts.self], cells: [.detail, .saving])
    wire.events = [ResponseChangedTodoViewModels.self, ResponseRowChanges.self]
    return wire
  }
  /// Its commands, in the order of help.
  public static let commands: [any Command.Type] =
    Todo.commands.types + [RequestMoveTodo.self]
}
