import EventMVVM
import EventMVVMTesting
import EventCommands
import EventPatterns
import EventRecords
import EventValues
import Foundation
import JSONText
import RecordCommands
import SQLiteEngine
import Testing
import TodoModels
@testable import TodoViewModels

/// Both servers on a fresh file in a folder of its own, gone with its test (S74).
final class Application {
  let folder: String
  let path: String
  let test: TestContext

  init(
    zone: ZoneRule = .utc,
    isInteractive: Bool = false,
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
    test.add(
      OwnFolder(folder),
      Self.server(path, isInteractive: isInteractive),
      ViewModelServer()
    )
    if screens { test.add(Navigator([RecordCoordinator<Todo>()])) }
  }

  /// Removes the folder at the end of the context: the watch of a store would report that it is gone
  /// before, as an application may end before its context.
  private final class OwnFolder: Plugin {
    let name = "folder"
    private let path: String

    init(_ path: String) { self.path = path }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func join(_ stream: EventStream) {}
  }

  /// Another process on the same file: the listening one joins a context, the writing one writes.
  struct Neighbour {
    private let writer: RecordDatabase

    init(_ path: String, on context: AppContext) throws {
      writer = Application.database(path)
      context.add(Application.server(path, isInteractive: true), ViewModelServer())
    }

    func write(_ title: String) {
      var todo = Todo(uuid: .random(), createdAt: .start)
      todo.title = title
      let writer = TestContext()
      writer.add(RecordServer(self.writer, [Todo.self], watchesExternalChanges: false))
      _ = writer.request(RequestWriteTodo([.add(todo)]))
      writer.skip()
    }
  }

  static func database(_ path: String) -> RecordDatabase {
    RecordDatabase(of: "todostream", path: path)
  }

  static func server(_ path: String, isInteractive: Bool = false) -> RecordServer {
    RecordServer(
      database(path),
      [Todo.self],
      watchesExternalChanges: isInteractive,
      readsInBackground: isInteractive,
      tellsViews: false
    )
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
  func stored(_ number: Int) throws -> Kept<Todo> {
    try #require(try stored(RequestReadTodos(number)).first)
  }

  /// The titles of all todos, newest first, as another process on the same file sees them.
  func storedTitles() throws -> [String] {
    try stored(RequestReadTodos(Query().sorted(by: \.createdAt, descending: true)))
      .map(\.value.title)
  }

  private func stored(_ request: RequestReadTodos) throws -> [Kept<Todo>] {
    let other = TestContext()
    other.add(Self.server(path))
    defer { other.skip() }
    return try #require(try other.request(request)?.get().result.get())
  }
}

extension Instant {
  /// What the clock of a test shows: 2025-11-20T10:00:00Z, a Thursday.
  static let start = Instant(milliseconds: 1_763_632_800_000)
}

extension Kept<Todo> {
  /// A todo whose identity ends in a number, made when the test began.
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    number: Int = 0,
    revision: Int = 0,
    _ edit: (inout Todo) -> Void = { _ in }
  ) -> Self {
    var todo = Todo(
      uuid: UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | id),
      createdAt: .start
    )
    todo.title = title
    edit(&todo)
    return Kept(number, todo, revision: revision)
  }

  var viewModel: TodoViewModel { TodoViewModel(self) }

  /// What a write makes of it, out of a state before; it is new without one.
  func written(from before: Kept<Todo>? = nil) -> RecordTransition<Todo> {
    RecordTransition(number, from: before?.value, to: value, revision: revision)
  }
}

extension Todo {
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    number: Int = 0,
    revision: Int = 0,
    _ edit: (inout Todo) -> Void = { _ in }
  ) -> Kept<Todo> { .test(id, title, number: number, revision: revision, edit) }
}

// MARK: - Requests

/// A request with edits of a todo, given as properties.
protocol TodoEdits { var todo: RecordEdits<Todo> { get set } }

extension RequestAdd: TodoEdits where R == Todo {
  var todo: RecordEdits<Todo> {
    get { record }
    set { record = newValue }
  }

  static func add(_ title: String) -> Self { add(title) { _ in } }

  static func add(_ title: String, _ edit: (inout Self) throws -> Void) rethrows -> Self {
    var request = Self()
    request.title = .set(title)
    try edit(&request)
    return request
  }
}

extension RequestEdit: TodoEdits where R == Todo {
  var todo: RecordEdits<Todo> {
    get { record }
    set { record = newValue }
  }

  static func edit(_ number: Int, _ edit: (inout Self) throws -> Void) rethrows -> Self {
    var request = Self()
    request.id = .number(number)
    try edit(&request)
    return request
  }
}

extension RequestSet: TodoEdits where R == Todo {
  var todo: RecordEdits<Todo> {
    get { record }
    set { record = newValue }
  }
}

extension TodoEdits {
  var title: Change<String> {
    get { .keep }
    set { put("title", newValue) { $0 } }
  }
  var subtitle: Change<String> {
    get { .keep }
    set { put("subtitle", newValue) { $0 } }
  }
  var priority: Change<Priority> {
    get { .keep }
    set { put("priority", newValue, \.rawValue) }
  }
  var due: Change<When> {
    get { .keep }
    set { put("due", newValue, \.word) }
  }
  var project: Change<Project> {
    get { .keep }
    set { put("project", newValue, \.text) }
  }
  /// Those to add.
  var tags: [Tag] {
    get { [] }
    set { amend("tags", "add", newValue) }
  }
  /// Those to remove.
  var untags: [Tag] {
    get { [] }
    set { amend("tags", "remove", newValue) }
  }
  /// All that the todo shall have.
  var allTags: [Tag] {
    get { [] }
    set { amend("tags", "set", newValue) }
  }

  private mutating func put<T>(_ name: String, _ change: Change<T>, _ text: (T) -> String) {
    switch change {
    case .keep: break
    case .clear: put(name, .null)
    case .set(let value): put(name, .string(text(value)))
    }
  }

  private mutating func amend(_ name: String, _ action: String, _ tags: [Tag]) {
    var members = [JSON.Member(action, .array(tags.map { .string($0.text) }))]
    if case .object(let known) = said.first(where: { $0.name == name })?.value {
      members = known.filter { $0.name != action } + members
    }
    put(name, .object(members))
  }

  /// What was said so far.
  private var said: [JSON.Member] {
    guard let json = try? BodyEncoder().value(todo),
      case .object(let said) = try? JSON(parsing: json)
    else { return [] }
    return said
  }

  private mutating func put(_ name: String, _ json: JSON) {
    let members = said.filter { $0.name != name } + [JSON.Member(name, json)]
    do {
      todo = try BodyDecoder().read(RecordEdits<Todo>.self, from: .object(members))
    } catch {
      Issue.record(error)
    }
  }
}

extension When {
  /// As a person writes it.
  fileprivate var word: String {
    switch self {
    case .local(let time): time.text
    case .instant(let instant): instant.iso8601
    case .inDays(let days): "+\(days)d"
    case .next(let day): day.word
    case .phrase: preconditionFailure("no test gives such a date")
    }
  }
}

extension RequestToggleCompleteTodoViewModel {
  static func toggle(_ references: Target<Todo>) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestCompleteTodo {
  static func complete(_ references: Target<Todo>) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestReopenTodo {
  static func reopen(_ references: Target<Todo>) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestDeleteTodoViewModel {
  static func delete(_ references: Target<Todo>) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestMoveTodo {
  static func move(_ number: Int, _ side: ManualSide, _ other: Int) -> Self {
    var request = Self()
    request.id = .number(number)
    request.side = side
    request.other = .number(other)
    return request
  }
}

extension RequestRestoreTodo {
  static func restore(_ references: Target<Todo>) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension Target<Todo> {
  static func number(_ number: Int) -> Self { Target(.number(number)) }

  static func numbers(_ numbers: Int...) -> Self {
    var target = Self()
    target.references = numbers.map { .number($0) }
    target.isList = true
    return target
  }
}

extension RequestTodoDetailViewModel {
  static func show(_ references: Target<Todo>) -> Self {
    var request = Self()
    request.id = references
    return request
  }
}

extension RequestTodoViewModels {
  /// A list that is asked for what parameters of JSON say.
  static func list(_ parameters: JSON) -> Self {
    do {
      return try read(parameters: parameters)
    } catch {
      Issue.record(error)
      return Self()
    }
  }
}

// MARK: - Responses

extension ResponseTodo {
  /// What became of todos.
  static func written(_ transitions: RecordTransition<Todo>...) -> Self {
    Self(.success(transitions))
  }
}

extension ResponseTodos {
  static func todos(_ todos: Kept<Todo>...) -> Self { Self(.success(todos)) }
}

extension ResponseTodoViewModel {
  static func todo(_ todo: Kept<Todo>, isChanged: Bool = true) -> Self {
    Self(.success(.changed(todo, isChanged: isChanged)))
  }
}

extension ResponseTodoViewModels {
  static func todos(_ todos: Kept<Todo>...) -> Self {
    Self(.success(TodoListViewModel(todos.map(\.viewModel))))
  }
}

extension ResponseChangedTodoViewModels {
  static func todos(_ transitions: RecordTransition<Todo>...) -> Self { Self(transitions) }
}

extension ResponseTodoDetailViewModel {
  static func todo(_ todo: Kept<Todo>) -> Self {
    Self(.success(TodoDetailGroup(TodoDetailViewModel(todo))))
  }
}

extension RecordGroup<Todo> {
  /// Todos that a request has changed, or left as they were.
  static func changed(_ todos: Kept<Todo>..., isChanged: Bool = true, isList: Bool = false) -> Self
  {
    var transitions: [RecordTransition<Todo>] = []
    for todo in todos { transitions.append(.change(to: todo, isChange: isChanged)) }
    return Self(transitions, isList: isList)
  }
}

extension RecordTransition<Todo> {
  /// A transition to a todo, which may change nothing.
  static func change(to todo: Kept<Todo>, isChange: Bool = true) -> Self {
    var before = todo.value
    if isChange { before.place = ManualPlace(number: 99) }
    return Self(todo.number, from: before, to: todo.value, revision: todo.revision)
  }
}

// MARK: - Values

/// A label.
struct Tag: Equatable {
  let text: String

  init(_ text: String) { self.text = text }
}

/// The name of a project.
struct Project: Equatable {
  let text: String

  init(word: String) throws { text = word }
}

extension JSON {
  /// An array of texts.
  static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}

typealias RequestSetDetail = RequestSet<Todo>
typealias RequestToggleDetail = RequestToggle<Todo>
typealias RequestShowDetail = RequestShowOpen<Todo>
typealias RequestSaveDetail = RequestSave<Todo>
typealias RequestCancelDetail = RequestCancel<Todo>
typealias ResponseDraft = RequestSetDetail.Reply
typealias DetailSwitch = ToggledField<Todo>

extension ToggledField<Todo> {
  static var completed: Self? { Self(rawValue: "completed") }
  static var priority: Self? { Self(rawValue: "priority") }
  static var deleted: Self? { Self(rawValue: "deleted") }
}

extension ShownRows<Todo> {
  static var open: Self? { Self(rawValue: "open") }
  static var done: Self? { Self(rawValue: "done") }
  static var any: Self? { Self(rawValue: "any") }
}
