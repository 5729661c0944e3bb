import Batch
import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import LineServer
import REPL
import SQLiteEngine
import TodoModels
import TodoViewModels
import UndoHistory

/// Todos with a frontend of another package.
///
/// It has a prompt, single commands, scripts, undo and lines over a socket; its todos are in a file. What is not in
/// its list of parts is not in the program.
@main
struct Lines: Domain {
  let records: [any Record.Type] = [Todo.self]
  var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedTodoViewModels.self }
  var parts: Parts {
    Parts(
      engines: [SQLiteFiles()],
      frontends: [REPLLauncher(), BatchLauncher(), LineServer()],
      plugins: [.on(UndoHistory())]
    )
  }

  let program = Program("todostream-lines", version: "0.1.0", summary: "Todos, also line by line.")

  func addCommands(to catalogue: inout Catalogue) { TodoCommands.add(to: &catalogue) }

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [ViewModelServer()])
  }
}
