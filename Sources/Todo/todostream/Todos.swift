import EventApp
import EventCommands
import EventMVVM
import RecordCommands
import StandardParts
import TodoModels
import TodoStores
import TodoViewModels

/// The todo manager: its records, its commands and screens, and the parts of its program.
@main
struct Todos: Domain {
  let kinds: [any CommandRecord.Type] = [Todo.self]
  var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedTodoViewModels.self }
  var parts: Parts { .standard(startup: "startup.todo") }

  var program: Program {
    var program = Program(
      "todostream",
      version: "0.2.0",
      summary: "A todo manager on an event stream."
    )
    program.storeName = "todos.sqlite"
    program.earlierSchemas = .todos
    return program
  }

  func addCommands(to catalogue: inout Catalogue) { TodoCommands.add(to: &catalogue) }

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [ViewModelServer()])
  }
}
