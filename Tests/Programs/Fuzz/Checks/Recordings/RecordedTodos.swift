import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import StandardParts
import TodoModels
import TodoViewModels

/// Todos as the program has them, to be recorded and replayed in this process.
struct RecordedTodos: Domain {
  let records: [any Record.Type] = [Todo.self]
  var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedTodoViewModels.self }
  var hasScreens: Bool { true }
  var parts: Parts { .standard() }
  var coordinators: [any Coordinator] { [TodoCoordinator()] }

  var program: Program {
    var program = Program("todostream", version: "0.1.0", summary: "Recorded by a fuzzer.")
    program.storeName = "todos.sqlite"
    return program
  }

  func addCommands(to catalogue: inout Catalogue) { TodoCommands.add(to: &catalogue) }

  func addScreens(to catalogue: inout Catalogue) { TodoCommands.addScreens(to: &catalogue) }

  func servers(_ setting: ServerConfiguration) -> Servers {
    let server = ViewModelServer()
    return Servers(setting, [server])
  }
}
