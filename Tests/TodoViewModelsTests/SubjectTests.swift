import EventCommands
import EventRecords
import RecordCommands
import EventMVVM
import EventMVVMTesting
import Testing
import TodoModels

@testable import TodoViewModels

/// What the events of the domain are about, as a trace shows it (S97).
@Suite(.hangLimit) struct SubjectTests {
  /// The events of a request, each with what it is about.
  private func subjects<R: Request & ViewModelEvent>(
    _ request: R,
    after prepare: (Application) -> Void = { $0.add("A", "B", "C", "D") }
  ) throws -> [String] {
    let app = try Application()
    prepare(app)
    let log = Locked<[String]>([])
    app.test.stream.observeAll { event, _ in
      log.withLock { $0.append("\(type(of: event).name) \(event.subject ?? "-")") }
    }
    app.prepare(request)
    return log.withLock { $0 }
  }

  private func references(_ words: String...) throws -> Target<Todo> {
    var references = Target<Todo>()
    for word in words { try references.take(word: word) }
    return references
  }

  @Test func `S97 a change names its todo, as it was referred to and as it is`() throws {
    var request = RequestCompleteTodo()
    request.id = try references("@last")
    #expect(
      try subjects(request) == [
        "RequestCompleteTodo @last", "RequestRecords<Todo> #4", "ResponseRecords<Todo> #4",
        "RequestWriteRecords<Todo> #4", "ResponseWriteRecords<Todo> #4",
        "ResponseRecordChanges<Todo> #4", "ResponseTodoViewModel #4",
        "ResponseChangedTodoViewModels #4",
      ]
    )
  }

  @Test func `S97 a new todo has the name that it gets, and then its number`() throws {
    var request = RequestAddTodo.add("Milk")
    request.alias = "milk"
    #expect(
      try subjects(request, after: { _ in }) == [
        "RequestAddTodo @milk", "RequestWriteRecords<Todo> -", "ResponseWriteRecords<Todo> #1",
        "ResponseRecordChanges<Todo> #1", "ResponseTodoViewModel #1",
        "ResponseChangedTodoViewModels #1",
      ]
    )
  }

  @Test func `S97 of several todos three are named`() throws {
    var request = RequestDeleteTodoViewModel()
    request.id = try references("1", "2", "3", "4")
    #expect(
      try subjects(request) == [
        "RequestDeleteTodoViewModel #1 #2 #3 …", "RequestRecords<Todo> #1 #2 #3 …",
        "ResponseRecords<Todo> #1 #2 #3 …", "RequestWriteRecords<Todo> #1 #2 #3 …",
        "ResponseWriteRecords<Todo> #1 #2 #3 …", "ResponseRecordChanges<Todo> #1 #2 #3 …",
        "ResponseTodoViewModel #1 #2 #3 …", "ResponseChangedTodoViewModels #1 #2 #3 …",
      ]
    )
    request.id = try references("1", "2", "3")
    #expect(request.subject == "#1 #2 #3")
  }

  @Test func `S97 a list names the first of what it lists`() throws {
    #expect(
      try subjects(RequestTodoViewModels()) == [
        "RequestTodoViewModels -", "RequestRecords<Todo> -", "ResponseRecords<Todo> #4 #3 #2 …",
        "ResponseTodoViewModels #4 #3 #2 …",
      ]
    )
  }

  @Test func `S97 a failure names whom it is about`() throws {
    var request = RequestTodoDetailViewModel()
    request.id = try references("99")
    #expect(
      try subjects(request) == [
        "RequestTodoDetailViewModel #99", "RequestRecords<Todo> #99", "ResponseRecords<Todo> #99",
        "ResponseTodoDetailViewModel #99",
      ]
    )
    #expect(ResponseTodo(.failure(Failure(.conflict, "x", id: 3))).subject == "#3")
    #expect(ResponseTodo(.failure(Failure(.store, "x"))).subject == nil)
    #expect(ResponseTodoViewModel(.failure(Failure(.validation, "x"))).subject == nil)
  }

  @Test func `S97 a detail is about its todo, once it is stored`() throws {
    let new = TodoDetailViewModel(.test(1))
    #expect(RequestUpdateDetailViewModel(new).subject == nil)
    let detail = TodoDetailViewModel(.test(1, number: 7))
    #expect(RequestUpdateDetailViewModel(detail).subject == "#7")
    #expect(ResponseUpdateDetailViewModel(.success(detail)).subject == "#7")
    #expect(ResponseTodoDetailViewModel(.success(TodoDetailGroup(detail))).subject == "#7")
  }

  @Test func `S97 an external change is named, too, and no title is`() {
    let todo = Todo.test(1, "Secret", number: 7)
    let change = ResponseRecordChanges([todo.written()], externalOrigin: "cli")
    #expect(change.subject == "#7")
    #expect(ResponseTodos(.success([todo])).subject == "#7")
    #expect(ResponseTodos(.success([])).subject == nil)
  }
}
