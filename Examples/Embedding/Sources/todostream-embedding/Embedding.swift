import EventCommands
import EventMVVM
import EventRecords
import RecordCommands
import SQLiteEngine
import TodoModels
import TodoStores
import TodoViewModels

/// Adds a todo to a file, and prints what a view receives: the models and the view models of the
/// todo manager on a stream of this program, without its process, frontends and plugins.
@main
struct Embedding {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, arguments.count > 1 else {
      print("usage: todostream-embedding FILE TITLE…")
      return
    }
    let context = AppContext()
    context.add(
      RecordServer(
        RecordDatabase(of: "todostream", after: .todos, path: path),
        [Todo.self],
        watchesExternalChanges: false,
        tellsViews: false
      ),
      ViewModelServer()
    )
    let port = context.port(named: "embedding")
    var isAnswered = false
    port.on(ResponseTodoViewModel.self) { response, _ in
      switch response.result {
      case .success(let todos):
        for todo in todos.viewModels { print("#\(todo.number) \(todo.title)") }
      case .failure(let failure): print(failure.message)
      }
      isAnswered = true
    }
    var request = RequestAddTodo()
    try request.record.set(\.title, to: arguments.dropFirst().joined(separator: " "))
    port.send(request)
    port.run { isAnswered }
    context.leave()
  }
}
