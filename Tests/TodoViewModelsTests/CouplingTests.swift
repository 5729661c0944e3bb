import RecordCommands
import EventRecords
import EventMVVM
import EventMVVMTesting
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct CouplingTests {
  // MARK: Replacing a part

  /// In the place of both servers.
  private struct CannedServer: Plugin {
    let name = "canned"

    func join(_ stream: EventStream) {
      stream.answer(RequestTodoViewModels.self) { _, _ in
        TodoListViewModel([Todo.test(1).viewModel])
      }
      stream.on(RequestToggleCompleteTodoViewModel.self) { _, turn in
        turn.send(ResponseTodoViewModel.todo(.test(1) { $0.completedAt = .start }))
      }
    }
  }

  /// In the place of the models.
  private struct CannedModels: Plugin {
    let name = "canned"

    func join(_ stream: EventStream) {
      stream.answer(RequestReadTodos.self) { _, _ in [.test(1)] }
      stream.answer(RequestWriteTodo.self) { _, _ in
        [Todo.test(1) { $0.completedAt = .start }.written(from: .test(1))]
      }
    }
  }

  private func drawn(_ test: TestContext) -> [String] {
    let view = ScriptedView(test.app.port(named: "view"))
    view.appear()
    test.skip()
    view.actions(0)[1].use()
    test.skip()
    return view.drawn + view.list.rows.map { "\($0.title) \($0.complete)" }
  }

  @Test func `S9 a view asks for view models, and only their server for todos`() throws {
    let app = try Application()
    let port = app.test.app.port(named: "view")
    var roots: [String] = []
    app.test.stream.observeAll { event, turn in
      if turn.cause == nil { roots.append(type(of: event).name) }
    }
    port.request(RequestTodoViewModels()) { _, _ in }
    app.test.expect(RequestTodoViewModels())
    app.test.expect(RequestReadTodos.self)
    #expect(app.test.envelope?.cause == app.test.envelope?.root.number)
    app.test.expect(ResponseTodos(.success([])))
    app.test.expect(ResponseTodoViewModels(.success(TodoListViewModel())))
    app.test.done()
    #expect(roots == ["RequestTodoViewModels"])
  }

  @Test func `S89 a rig can replace the servers, and the view does not notice`() throws {
    let app = try Application()
    app.add("Milk")
    let canned = TestContext()
    canned.add(CannedServer())
    let models = TestContext()
    models.add(CannedModels(), ViewModelServer())
    #expect(drawn(app.test) == ["all", "reload 0", "Milk true"])
    #expect(drawn(canned) == ["all", "reload 0", "Milk true"])
    #expect(drawn(models) == ["all", "reload 0", "Milk true"])
  }

  @Test func `S89 a rig can replace the view, and the servers do not notice`() throws {
    let app = try Application()
    app.add("Milk")
    #expect(
      app.reply(RequestTodoViewModels(), in: app.test.app.port(named: "rig"))
        == .success(TodoListViewModel([Todo.test(1, number: 1, revision: 1).viewModel]))
    )
  }

  @Test func `S90 reading aside and in turn look alike to the caller`() throws {
    for readsInBackground in [false, true] {
      let app = try Application(isInteractive: readsInBackground)
      app.add("Milk")
      app.test.send(RequestTodoViewModels())
      app.test.expect(RequestReadTodos.self)
      app.test.expect(ResponseTodos.todos(.test(1, number: 1, revision: 1)))
      app.test.expect(ResponseTodoViewModels.todos(.test(1, number: 1, revision: 1)))
      app.test.done()
    }
  }

  @Test func `S90 a store that is asked for the first time aside is empty, not missing`() throws {
    let app = try Application(isInteractive: true)
    #expect(app.reply(RequestTodoViewModels()) == .success(TodoListViewModel()))
  }

  @Test func `S90 an asynchronous model and a synchronous one look alike to the view`() {
    let test = TestContext()
    test.add(ViewModelServer())
    test.stream.answerAsync(RequestReadTodos.self) { _, _ in [.test(1)] }
    test.stream.answerAsync(RequestWriteTodo.self) { _, _ in
      [Todo.test(1) { $0.completedAt = .start }.written(from: .test(1))]
    }
    #expect(drawn(test) == ["all", "reload 0", "Milk true"])
  }

  @Test func `S100 the middle layer works with whatever answers for the models`() {
    let test = TestContext()
    test.add(CannedModels(), ViewModelServer())
    #expect(throws: Never.self) {
      try test.app.check([RequestReadTodos.self, RequestWriteTodo.self, RequestTodoViewModels.self])
    }
    test.send(RequestTodoDetailViewModel.show(.number(1)))
    test.expect(RequestReadTodos.self)
    test.expect(ResponseTodos.todos(.test(1)))
    test.expect(ResponseTodoDetailViewModel.todo(.test(1)))
    test.done()
  }

  // MARK: The first event

  private struct RequestLaunch: ViewModelEvent {}

  @Test func `S101 a view that binds and asks in one breath gets its answer`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    app.test.skip()
    #expect(view.list.rows.map(\.title) == ["Milk"])
  }

  @Test func `S101 a view made inside a handler loses nothing that it asks for there`() throws {
    let app = try Application()
    app.add("Milk")
    var view: ScriptedView?
    app.test.stream.on(RequestLaunch.self) { [weak app] _, _ in
      view = app?.view()
      view?.appear()
    }
    app.prepare(RequestLaunch())
    #expect(view?.list.rows.map(\.title) == ["Milk"])
    #expect(view?.isLoading == false)
  }

  @Test func `S101 a server that joins before the queue goes on still hears the first event`() {
    let test = TestContext()
    let view = ScriptedView(test.app.port(named: "view"))
    test.stream.on(RequestLaunch.self) { [weak test] _, _ in
      test?.add(CannedServer())
      view.appear()
    }
    test.send(RequestLaunch())
    test.skip()
    #expect(view.list.rows.map(\.title) == ["Milk"])
  }

  @Test func `S101 a first event that comes too early is not lost in silence`() {
    let test = TestContext()
    test.send(RequestTodoViewModels())
    #expect(test.expect(ResponseUnanswered.self)?.request == "RequestTodoViewModels")
    test.done()
  }
}
