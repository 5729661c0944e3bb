import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct ListViewModelTests {
  private func row(
    _ id: UInt64,
    _ title: String = "Milk",
    at milliseconds: Int64? = nil,
    deleted: Bool = false
  ) -> TodoViewModel {
    Todo.test(id, title, number: Int(id)) {
      $0.createdAt = Instant(milliseconds: milliseconds ?? Int64(id) * 1000)
      $0.deleted = deleted
    }
    .viewModel
  }

  // MARK: A row

  @Test func `S42 a row reads as its todo`() {
    let open = Todo.test(1, "Milk", number: 7, revision: 9).viewModel
    #expect(open.title == "Milk")
    #expect(open.priority == "Priority: NORMAL")
    #expect(open.complete == false)
    #expect(open.deleted == false)
    #expect(open.completeActionTitle == "Complete")
    #expect(open.number == 7)
    #expect(open.revision == 9)
    #expect(open.uuid.text == "00000000-0000-4000-8000-000000000001")
    let done =
      Todo.test(1) {
        $0.priority = .high
        $0.completedAt = .start
        $0.deleted = true
      }
      .viewModel
    #expect(done.priority == "Priority: HIGH")
    #expect(done.complete)
    #expect(done.deleted)
    #expect(done.completeActionTitle == "Uncomplete")
  }

  @Test func `S66 rows of one todo with other content are unequal, but the same`() {
    #expect(row(1, "Milk") != row(1, "Bread"))
    #expect(row(1, "Milk").isSame(as: row(1, "Bread")))
    #expect(!row(1, "Milk").isSame(as: row(2, "Milk")))
    #expect(row(1, "Milk") == row(1, "Milk"))
  }

  @Test func `a row is shown as a line, without what users could do to a terminal`() {
    let todo = Todo.test(1, "Buy \u{1B}[31mmilk", number: 42) {
      $0.priority = .high
      $0.due = CivilTime("2026-12-01")
      $0.tags = ["home", "shop"]
      $0.project = "errands"
    }
    var page = Page()
    todo.viewModel.show(on: &page)
    var done = todo
    done.value.title = "Milk"
    done.value.completedAt = .start
    done.value.deleted = true
    done.viewModel.show(on: &page)
    #expect(
      page.text == """
        #42 [ ] Buy \\u{1B}[31mmilk  !high  due 2026-12-01  +home +shop  project: errands
        #42 [x] Milk  !high  due 2026-12-01  +home +shop  project: errands  (deleted)

        """
    )
  }

  @Test func `a row is written as the JSON of a todo`() {
    var json = JSONWriter()
    let todo = Todo.test(1, "Buy milk", number: 42, revision: 17) {
      $0.due = CivilTime("2026-12-01")
      $0.tags = ["home"]
    }
    todo.viewModel.writeItem(to: &json)
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == """
        {"id":42,"uuid":"00000000-0000-4000-8000-000000000001","title":"Buy milk","subtitle":"",\
        "priority":"normal","complete":false,"completedAt":null,\
        "createdAt":"2025-11-20T10:00:00.000Z","deleted":false,"due":"2026-12-01",\
        "tags":["home"],"project":null,"scheduled":null,"wait":null,"until":null,"recurrence":null,"revision":17}
        """
    )
  }

  // MARK: The list

  @Test func `S43 a list is a value that was given its rows: all of them in section 0`() {
    let list = TodoListViewModel([row(2), row(1)])
    #expect(list.count(inSection: 0) == 2)
    #expect(list.count(inSection: 1) == 0)
    #expect(list.count(inSection: -1) == 0)
    #expect(TodoListViewModel().count(inSection: 0) == 0)
    var copy = list
    _ = copy.incorporate(row(3))
    #expect(list.count(inSection: 0) == 2)
    #expect(copy.count(inSection: 0) == 3)
  }

  @Test func `S44 a whole list that differs in any content is a reload`() {
    var list = TodoListViewModel([row(2), row(1)])
    #expect(list.incorporate(TodoListViewModel([row(2, "Bread"), row(1)])) == .reload)
    #expect(list.rows.map(\.title) == ["Bread", "Milk"])
    #expect(list.incorporate(TodoListViewModel([row(1), row(2, "Bread")])) == .reload)
    #expect(list.incorporate(TodoListViewModel([row(1)])) == .reload)
    #expect(list.rows.map(\.number) == [1])
  }

  @Test func `S44 the same list again is nothing`() {
    var list = TodoListViewModel([row(2), row(1)])
    #expect(list.incorporate(TodoListViewModel([row(2), row(1)])) == .none)
  }

  @Test func `S45 a known row that was deleted goes`() {
    var list = TodoListViewModel([row(3), row(2), row(1)])
    #expect(list.incorporate(row(2, deleted: true)) == .delete(1))
    #expect(list.rows.map(\.number) == [3, 1])
  }

  @Test func `S45 a known row with other content is reloaded in its place`() {
    var list = TodoListViewModel([row(3), row(2), row(1)])
    #expect(list.incorporate(row(1, "Bread")) == .reload(2))
    #expect(list.rows.map(\.title) == ["Milk", "Milk", "Bread"])
  }

  @Test func `S45 an unknown row is inserted`() {
    var list = TodoListViewModel()
    #expect(list.incorporate(row(1)) == .insert(0))
    #expect(list.incorporate(row(2)) == .insert(0))
    #expect(list.rows.map(\.number) == [2, 1])
  }

  @Test func `S67 an unknown row is inserted where it belongs among the newest first`() {
    var list = TodoListViewModel([row(5), row(1)])
    #expect(list.incorporate(row(3)) == .insert(1))
    #expect(list.incorporate(row(0)) == .insert(3))
    #expect(list.incorporate(row(9, at: 3000)) == .insert(1))
    #expect(list.rows.map(\.number) == [5, 9, 3, 1, 0])
  }

  @Test func `S67 an unknown row that is deleted is nothing`() {
    var list = TodoListViewModel([row(1)])
    #expect(list.incorporate(row(2, deleted: true)) == .none)
    #expect(list.rows.map(\.number) == [1])
  }

  @Test func `S67 a known row without news is nothing`() {
    var list = TodoListViewModel([row(1)])
    #expect(list.incorporate(row(1)) == .none)
  }

  @Test func `a list is shown in lines whose numbers end in one column`() {
    var page = Page()
    TodoListViewModel([row(10), row(9)]).show(on: &page)
    #expect(page.text == "#10 [ ] Milk\n #9 [ ] Milk\n")
  }

  @Test func `an empty list is an empty array`() {
    var json = JSONWriter()
    TodoListViewModel().write(to: &json)
    #expect(String(decoding: json.bytes, as: UTF8.self) == "[]")
  }

  // MARK: More than one list

  @Test func `S53 a list of lists needs no change of an interface`() throws {
    let app = try Application()
    app.test.add(ListsServer())
    for (title, project) in [("Milk", "errands"), ("Bread", "errands"), ("Roof", "house")] {
      let project = try Project(word: project)
      app.prepare(RequestAddTodo.add(title) { $0.project = .set(project) })
    }
    let lists = try app.reply(RequestTodoLists(projects: ["house", "errands"]))?.get()
    #expect(lists?.map { $0.count(inSection: 0) } == [1, 2])
    #expect(lists?.map { $0.rows.map(\.title) } == [["Roof"], ["Bread", "Milk"]])
  }
}

// MARK: - Lists of lists

/// Asks for the lists of several projects.
struct RequestTodoLists: ViewModelEvent, Request {
  typealias Reply = ResponseTodoLists
  static let writes = false
  var projects: [String]
}

struct ResponseTodoLists: ViewModelEvent, Response {
  let result: Result<[TodoListViewModel], Failure>

  init(_ result: Result<[TodoListViewModel], Failure>) {
    self.result = result
  }
}

/// Knows nothing but the events that there were before it.
struct ListsServer: Plugin {
  let name = "lists"

  func join(_ stream: EventStream) {
    stream.answerAsync(RequestTodoLists.self) { request, turn in
      var lists: [TodoListViewModel] = []
      for name in request.projects {
        let project = try Project(word: name)
        lists.append(
          try await turn.request(RequestTodoViewModels.list(["project": .string(project.text)]))
        )
      }
      return lists
    }
  }
}
