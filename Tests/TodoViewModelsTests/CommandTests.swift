import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import RecordCommands
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct CommandTests {
  @Test func `the domain brings fifteen commands`() {
    #expect(TodoCommands.group == "todo")
    var catalogue = Catalogue()
    catalogue.add(TodoCommands.group, TodoCommands.commands)
    #expect(
      TodoCommands.commands.map { catalogue.method(of: $0) } == [
        "todo/add", "todo/list", "todo/show", "todo/edit", "todo/toggle", "todo/done",
        "todo/reopen", "todo/skip", "todo/delete", "todo/restore", "todo/count",
        "todo/upcoming", "todo/tags",
        "todo/projects", "todo/move",
      ]
    )
    #expect(catalogue.clashes == [])
  }

  @Test func `each command names all of its properties`() {
    func forgotten<C: Command>(_ command: C.Type) -> [String] {
      command.command.forgotten(in: command.init())
    }
    // What the view showed comes with the view model, and is nobody's to type.
    #expect(TodoCommands.commands.flatMap { forgotten($0) } == [])
  }

  @Test func `each command has somebody who answers it`() throws {
    let app = try Application()
    #expect(throws: Never.self) { try app.test.app.check(TodoCommands.commands) }
  }

  @Test func `reading does not write, everything else may`() {
    #expect(
      TodoCommands.commands.filter { !$0.writes }.map { $0.name } == [
        "RequestTodoViewModels", "RequestTodoDetailViewModel", "RequestTodoCount",
        "RequestUpcomingTodo",
        "RequestTodoTags", "RequestTodoProjects",
      ]
    )
    #expect(!RequestNewTodoDetailViewModel.writes)
    #expect(!RequestSubjectCandidates.writes)
    #expect(!RequestFieldCandidates.writes)
    #expect(!RequestReadTodos.writes)
    #expect(RequestUpdateDetailViewModel.writes)
  }

  @Test func `words make a request`() throws {
    let words = [
      "add", "Buy", "milk", "--priority", "high", "--tag", "home", "--due", "tomorrow", "as",
      "@milk",
    ]
    .enumerated().map { Word(text: $1, offset: $0, isBare: true) }
    var request = RequestAddTodo()
    try RequestAddTodo.command.read(words, from: 1, into: &request)
    #expect(request.alias == "milk")
    #expect(
      try json(request.todo)
        == #"{"priority":"high","tags":{"add":["home"]},"due":"tomorrow","title":"Buy milk"}"#
    )
  }

  private func json(_ edits: RecordEdits<Todo>) throws -> String {
    String(decoding: try BodyEncoder().value(edits), as: UTF8.self)
  }

  @Test func `in JSON null clears, and tags replace`() throws {
    var request = RequestEditTodo()
    try RequestEditTodo.command.read(
      ["id": 7, "due": nil, "tags": ["home"], "expectedRevision": 3],
      into: &request
    )
    #expect(request.id == Target(.number(7), seen: 3))
    #expect(try json(request.todo) == #"{"due":null,"tags":["home"]}"#)
  }

  @Test(
    arguments: [
      ("due", "due", false), ("-due", "due", true), ("title", "title", false),
      ("-priority", "priority", true), ("created", "created", false),
    ] as [(String, String, Bool)]
  )
  func `an order is a key, and a hyphen reverses it`(
    word: String,
    key: String,
    isReversed: Bool
  ) throws {
    let sort = try RecordSort<Todo>(word: word)
    #expect(sort.field == key)
    #expect(sort.isDescending == isReversed)
  }

  @Test func `what is no order is told which there are`() {
    #expect(
      throws: ValueError(
        "'size' is not one of created, completed, due, priority, title, manual, project, scheduled, wait, until, or one of them with '-' before it"
      )
    ) {
      try RecordSort<Todo>(word: "size")
    }
  }

  @Test func `deleting more than three at once is asked about`() {
    #expect(RequestDeleteTodoViewModel.delete(.numbers(1, 2, 3)).question == nil)
    #expect(RequestDeleteTodoViewModel.delete(.numbers(1, 2, 3, 3)).question == nil)
    #expect(RequestDeleteTodoViewModel.delete(.numbers(1, 2, 3, 4)).question == "Delete 4 todos?")
    #expect(RequestCompleteTodo.complete(.numbers(1, 2, 3, 4)).question == nil)
  }

  // MARK: Confirmations

  @Test func `a change is confirmed by a line a todo`() {
    func text<C: Command>(_ request: C, _ value: C.Reply.Value, isQuiet: Bool = false) -> String {
      var page = Page(isQuiet: isQuiet)
      request.show(value, on: &page)
      return page.text
    }
    let (open, done) = (
      Todo.test(1, number: 42), Todo.test(1, number: 42) { $0.completedAt = .start }
    )
    let (was, became) = (RecordGroup.changed(open), RecordGroup.changed(done))
    #expect(text(RequestAddTodo(), was) == "Added #42 Milk\n")
    #expect(text(RequestEditTodo(), was) == "Changed #42: place changed\n")
    #expect(text(RequestToggleCompleteTodoViewModel(), became) == "Completed #42 Milk\n")
    #expect(text(RequestToggleCompleteTodoViewModel(), was) == "Reopened #42 Milk\n")
    #expect(text(RequestCompleteTodo(), became) == "Completed #42 Milk\n")
    #expect(text(RequestReopenTodo(), was) == "Reopened #42 Milk\n")
    #expect(text(RequestDeleteTodoViewModel(), was) == "Deleted #42 Milk\n")
    #expect(text(RequestRestoreTodo(), was) == "Restored #42 Milk\n")
    #expect(text(RequestAddTodo(), was, isQuiet: true) == "")
    let mixed = RecordGroup(
      [.change(to: done, isChange: false), .change(to: Todo.test(2, "Bread", number: 43))],
      isList: true
    )
    #expect(text(RequestCompleteTodo(), mixed) == "Unchanged #42 Milk\nCompleted #43 Bread\n")
  }

  @Test func `one todo is an object, several are an array`() throws {
    func starts(_ group: RecordGroup<Todo>) throws -> String {
      var json = JSONWriter()
      group.write(to: &json)
      return String(decoding: json.bytes.prefix(8), as: UTF8.self)
    }
    let item = Todo.test(1, number: 42)
    #expect(try starts(.changed(item)) == "{\"id\":42")
    #expect(try starts(.changed(item, isList: true)) == "[{\"id\":4")
    #expect(try starts(.changed(item, item, isList: true)) == "[{\"id\":4")
  }

  @Test func `each name of the sources is that of its command`() {
    let commands: [any Command.Type] = [
      RequestAddTodo.self, RequestEditTodo.self, RequestToggleCompleteTodoViewModel.self,
      RequestCompleteTodo.self, RequestReopenTodo.self, RequestDeleteTodoViewModel.self,
      RequestRestoreTodo.self,
    ]
    #expect(
      commands.map { "\($0.verb) \($0.name) \($0.version)" } == [
        "add RequestAddTodo 3", "edit RequestEditTodo 4",
        "toggle RequestToggleCompleteTodoViewModel 3", "done RequestCompleteTodo 3",
        "reopen RequestReopenTodo 3", "delete RequestDeleteTodoViewModel 3",
        "restore RequestRestoreTodo 3",
      ]
    )
  }
}
