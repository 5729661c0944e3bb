import EventMVVM
import EventMVVMTesting
import EventPatterns
import Foundation
import Testing
import TodoModels
import TodoStore
import TodoViewModels

/// Both servers on a fresh file in a folder of its own, gone with its test (S74).
final class Application {
  let folder: String
  let path: String
  let test: TestContext

  init(
    zone: ZoneRule = .utc,
    for company: ModelServer.Company = .oneJob,
    screens: Bool = false,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    folder = FileManager.default.temporaryDirectory.path + "/todos-" + UniqueID.random().text
    path = folder + "/todos.sqlite"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    test = TestContext(zone: zone, location: location)
    test.add(ModelServer(TodoDatabase(path: path), for: company), ViewModelServer())
    if screens { test.add(Navigator([TodoCoordinator()])) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Another process on the same file: the listening one joins a context, the writing one writes.
  struct Neighbour {
    private let writer: TodoDatabase

    init(_ path: String, on context: AppContext) throws {
      writer = TodoDatabase(path: path)
      context.add(ModelServer(TodoDatabase(path: path), for: .frontends), ViewModelServer())
    }

    func write(_ title: String) {
      var todo = Todo(uuid: .random(), createdAt: .start)
      todo.title = title
      let writer = Writer(root: Root(session: 9, number: 1), origin: "cli", time: .start)
      _ = try? self.writer.write([.add(todo)], by: writer)
    }
  }

  /// A view in a session of its own.
  func view(_ name: String = "view") -> ScriptedView { ScriptedView(test.app.port(named: name)) }

  // MARK: Requests

  /// Adds todos, for the preparation of a test; each gets the next number, id and revision.
  func add(_ titles: String...) {
    for title in titles { prepare(RequestAddTodo.add(title)) }
  }

  /// Sends an event, for the preparation of a test.
  func prepare<E: Event>(_ event: E) {
    test.skip()
    test.send(event)
    test.skip()
  }

  /// What a request's reply carries, or the failure that it carries.
  func reply<R: Request & ViewModelEvent>(_ request: R) -> Result<R.Reply.Value, Failure>?
  where R.Reply.Problem == Failure {
    test.skip()
    defer { test.skip() }
    return test.request(request).map { $0.mapError { Failure($0) }.flatMap(\.result) }
  }

  /// What a request's reply carries, if the request is made in a session.
  func reply<R: Request & ViewModelEvent>(
    _ request: R,
    in port: ViewPort
  ) -> Result<R.Reply.Value, Failure>? where R.Reply.Problem == Failure {
    var answer: Result<R.Reply.Value, Failure>?
    port.request(request) { result, _ in
      answer = result.mapError { Failure($0) }.flatMap(\.result)
    }
    test.skip()
    return answer
  }

  /// The failure of a request.
  func failure<R: Request & ViewModelEvent>(_ request: R) -> Failure?
  where R.Reply.Problem == Failure {
    guard case .failure(let failure) = reply(request) else { return nil }
    return failure
  }

  /// The todo of a number, as another process on the same file sees it.
  func stored(_ number: Int) throws -> Todo {
    try TodoDatabase(path: path).read(TodoQuery([.number(number)]), in: .committed)[0]
  }

  /// The titles of all todos, newest first, as another process on the same file sees them.
  func storedTitles() throws -> [String] {
    try TodoDatabase(path: path).read(TodoQuery(), in: .committed).map(\.title)
  }
}

extension Instant {
  /// What the clock of a test shows: 2025-11-20T10:00:00Z, a Thursday.
  static let start = Instant(milliseconds: 1_763_632_800_000)
}

extension Todo {
  /// A todo whose identity ends in a number, made when the test began.
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    number: Int = 0,
    revision: Int = 0,
    _ edit: (inout Todo) -> Void = { _ in }
  ) -> Todo {
    var todo = Todo(
      uuid: UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | id),
      createdAt: .start,
      number: number
    )
    todo.title = title
    todo.revision = revision
    edit(&todo)
    return todo
  }

  var viewModel: TodoViewModel { TodoViewModel(self) }
}

extension TodoPatch {
  static func test(_ edit: (inout TodoPatch) -> Void) -> TodoPatch {
    var patch = TodoPatch()
    edit(&patch)
    return patch
  }
}

// MARK: - Requests

extension RequestAddTodo {
  static func add(_ title: String, _ edit: (inout Self) -> Void = { _ in }) -> Self {
    var request = Self()
    request.title = title
    edit(&request)
    return request
  }
}

extension RequestEditTodo {
  static func edit(_ number: Int, _ edit: (inout Self) -> Void) -> Self {
    var request = Self()
    request.id = .number(number)
    edit(&request)
    return request
  }
}

extension RequestToggleCompleteTodoViewModel {
  static func toggle(_ references: References) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestCompleteTodo {
  static func complete(_ references: References) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestReopenTodo {
  static func reopen(_ references: References) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestDeleteTodoViewModel {
  static func delete(_ references: References) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestMoveTodo {
  static func move(_ number: Int, _ side: TodoSide, _ other: Int) -> Self {
    var request = Self()
    request.id = .todo(.number(number))
    request.side = side
    request.other = .todo(.number(other))
    return request
  }
}

extension RequestRestoreTodo {
  static func restore(_ references: References) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension References {
  static func number(_ number: Int) -> References { References(.todo(.number(number))) }

  static func numbers(_ numbers: Int...) -> References {
    var references = References()
    references.list = numbers.map { .todo(.number($0)) }
    references.isList = true
    return references
  }
}

extension RequestTodoDetailViewModel {
  static func show(_ references: References) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestTodoViewModels {
  static func list(_ edit: (inout Self) -> Void) -> Self {
    var request = Self()
    edit(&request)
    return request
  }
}

// MARK: - Responses

extension ResponseTodo {
  /// One todo that was written.
  static func written(
    _ todo: Todo,
    _ novelty: TodoNovelty? = .changed,
    _ fields: TodoField...
  ) -> Self {
    Self(.success([WrittenTodo(todo, novelty, fields)]))
  }
}

extension ResponseTodos {
  static func todos(_ todos: Todo...) -> Self { Self(.success(todos)) }
}

extension ResponseTodoViewModel {
  static func todo(_ todo: Todo, isChanged: Bool = true) -> Self {
    Self(.success(TodoViewModelGroup([.init(todo.viewModel, isChanged: isChanged)], isList: false)))
  }
}

extension ResponseTodoViewModels {
  static func todos(_ todos: Todo...) -> Self {
    Self(.success(TodoListViewModel(todos.map(\.viewModel))))
  }
}

extension ResponseChangedTodoViewModels {
  static func todos(
    _ todos: Todo...,
    as novelty: TodoNovelty = .changed,
    _ fields: TodoField...
  ) -> Self {
    Self(todos.map { WrittenTodo($0, novelty, fields) })
  }
}

extension ResponseTodoDetailViewModel {
  static func todo(_ todo: Todo) -> Self {
    Self(.success(TodoDetailGroup(TodoDetailViewModel(todo))))
  }
}
