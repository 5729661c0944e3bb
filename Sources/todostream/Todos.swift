import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import TodoModels
import TodoViewModels

/// Todos: their records, their servers, and the flows of their screens.
@main
struct Todos: Domain {
  let records: [any Record.Type] = [Todo.self]
  var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedTodoViewModels.self }
  var hasScreens: Bool { true }
  var coordinators: [any Coordinator] { [TodoCoordinator()] }

  var program: Program {
    var program = Program(
      "todostream",
      version: "0.1.0",
      summary: "A todo manager on an event stream."
    )
    program.storeName = "todos.sqlite"
    program.startupName = "startup.todo"
    program.earlierSchemas = .todos
    return program
  }

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(status: TodoDomain.status)
    catalogue.add(wire: TodoDomain.wire)
  }

  func addScreens(to catalogue: inout Catalogue) {
    TodoDomain.addScreens(to: &catalogue)
  }

  func servers(_ setting: ServerConfiguration) -> Servers {
    let server = ViewModelServer()
    return Servers(setting, [server]) { word, turn throws(Failure) in
      try server.resolve(word, turn)
    }
  }
}
