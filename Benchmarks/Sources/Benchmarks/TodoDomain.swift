import EventMVVM

// The least todo manager that has something to do in each layer.

struct Todo: Sendable, Equatable {
  let id: Int
  var title: String
  var isDone: Bool
}

struct TodoViewModel: Sendable, Equatable {
  let id: Int
  let line: String
}

/// Keeps the todos.
final class TodoModel: @unchecked Sendable {
  // Unchecked: one thread at a time.
  private var todos: [Int: Todo] = [:]

  init() {
    for id in 0..<100 {
      todos[id] = Todo(id: id, title: "Water the plant no. \(id)", isDone: false)
    }
  }

  @inline(never)
  func toggle(_ id: Int) -> Todo? {
    todos[id]?.isDone.toggle()
    return todos[id]
  }
}

/// What a view shows of a todo.
@inline(never)
func viewModel(of todo: Todo) -> TodoViewModel {
  TodoViewModel(id: todo.id, line: (todo.isDone ? "[x] " : "[ ] ") + todo.title)
}

/// Shows the latest view model.
final class TodoView: @unchecked Sendable {
  // Unchecked: one thread at a time.
  private var shown: TodoViewModel?

  @inline(never)
  func show(_ todo: TodoViewModel) { shown = todo }
}

struct RequestToggle: ViewModelEvent, Request {
  typealias Reply = ResponseTodoViewModel
  var id: Int
}

struct RequestWrite: ModelEvent, Request {
  typealias Reply = ResponseTodo
  var id: Int
}

struct ResponseTodo: ModelEvent, Response {
  let result: Result<Todo, Failure>

  init(_ result: Result<Todo, Failure>) { self.result = result }
}

struct ResponseTodoViewModel: ViewModelEvent, Response {
  let result: Result<TodoViewModel, Failure>

  init(_ result: Result<TodoViewModel, Failure>) { self.result = result }
}
