import Completing
import JSONText
import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct ViewModelServerTests {
  private let milk = Todo.test(1, number: 1, revision: 1)

  private func open(_ revision: Int) -> Kept<Todo> { .test(1, number: 1, revision: revision) }
  private func done(_ revision: Int) -> Kept<Todo> {
    .test(1, number: 1, revision: revision) { $0.completedAt = .start }
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(
      sending: [
        RequestAddTodo(), RequestTodoViewModels(), RequestCompleteTodo(), RequestMoveTodo(),
      ]
    ) { ViewModelServer() }
  }

  @Test func `S13 whoever answers one of its requests, too, is found out at the start`() {
    let context = AppContext()
    context.add(ViewModelServer(), Rival())
    #expect(
      throws: ConfigurationError(problems: [
        "RequestAddTodo is answered by both 'view-models' and 'rival'"
      ])
    ) {
      try context.check()
    }
  }

  private struct Rival: Plugin {
    let name = "rival"
    func join(_ stream: EventStream) {
      stream.answer(RequestAddTodo.self) { _, _ in .changed(isList: true) }
    }
  }

  // MARK: Lists

  @Test func `S20 a list is asked of the models, one to one`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    app.test.send(RequestTodoViewModels())
    app.test.expect(
      RequestReadTodos(
        Query().where(.equals(\.deleted, false)).sorted(by: \.createdAt, descending: true)
          .newestFirst()
      )
    )
    let (bread, milk) = (Todo.test(2, "Bread", number: 2, revision: 2), milk)
    app.test.expect(ResponseTodos.todos(bread, milk))
    app.test.expect(ResponseTodoViewModels.todos(bread, milk))
    app.test.done()
  }

  @Test func `S35 the list drops the deleted, and keeps the order of the models`() throws {
    let app = try Application()
    app.add("Milk", "Bread", "Rye")
    app.prepare(RequestDeleteTodoViewModel.delete(.number(2)))
    #expect(
      app.reply(RequestTodoViewModels())
        == .success(
          TodoListViewModel([
            Todo.test(3, "Rye", number: 3, revision: 3).viewModel, milk.viewModel,
          ])
        )
    )
  }

  @Test func `S37 the deleted can be listed, and restored`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    app.prepare(RequestDeleteTodoViewModel.delete(.number(1)))
    func numbers(_ parameters: JSON) throws -> [Int]? {
      try app.reply(RequestTodoViewModels.list(parameters))?.get().rows.map(\.number)
    }
    #expect(try numbers(["deleted": true]) == [1])
    #expect(try numbers(["all": true]) == [2, 1])
    app.prepare(RequestRestoreTodo.restore(.number(1)))
    #expect(try numbers([:]) == [2, 1])
  }

  @Test func `S36 a list's options become the query of the models`() throws {
    let test = TestContext()
    test.add(ViewModelServer())
    test.stream.answer(RequestReadTodos.self) { _, _ in [] }
    test.send(
      RequestTodoViewModels.list([
        "words": ["milk"], "done": true, "deleted": true, "tags": ["home", "shop"],
        "project": "errands", "priority": "high", "dueBefore": "2026-12-01",
        "dueAfter": "today", "sort": "-due", "limit": 3,
      ])
    )
    var query = Query<Todo>().where(.equals(\.deleted, true)).where(.not(.isNil(\.completedAt)))
    for tag in ["home", "shop"] { query = query.where(.has(\.tags, tag)) }
    query = query.where(.equals(\.project, "errands")).where(.equals(\.priority, .high))
      .where(.less(\.due, than: CivilTime("2026-12-01")))
      .where(.atLeast(\.due, CivilTime("2025-11-21"))).where(.contains("milk"))
      .sorted(by: \.due, descending: true).sorted(by: \.priority, descending: true).newestFirst()
      .first(3)
    test.expect(RequestReadTodos(query))
    test.skip()
    test.send(
      RequestTodoViewModels.list(["open": true, "all": true])
    )
    query = Query().where(.isNil(\.completedAt)).sorted(by: \.createdAt, descending: true)
      .newestFirst()
    test.expect(RequestReadTodos(query))
    test.skip()
  }

  // MARK: Changes of one todo

  @Test func `S21 toggling completes, then reopens`() throws {
    let app = try Application()
    app.add("Milk")
    app.test.now = Instant(milliseconds: 1_763_632_900_000)
    let completed = Todo.test(1, number: 1, revision: 2) { $0.completedAt = app.test.now }
    app.test.send(RequestToggleCompleteTodoViewModel(milk.viewModel))
    app.test.expect(RequestWriteTodo([.put(1, completed.value, seen: 1)]))
    app.test.expect(ResponseTodo.written(completed.written(from: milk)))
    app.test.expect(ResponseRecordChanges([completed.written(from: milk)]))
    app.test.expect(ResponseTodoViewModel.todo(completed))
    app.test.expect(ResponseChangedTodoViewModels.todos(completed.written(from: milk)))
    app.test.send(RequestToggleCompleteTodoViewModel(completed.viewModel))
    app.test.expect(RequestWriteTodo([.put(1, milk.value, seen: 2)]))
    app.test.expect(ResponseTodo.written(open(3).written(from: completed)))
    app.test.expect(ResponseRecordChanges([open(3).written(from: completed)]))
    app.test.expect(ResponseTodoViewModel.todo(open(3)))
    app.test.expect(ResponseChangedTodoViewModels.todos(open(3).written(from: completed)))
    app.test.done()
  }

  @Test func `S21 toggling by reference reads what that means`() throws {
    let app = try Application()
    app.add("Milk")
    app.test.send(RequestToggleCompleteTodoViewModel.toggle(.number(1)))
    app.test.expect(RequestReadTodos.self)
    app.test.expect(ResponseTodos.todos(milk))
    app.test.expect(RequestWriteTodo([.put(1, done(2).value, seen: 1)]))
    app.test.expect(ResponseTodo.written(done(2).written(from: milk)))
    app.test.skip()
  }

  @Test func `S22 deleting flags the todo`() throws {
    let app = try Application()
    app.add("Milk")
    let deleted = Todo.test(1, number: 1, revision: 2) { $0.deleted = true }
    app.test.send(RequestDeleteTodoViewModel(milk.viewModel))
    app.test.expect(RequestWriteTodo([.put(1, deleted.value, seen: 1)]))
    app.test.expect(ResponseTodo.written(deleted.written(from: milk)))
    app.test.expect(ResponseRecordChanges([deleted.written(from: milk)]))
    app.test.expect(ResponseTodoViewModel.todo(deleted))
    app.test.expect(ResponseChangedTodoViewModels.todos(deleted.written(from: milk)))
    app.test.done()
  }

  @Test func `S26 what changed nothing is answered, and is no news`() throws {
    let app = try Application()
    app.add("Milk")
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    app.test.send(RequestCompleteTodo.complete(.number(1)))
    app.test.expect(RequestReadTodos.self)
    app.test.expect(ResponseTodos.self)
    app.test.expect(ResponseTodoViewModel.todo(done(2), isChanged: false))
    app.test.done()
  }

  @Test func `S71 a stale view that toggles takes nothing back`() throws {
    let app = try Application()
    app.add("Milk")
    app.prepare(RequestToggleCompleteTodoViewModel(milk.viewModel))
    #expect(
      app.reply(RequestToggleCompleteTodoViewModel(milk.viewModel))
        == .success(.changed(done(2), isChanged: false))
    )
  }

  @Test func `S71 a stale edit of another field is merged, of the same one refused`() throws {
    let app = try Application()
    app.add("Milk")
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") })
    app.prepare(
      RequestEditTodo.edit(1) {
        $0.subtitle = .set("two")
        $0.id.seen = 1
      }
    )
    #expect(try app.stored(1).value.title == "Oat milk")
    #expect(try app.stored(1).value.subtitle == "two")
    let failure = app.failure(
      RequestEditTodo.edit(1) {
        $0.title = .set("Soy milk")
        $0.id.seen = 1
      }
    )
    #expect(
      failure
        == Failure(
          .conflict,
          "Somebody changed the title of #1 meanwhile: you saw 'Milk', now it is 'Oat milk'.",
          field: "title",
          id: 1,
          expected: "Milk",
          actual: "Oat milk"
        )
    )
  }

  @Test func `editing sets, clears, and leaves alone`() throws {
    let app = try Application()
    app.add("Milk")
    let (date, project) = (try When(word: "2026-12-01"), try Project(word: "errands"))
    app.prepare(
      RequestEditTodo.edit(1) {
        $0.subtitle = .set("two")
        $0.priority = .set(.high)
        $0.due = .set(date)
        $0.tags = [Tag("a"), Tag("b"), Tag("a")]
        $0.project = .set(project)
      }
    )
    #expect(
      try app.stored(1)
        == .test(1, number: 1, revision: 2) {
          $0.subtitle = "two"
          $0.priority = .high
          $0.due = CivilTime("2026-12-01")
          $0.tags = ["a", "b"]
          $0.project = "errands"
        }
    )
    app.prepare(
      RequestEditTodo.edit(1) {
        $0.subtitle = .clear
        $0.priority = .clear
        $0.due = .clear
        $0.untags = [Tag("a")]
        $0.project = .clear
      }
    )
    #expect(try app.stored(1) == .test(1, number: 1, revision: 3) { $0.tags = ["b"] })
    app.prepare(
      RequestEditTodo.edit(1) {
        $0.allTags = [Tag("c"), Tag("d")]
        $0.untags = [Tag("d")]
      }
    )
    #expect(try app.stored(1).value.tags == ["c"])
  }

  // MARK: Changes of several todos

  @Test func `several references are one change, and give an array`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    app.test.send(RequestCompleteTodo.complete(.numbers(2, 1, 2)))
    app.test.expect(RequestReadTodos.self)
    let before = Todo.test(2, "Bread", number: 2, revision: 2)
    app.test.expect(ResponseTodos.todos(before, milk))
    let bread = Todo.test(2, "Bread", number: 2, revision: 3) { $0.completedAt = .start }
    app.test.expect(
      RequestWriteTodo([.put(2, bread.value, seen: 2), .put(1, done(4).value, seen: 1)])
    )
    let written = [bread.written(from: before), done(4).written(from: milk)]
    app.test.expect(ResponseTodo(.success(written)))
    app.test.expect(ResponseRecordChanges(written))
    app.test.expect(
      ResponseTodoViewModel(
        .success(
          .changed(bread, done(4), isList: true)
        )
      )
    )
    app.test.expect(ResponseChangedTodoViewModels(written))
    app.test.done()
  }

  @Test func `S40 if one of several fails, none is changed, and the error names it`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    app.prepare(RequestDeleteTodoViewModel.delete(.number(2)))
    #expect(
      app.failure(RequestCompleteTodo.complete(.numbers(1, 2)))
        == Failure(
          .notFound,
          "#2 is deleted; 'restore 2' brings it back.",
          field: "id",
          id: 2
        )
    )
    #expect(
      app.failure(RequestReopenTodo.reopen(.numbers(1, 7)))
        == Failure(.notFound, "There is no todo #7.", field: "id", id: 7)
    )
    #expect(try app.stored(1) == milk)
  }

  @Test func `S37 a deleted todo can be shown, and nothing but restored`() throws {
    let app = try Application()
    app.add("Milk")
    app.prepare(RequestDeleteTodoViewModel.delete(.number(1)))
    let refusal = Failure(
      .notFound,
      "#1 is deleted; 'restore 1' brings it back.",
      field: "id",
      id: 1
    )
    #expect(app.failure(RequestDeleteTodoViewModel.delete(.number(1))) == refusal)
    #expect(app.failure(RequestToggleCompleteTodoViewModel.toggle(.number(1))) == refusal)
    #expect(app.failure(RequestCompleteTodo.complete(.number(1))) == refusal)
    #expect(app.failure(RequestReopenTodo.reopen(.number(1))) == refusal)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") }) == refusal)
    let deleted = Todo.test(1, number: 1, revision: 2) { $0.deleted = true }
    #expect(
      app.reply(RequestTodoDetailViewModel.show(.number(1)))
        == .success(TodoDetailGroup(TodoDetailViewModel(deleted)))
    )
    #expect(
      app.reply(RequestRestoreTodo.restore(.number(1)))
        == .success(.changed(open(3)))
    )
  }

  // MARK: Details

  @Test func `S23 a new detail shows a fresh todo that nobody has stored`() throws {
    let app = try Application()
    app.test.send(RequestNewTodoDetailViewModel())
    let detail = try app.test.expect(ResponseTodoDetailViewModel.self)?.result.get().details[0]
    app.test.done()
    #expect(detail == TodoDetailViewModel(.test(1, "")))
    #expect(detail?.isNew == true)
    #expect(try app.storedTitles() == [])
    app.test.send(RequestNewTodoDetailViewModel())
    app.test.expect(ResponseTodoDetailViewModel.todo(.test(2, "")))
  }

  @Test func `S24 the detail of a todo is asked of the models, one to one`() throws {
    let app = try Application()
    app.add("Milk")
    app.test.send(RequestTodoDetailViewModel(milk.viewModel))
    app.test.expect(RequestReadTodos(RecordReference(milk.value.uuid)))
    app.test.expect(ResponseTodos.todos(milk))
    app.test.expect(ResponseTodoDetailViewModel.todo(milk))
    app.test.done()
  }

  private func edited(
    _ todo: Kept<Todo>,
    _ edit: (inout TodoDetailViewModel) -> Void
  )
    -> TodoDetailViewModel
  {
    var detail = TodoDetailViewModel(todo)
    edit(&detail)
    return detail
  }

  @Test func `S25 a valid update is confirmed, and then also answered by the todo`() throws {
    let app = try Application()
    app.add("Milk")
    app.test.send(RequestUpdateDetailViewModel(edited(milk) { $0.title = "Oat milk" }))
    let confirmed = try app.test.expect(ResponseUpdateDetailViewModel.self)?.result.get()
    #expect(confirmed?.title == "Oat milk")
    #expect(confirmed?.shouldSave == true)
    let written = Todo.test(1, "Oat milk", number: 1, revision: 2)
    app.test.expect(RequestWriteTodo([.put(1, written.value, seen: 1)]))
    app.test.expect(ResponseTodo.written(written.written(from: milk)))
    app.test.expect(ResponseRecordChanges([written.written(from: milk)]))
    app.test.expect(ResponseTodoViewModel.todo(written))
    app.test.expect(ResponseChangedTodoViewModels.todos(written.written(from: milk)))
    app.test.done()
  }

  @Test func `S25 an invalid update is refused, and nothing else happens`() throws {
    let app = try Application()
    app.add("Milk")
    app.test.send(RequestUpdateDetailViewModel(edited(milk) { $0.title = "" }))
    app.test.expect(
      ResponseUpdateDetailViewModel(
        .failure(Failure(.validation, "Please add a title.", field: "title"))
      )
    )
    app.test.done()
  }

  @Test func `S25 an update that can't be stored says why`() throws {
    let app = try Application()
    app.add("Milk")
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") })
    app.test.send(RequestUpdateDetailViewModel(edited(milk) { $0.title = "Soy milk" }))
    app.test.expect(ResponseUpdateDetailViewModel.self)
    app.test.expect(RequestWriteTodo.self)
    app.test.expect(ResponseTodo.self)
    app.test.expect(
      ResponseTodoViewModel(
        .failure(
          Failure(
            .conflict,
            "Somebody changed the title of #1 meanwhile: you saw 'Milk', now it is 'Oat milk'.",
            field: "title",
            id: 1,
            expected: "Milk",
            actual: "Oat milk"
          )
        )
      )
    )
    app.test.done()
  }

  @Test func `S49 a view that says success itself saves nothing`() throws {
    let app = try Application()
    app.test.send(ResponseUpdateDetailViewModel(.success(edited(.test(1)) { $0.title = "Forged" })))
    app.test.done()
    #expect(try app.storedTitles() == [])
  }

  @Test func `S50 a new todo and an edited one take the same path`() throws {
    let app = try Application()
    app.test.send(RequestUpdateDetailViewModel(edited(.test(1, "")) { $0.title = "Milk" }))
    app.test.expect(ResponseUpdateDetailViewModel.self)
    app.test.expect(RequestWriteTodo([.upsert(milk.value)]))
    app.test.expect(ResponseTodo.written(milk.written()))
    app.test.expect(ResponseRecordChanges([milk.written()]))
    app.test.expect(ResponseTodoViewModel.todo(milk))
    app.test.expect(ResponseChangedTodoViewModels.todos(milk.written()))
    app.test.send(RequestUpdateDetailViewModel(edited(milk) { $0.priority = .high }))
    app.test.expect(ResponseUpdateDetailViewModel.self)
    let high = Todo.test(1, number: 1, revision: 2) { $0.priority = .high }
    app.test.expect(RequestWriteTodo([.put(1, high.value, seen: 1)]))
    app.test.expect(ResponseTodo.written(high.written(from: milk)))
    app.test.expect(ResponseRecordChanges([high.written(from: milk)]))
    app.test.expect(ResponseTodoViewModel.todo(high))
    app.test.expect(ResponseChangedTodoViewModels.todos(high.written(from: milk)))
    app.test.done()
  }

  @Test func `S50 neither a new todo nor an edited one is stored without a title`() throws {
    let app = try Application()
    app.add("Milk")
    for detail in [edited(.test(2, "")) { $0.title = " " }, edited(milk) { $0.title = "" }] {
      app.test.skip()
      app.test.send(RequestUpdateDetailViewModel(detail))
      app.test.expect(
        ResponseUpdateDetailViewModel(
          .failure(Failure(.validation, "Please add a title.", field: "title"))
        )
      )
      app.test.done()
    }
    #expect(try app.storedTitles() == ["Milk"])
  }

  @Test func `S69 saving a complete todo keeps the time at which it was completed`() throws {
    let app = try Application()
    app.add("Milk")
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    app.test.now = app.test.now.adding(milliseconds: 60_000)
    app.prepare(RequestUpdateDetailViewModel(edited(done(2)) { $0.subtitle = "two" }))
    #expect(
      try app.stored(1)
        == .test(1, number: 1, revision: 3) {
          $0.subtitle = "two"
          $0.completedAt = .start
        }
    )
  }

  // MARK: Servers alone and together

  @Test func `S54 alone, it turns a toggle into a write that completes`() throws {
    let test = TestContext()
    test.add(ViewModelServer())
    test.send(RequestToggleCompleteTodoViewModel(milk.viewModel))
    test.expect(RequestWriteTodo([.put(1, done(2).value, seen: 1)]))
    let unanswered = test.expect(ResponseUnanswered.self)
    #expect(unanswered?.request == "RequestWriteRecords<Todo>")
    test.expect(
      ResponseTodoViewModel(.failure(Failure(.unanswered, "Nobody answered the request.")))
    )
    test.done()
  }

  @Test func `S54 alone, it answers a request for a new detail`() {
    let test = TestContext()
    test.add(ViewModelServer())
    test.send(RequestNewTodoDetailViewModel())
    test.expect(ResponseTodoDetailViewModel.todo(.test(1, "")))
    test.done()
  }

  @Test func `S55 between a toggle and its answer there are exactly two events`() throws {
    let app = try Application()
    app.add("Milk")
    app.test.send(RequestToggleCompleteTodoViewModel(milk.viewModel))
    app.test.expect(RequestWriteTodo.self)
    app.test.expect(ResponseTodo.self)
    // What has changed is stated beside the answer, and is no step on the way to it.
    app.test.expect(ResponseRecordChanges<Todo>.self)
    let answer = try app.test.expect(ResponseTodoViewModel.self)?.result.get().viewModels[0]
    #expect(answer?.uuid == milk.value.uuid)
    #expect(answer?.complete == true)
    app.test.skip()
  }

  @Test func `S56 a handler turns one event into one event`() throws {
    let app = try Application()
    app.test.send(RequestTodoViewModels())
    var causes = [app.test.envelope?.cause]
    app.test.expect(RequestReadTodos.self)
    causes.append(app.test.envelope?.cause)
    app.test.expect(ResponseTodos.self)
    causes.append(app.test.envelope?.cause)
    app.test.expect(ResponseTodoViewModels.self)
    causes.append(app.test.envelope?.cause)
    app.test.done()
    #expect(causes == [nil, 1, 2, 3])
  }

  @Test(arguments: Handling.all)
  func `S56 each handler turns an event into one event, and the same one into the same`(
    _ handling: Handling
  ) throws {
    let runs = try (1...2)
      .map { _ in
        let app = try Application()
        app.add("Bread", "Milk")
        var (names, steps, events): ([UInt64: String], [String], [String]) = ([:], [], [])
        app.test.stream.observeAll { event, turn in
          let name = type(of: event).name
          names[turn.sequence] = name
          steps.append((turn.cause.map { "\(names[$0] ?? "?") > " } ?? "") + name)
          events.append("\(event)")
        }
        app.prepare(handling.event)
        return (steps, events)
      }
    #expect(runs[0].0 == handling.steps)
    #expect(runs[0].1 == runs[1].1)
  }

  @Test func `S56 the same event twice has the same effect on the stream`() {
    let test = TestContext()
    test.add(ViewModelServer())
    for _ in 1...2 {
      test.send(RequestDeleteTodoViewModel(milk.viewModel))
      test.expect(RequestWriteTodo.self)
      test.expect(ResponseUnanswered.self)
      test.expect(
        ResponseTodoViewModel(.failure(Failure(.unanswered, "Nobody answered the request.")))
      )
      test.done()
    }
  }

  @Test func `S73 the server goes with its context`() {
    weak var server: ViewModelServer?
    do {
      let context = AppContext()
      let made = ViewModelServer()
      server = made
      context.add(made)
      context.stream.send(RequestTodoViewModels())
      context.stream.send(RequestUpdateDetailViewModel(TodoDetailViewModel(.test(1))))
    }
    #expect(server == nil)
  }

  @Test func `S73 its closures don't keep it`() {
    let stream = EventStream()
    weak var server: ViewModelServer?
    do {
      let made = ViewModelServer()
      server = made
      made.join(stream)
      stream.send(RequestTodoViewModels())
    }
    #expect(server == nil)
  }
}

/// An event that views send, and what each event on the way to its answer is turned into.
struct Handling: Sendable, CustomTestStringConvertible {
  let event: any ViewModelEvent
  let steps: [String]

  var testDescription: String { type(of: event).name }

  private static let milk = Todo.test(2, number: 2, revision: 2)

  /// From the models' write on: they answer, and state beside it what has changed.
  private static let written = [
    "RequestWriteRecords<Todo> > ResponseWriteRecords<Todo>",
    "RequestWriteRecords<Todo> > ResponseRecordChanges<Todo>",
    "ResponseWriteRecords<Todo> > ResponseTodoViewModel",
    "ResponseRecordChanges<Todo> > ResponseChangedTodoViewModels",
  ]

  private static func write(_ event: any ViewModelEvent, _ name: String) -> Handling {
    Handling(event: event, steps: [name, "\(name) > RequestWriteRecords<Todo>"] + written)
  }

  /// One that needs to know what is there.
  private static func edit(_ event: any ViewModelEvent, _ name: String) -> Handling {
    Handling(
      event: event,
      steps: [
        name, "\(name) > RequestRecords<Todo>", "RequestRecords<Todo> > ResponseRecords<Todo>",
        "ResponseRecords<Todo> > RequestWriteRecords<Todo>",
      ] + written
    )
  }

  static let all = [
    Handling(
      event: RequestTodoViewModels(),
      steps: [
        "RequestTodoViewModels", "RequestTodoViewModels > RequestRecords<Todo>",
        "RequestRecords<Todo> > ResponseRecords<Todo>",
        "ResponseRecords<Todo> > ResponseTodoViewModels",
      ]
    ),
    Handling(
      event: RequestTodoDetailViewModel.show(.number(1)),
      steps: [
        "RequestTodoDetailViewModel", "RequestTodoDetailViewModel > RequestRecords<Todo>",
        "RequestRecords<Todo> > ResponseRecords<Todo>",
        "ResponseRecords<Todo> > ResponseTodoDetailViewModel",
      ]
    ),
    Handling(
      event: RequestTodoCounts(),
      steps: [
        "RequestTodoCounts", "RequestTodoCounts > RequestRecordCounts<Todo>",
        "RequestRecordCounts<Todo> > ResponseRecordCounts<Todo>",
        "ResponseRecordCounts<Todo> > ResponseTodoCounts",
      ]
    ),
    Handling(
      event: RequestNewTodoDetailViewModel(),
      steps: [
        "RequestNewTodoDetailViewModel",
        "RequestNewTodoDetailViewModel > ResponseTodoDetailViewModel",
      ]
    ),
    Handling(
      event: RequestUpdateDetailViewModel(TodoDetailViewModel(new: Todo.test(3, "Jam").value)),
      steps: [
        "RequestUpdateDetailViewModel",
        "RequestUpdateDetailViewModel > ResponseUpdateDetailViewModel",
        "ResponseUpdateDetailViewModel > RequestWriteRecords<Todo>",
      ] + written
    ),
    write(RequestAddTodo.add("Jam"), "RequestAddTodo"),
    write(RequestMoveTodo.move(1, .before, 2), "RequestMoveTodo"),
    write(
      RequestToggleCompleteTodoViewModel(milk.viewModel),
      "RequestToggleCompleteTodoViewModel"
    ),
    write(RequestDeleteTodoViewModel(milk.viewModel), "RequestDeleteTodoViewModel"),
    edit(RequestEditTodo.edit(1) { $0.title = .set("Rye") }, "RequestEditTodo"),
    edit(RequestCompleteTodo.complete(.number(2)), "RequestCompleteTodo"),
  ]
}
