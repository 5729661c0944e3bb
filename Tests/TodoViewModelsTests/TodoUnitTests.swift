import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct TodoUnitTests {
  private let milk = Todo.test(1, number: 1, revision: 1)

  private func unit(_ app: Application, _ mode: StreamUnit.Mode) -> StreamUnit? {
    var unit: StreamUnit?
    app.test.stream.begin(mode) { result, _ in unit = try? result.get() }
    return unit
  }

  @Test func `a unit that is kept shows its changes at its end, and to nobody before`() throws {
    let app = try Application()
    let unit = unit(app, .allOrNothing)
    app.test.expect(RequestUnit.self)
    unit?.request(RequestAddTodo.add("Milk")) { _, _ in }
    app.test.expect(RequestAddTodo.add("Milk"))
    app.test.expect(RequestWriteTodo([.add(Todo.test(1).value)]))
    app.test.expect(ResponseTodo.written(milk.written()))
    app.test.expect(ResponseTodoViewModel.todo(milk))
    app.test.done()
    #expect(try app.storedTitles() == [])
    unit?.commit { _, _ in }
    #expect(app.test.expect(ResponseUnit.self)?.outcome == .committed)
    app.test.expect(ResponseRecordChanges([milk.written()]))
    app.test.expect(ResponseChangedTodoViewModels.todos(milk.written()))
    app.test.done()
    #expect(try app.storedTitles() == ["Milk"])
  }

  @Test func `a unit that is taken back leaves nothing and says nothing`() throws {
    let app = try Application()
    let unit = unit(app, .allOrNothing)
    unit?.request(RequestAddTodo.add("Milk")) { _, _ in }
    app.test.skip()
    unit?.rollBack { _, _ in }
    #expect(app.test.expect(ResponseUnit.self)?.outcome == .rolledBack)
    app.test.done()
    #expect(try app.storedTitles() == [])
    #expect(
      app.reply(RequestAddTodo.add("Bread"))
        == .success(.changed(Todo.test(2, "Bread", number: 1, revision: 1)))
    )
  }

  @Test func `a rehearsal shows what would be, and takes it back`() throws {
    let app = try Application()
    app.add("Milk")
    let unit = unit(app, .rehearse)
    var shown: [String] = []
    unit?.request(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") }) { _, _ in }
    unit?
      .request(RequestTodoViewModels()) { result, _ in
        let list = try? result.get().result.get()
        shown = list?.rows.map(\.title) ?? []
      }
    unit?.commit { _, _ in }
    app.test.skip()
    #expect(shown == ["Oat milk"])
    #expect(try app.storedTitles() == ["Milk"])
    #expect(try app.stored(1).revision == 1)
  }

  @Test func `meanwhile others read what is committed, and their writes wait`() throws {
    let app = try Application()
    app.add("Milk")
    let unit = unit(app, .allOrNothing)
    unit?.request(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") }) { _, _ in }
    app.test.skip()
    let (reader, writer) = (app.test.app.port(named: "reader"), app.test.app.port(named: "writer"))
    #expect(
      try app.reply(RequestTodoViewModels(), in: reader)?.get().rows.map(\.title) == ["Milk"]
    )
    var log: [String] = []
    writer.request(RequestEditTodo.edit(1) { $0.subtitle = .set("two") }) { _, _ in
      log.append("written")
    }
    unit?.commit { _, _ in log.append("kept") }
    app.test.skip()
    #expect(log == ["kept", "written"])
    #expect(try app.stored(1).value.title == "Oat milk")
    #expect(try app.stored(1).value.subtitle == "two")
  }

  @Test func `labels of a unit are not completed before it is kept`() throws {
    let app = try Application()
    let unit = unit(app, .allOrNothing)
    unit?.request(RequestAddTodo.add("Milk") { $0.tags = [Tag("home")] }) { _, _ in }
    app.test.skip()
    #expect(app.reply(RequestFieldCandidates("todo", "tags", prefix: "")) == .success([]))
    unit?.commit { _, _ in }
    app.test.skip()
    #expect(
      app.reply(RequestFieldCandidates("todo", "tags", prefix: "")) == .success([.init("home")])
    )
  }

  @Test func `names that a unit gave go with it when it is taken back`() throws {
    let app = try Application()
    let port = app.test.app.port(named: "cli")
    _ = app.reply(RequestAddTodo.add("Milk") { $0.alias = "it" }, in: port)
    for outcome in [ResponseUnit.Outcome.rolledBack, .committed] {
      port.begin(.allOrNothing) { result, _ in
        guard let unit = try? result.get() else { return }
        unit.request(RequestAddTodo.add("Bread") { $0.alias = "it" }) { _, _ in
          outcome == .committed ? unit.commit { _, _ in } : unit.rollBack { _, _ in }
        }
      }
      app.test.skip()
      for reference in [RecordReference.last, .named("it")] {
        let shown = app.reply(RequestTodoDetailViewModel.show(Target(reference)), in: port)
        #expect(
          try shown?.get().details.map(\.title) == (outcome == .committed ? ["Bread"] : ["Milk"])
        )
      }
    }
  }

  @Test func `a failure inside a unit leaves it to the unit what becomes of the rest`() throws {
    let app = try Application()
    let unit = unit(app, .allOrNothing)
    var failures: [String] = []
    for request in [
      RequestAddTodo.add("Milk"), RequestAddTodo.add(""), RequestAddTodo.add("Bread"),
    ] {
      unit?
        .request(request) { result, _ in
          if case .success(let response) = result, case .failure(let failure) = response.result {
            failures.append(failure.message)
          }
        }
    }
    unit?.commit { _, _ in }
    app.test.skip()
    #expect(failures == ["Please add a title."])
    #expect(try app.storedTitles() == ["Bread", "Milk"])
  }

  @Test func `where each stands for itself, each is kept at once`() throws {
    let app = try Application()
    let unit = unit(app, .keepGoing)
    unit?.request(RequestAddTodo.add("Milk")) { _, _ in }
    app.test.skip()
    #expect(try app.storedTitles() == ["Milk"])
    unit?.rollBack { _, _ in }
    app.test.skip()
    #expect(try app.storedTitles() == ["Milk"])
  }
}
