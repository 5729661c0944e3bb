import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import StandardParts
import TodoModels
import TodoStores
import TodoViewModels

/// The todo manager: its records, its commands and screens, and the parts of its program.
@main
struct Todos: Domain {
  let records: [any Record.Type] = [Todo.self]
  var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedTodoViewModels.self }
  var hasScreens: Bool { true }
  var coordinators: [any Coordinator] { [TodoCoordinator()] }
  var parts: Parts { .standard(startup: "startup.todo") }

  var program: Program {
    var program = Program(
      "todostream",
      version: "0.1.0",
      summary: "A todo manager on an event stream."
    )
    program.storeName = "todos.sqlite"
    program.earlierSchemas = .todos
    return program
  }

  func addCommands(to catalogue: inout Catalogue) { TodoCommands.add(to: &catalogue) }

  func addScreens(to catalogue: inout Catalogue) { TodoCommands.addScreens(to: &catalogue) }

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [ViewModelServer()])
  }
}
