import EventApp
import EventCommands
import EventMVVM
import RecordCommands
import StandardParts
import TodoModels
import TodoViewModels

/// Todos as the program has them, to be recorded and replayed in this process.
struct RecordedTodos: Domain {
  let kinds: [any CommandRecord.Type] = [Todo.self]
  var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedTodoViewModels.self }
  var parts: Parts { .standard() }

  var program: Program {
    var program = Program("todostream", version: "0.1.0", summary: "Recorded by a fuzzer.")
    program.storeName = "todos.sqlite"
    return program
  }

  func addCommands(to catalogue: inout Catalogue) { TodoCommands.add(to: &catalogue) }

  func servers(_ setting: ServerConfiguration) -> Servers {
    let server = ViewModelServer()
    return Servers(setting, [server])
  }
}
