import RecordCommands
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing
import TodoModels
import TodoViewModels

@testable import EventRecords

@Suite(.hangLimit) struct FailureTests {
  /// What a person reads when the models answer with an error.
  private func failure(_ error: RecordError) -> Failure? {
    let test = TestContext()
    test.add(ViewModelServer())
    test.stream.answer(RequestReadTodos.self) { _, _ in throw Failure(error) }
    let answer = test.request(RequestCompleteTodo.complete(.number(1)))
    test.skip()
    guard case .success(let response) = answer, case .failure(let failure) = response.result else {
      return nil
    }
    return failure
  }

  // MARK: Errors of the models

  @Test func `of many todos that are meant five are named`() {
    func message(_ numbers: [Int]) -> String? {
      failure(.ambiguous(.identity("6f1c"), kind: "todo", numbers))?.message
    }
    #expect(
      message([1, 2, 3, 4, 5])
        == "6f1c could be #1, #2, #3, #4, #5; give more of the UUID, or the number."
    )
    #expect(
      message([1, 2, 3, 4, 5, 6])
        == "6f1c could be #1, #2, #3, #4, #5 or more; give more of the UUID, or the number."
    )
  }

  @Test func `a conflict over a long text quotes its beginning, and carries all of it`() {
    let long = String(repeating: "x", count: 100_000)
    let conflict = failure(
      .conflict(9, field: "subtitle", expected: .string(long), actual: "", isPlace: false)
    )
    #expect(
      conflict?.message
        == "Somebody changed the subtitle of #9 meanwhile: you saw "
        + "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', now it is none."
    )
    #expect(conflict?.expected == .text(long))
  }

  @Test func `S39 a model error becomes words for a person`() {
    let id = UniqueID(high: 0x4000, low: 0x8000_0000_0000_0001)
    #expect(
      failure(.unknown(.identity("6f1c"), kind: "todo"))
        == Failure(.notFound, "There is no todo 6f1c.", field: "id")
    )
    #expect(
      failure(.unknown(RecordReference(id), kind: "todo"))
        == Failure(
          .notFound,
          "There is no todo 00000000-0000-4000-8000-000000000001.",
          field: "id"
        )
    )
    #expect(
      failure(.ambiguous(.identity("6f1c"), kind: "todo", [3, 14]))
        == Failure(
          .ambiguous,
          "6f1c could be #3, #14; give more of the UUID, or the number.",
          field: "id"
        )
    )
  }

  @Test func `S40 an error names its subject`() {
    #expect(
      failure(.notFound(9, kind: "todo"))
        == Failure(.notFound, "There is no todo #9.", field: "id", id: 9)
    )
    #expect(
      failure(.conflict(9, field: "due", expected: .null, actual: "2026-12-01", isPlace: false))
        == Failure(
          .conflict,
          "Somebody changed the due of #9 meanwhile: you saw none, now it is '2026-12-01'.",
          field: "due",
          id: 9,
          expected: .json("null"),
          actual: "2026-12-01"
        )
    )
    #expect(
      failure(.unseen(1, revision: 9))
        == Failure(
          .conflict,
          "Nobody can have seen #1 at revision 9 of this store; read it again.",
          field: "expectedRevision",
          id: 1
        )
    )
  }

  @Test func `S41 one observer handles success and failure in one block`() throws {
    let app = try Application()
    app.add("Milk")
    var log: [String] = []
    app.test.app.port(named: "view")
      .on(ResponseTodoViewModel.self) { response, _ in
        switch response.result {
        case .success(let group): log.append("changed \(group.viewModels.map(\.title))")
        case .failure(let failure): log.append(failure.message)
        }
      }
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    app.prepare(RequestCompleteTodo.complete(.number(2)))
    app.prepare(RequestReopenTodo.reopen(.number(1)))
    #expect(log == ["changed [\"Milk\"]", "There is no todo #2.", "changed [\"Milk\"]"])
  }

  @Test func `S68 requests are answered after an error as before it`() throws {
    let app = try Application()
    for _ in 1...3 {
      #expect(
        app.failure(RequestAddTodo.add(""))
          == Failure(.validation, "Please add a title.", field: "title")
      )
      #expect(
        app.failure(RequestTodoDetailViewModel.show(.number(1)))
          == Failure(.notFound, "There is no todo #1.", field: "id", id: 1)
      )
    }
    #expect(
      app.reply(RequestAddTodo.add("Milk"))
        == .success(.changed(Todo.test(1, number: 1, revision: 1)))
    )
  }

  @Test func `S72 a damaged todo is a failure that says so`() {
    let damaged = Failure(.store, "The todo #1 can't be read: 'priority': no value has the rank 9.")
    let test = TestContext()
    test.add(ViewModelServer())
    test.stream.answer(RequestReadTodos.self) { _, _ in throw damaged }
    test.send(RequestTodoViewModels())
    test.expect(RequestReadTodos.self)
    test.expect(ResponseTodos(.failure(damaged)))
    test.expect(ResponseTodoViewModels(.failure(damaged)))
  }

  // MARK: Rules of the domain

  private let noTitle = Failure(.validation, "Please add a title.", field: "title")
  private let longTitle = Failure(
    .validation,
    "A title is one line; put the rest into the subtitle.",
    field: "title"
  )

  @Test(arguments: ["", " ", "\t\u{A0}\u{3000}", "\n"])
  func `S70 a title of white space is no title`(title: String) throws {
    let app = try Application()
    app.add("Milk")
    #expect(app.failure(RequestAddTodo.add(title)) == noTitle)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.title = .set(title) }) == noTitle)
    var detail = TodoDetailViewModel(.test(1, number: 1, revision: 1))
    detail.title = title
    #expect(app.failure(RequestUpdateDetailViewModel(detail)) == noTitle)
    #expect(try app.stored(1).value.title == "Milk")
  }

  @Test func `a title never clears`() throws {
    let app = try Application()
    app.add("Milk")
    #expect(app.failure(RequestEditTodo.edit(1) { $0.title = .clear }) == noTitle)
  }

  @Test(arguments: ["a\nb", "a\r\nb", "a\u{2028}b", "a\u{85}b"])
  func `a title is one line`(title: String) throws {
    let app = try Application()
    app.add("Milk")
    #expect(app.failure(RequestAddTodo.add(title)) == longTitle)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.title = .set(title) }) == longTitle)
  }

  @Test(arguments: ["", "  ", "a\nb"])
  func `a label is one line and not empty`(label: String) throws {
    let app = try Application()
    app.add("Milk")
    let noTag = Failure(.validation, "A tag is one line and not empty.", field: "tags")
    let noProject = Failure(
      .validation,
      "A project's name is one line and not empty.",
      field: "project"
    )
    let project = try Project(word: label)
    #expect(app.failure(RequestAddTodo.add("Milk") { $0.tags = [Tag(label)] }) == noTag)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.tags = [Tag(label)] }) == noTag)
    #expect(app.failure(RequestAddTodo.add("Milk") { $0.project = .set(project) }) == noProject)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.project = .set(project) }) == noProject)
  }

  @Test func `a date beyond the calendar is no date, and names its field`() throws {
    let app = try Application()
    let far = try When(word: "+4000000d")
    let message = "The date is outside the years 1 to 9999."
    #expect(
      app.failure(RequestAddTodo.add("Milk") { $0.due = .set(far) })
        == Failure(.validation, message, field: "due")
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["dueBefore": "+4000000d"]))
        == Failure(.validation, message, field: "dueBefore")
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["dueAfter": "+4000000d"]))
        == Failure(.validation, message, field: "dueAfter")
    )
  }

  @Test func `S102 the middle layer validates: nothing invalid reaches the models`() throws {
    let app = try Application()
    app.test.send(RequestAddTodo.add(" "))
    app.test.expect(ResponseTodoViewModel(.failure(noTitle)))
    app.test.send(RequestEditTodo.edit(1) { $0.title = .set("") })
    app.test.expect(ResponseTodoViewModel(.failure(noTitle)))
    app.test.done()
  }
}
