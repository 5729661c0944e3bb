import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import SQLiteEngine
import Testing
import TodoModels

/// The ModelServer of the sources: the server of records, with todos.
@Suite(.hangLimit) struct ModelServerTests {
  private let store: FreshStore
  private let test = TestContext()

  init() throws {
    store = try FreshStore()
    test.add(store.server())
  }

  private func write(_ writes: RecordWrite<Todo>...) {
    test.send(RequestWriteTodo(writes))
    test.skip()
  }

  // MARK: Requests and responses

  @Test func `S18 a request to read gets the todos, one to one`() {
    write(.add(.test(1)), .add(.test(2)))
    test.send(RequestReadTodos())
    test.expect(
      ResponseTodos(
        .success([.test(1, number: 1, revision: 1), .test(2, number: 2, revision: 2)])
      )
    )
    test.done()
  }

  @Test func `S18 reading aside is answered one to one, too`() {
    write(.add(.test(1)))
    let aside = TestContext()
    aside.add(store.server(readsInBackground: true))
    for request in [RequestReadTodos(), RequestReadTodos(1)] {
      aside.send(request)
      aside.expect(ResponseTodos(.success([.test(1, number: 1, revision: 1)])))
    }
    aside.done()
  }

  @Test func `S19 a request to write gets the written todo, one to one`() {
    test.send(RequestWriteTodo([.add(.test(1))]))
    let written = Kept.test(1, number: 1, revision: 1).written()
    test.expect(ResponseTodo(.success([written])))
    test.expect(ResponseRecordChanges([written]))
    test.done()
  }

  @Test func `S19 writing a todo of a known id changes that one`() {
    write(.upsert(.test(1, "Milk")))
    test.send(RequestWriteTodo([.upsert(.test(1, "Oat milk"))]))
    let oat = Kept.test(1, "Oat milk", number: 1, revision: 2)
    test.expect(ResponseTodo(.success([oat.written(from: .test(1, "Milk"))])))
    test.skip()
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([oat])))
    test.done()
  }

  @Test func `S35 todos come newest first`() {
    write(.add(.test(2)), .add(.test(3)), .add(.test(1)))
    test.send(RequestReadTodos(Query().sorted(by: \.createdAt, descending: true)))
    test.expect(
      ResponseTodos(
        .success([
          .test(3, number: 2, revision: 2), .test(2, number: 1, revision: 1),
          .test(1, number: 3, revision: 3),
        ])
      )
    )
  }

  @Test func `S36 a read carries predicate, order and limit`() {
    write(
      .add(.test(1, "Buy milk")),
      .add(.test(2, "Buy apples")),
      .add(.test(3, "Sleep")),
      .add(.test(4, "Buy bread"))
    )
    let query = Query<Todo>().where(.contains("buy")).sorted(alphabeticallyBy: \.title).first(2)
    test.send(RequestReadTodos(query))
    test.expect(
      ResponseTodos(
        .success([
          .test(2, "Buy apples", number: 2, revision: 2),
          .test(4, "Buy bread", number: 4, revision: 4),
        ])
      )
    )
  }

  @Test func `S37 a deleted todo is flagged, listed when asked for, and restored`() {
    write(.add(.test(1)))
    let (milk, deleted) = (Todo.test(1), Kept.test(1, number: 1, revision: 2) { $0.deleted = true })
    test.send(RequestWriteTodo([.put(1, deleted.value, seen: 1)]))
    test.expect(ResponseTodo(.success([deleted.written(from: milk)])))
    test.skip()
    test.send(RequestReadTodos(Query().where(.equals(\.deleted, true))))
    test.expect(ResponseTodos(.success([deleted])))
    test.send(RequestWriteTodo([.put(1, milk, seen: 2)]))
    test.expect(
      ResponseTodo(
        .success([Kept.test(1, number: 1, revision: 3).written(from: deleted.value)])
      )
    )
    test.skip()
  }

  @Test func `S37 a deleted todo is only restored, and nothing else is changed about it`() {
    write(.add(.test(1)), .put(1, .test(1) { $0.deleted = true }, seen: nil))
    // Which command restores it, only views know (S8).
    let refusal = Failure(.notFound, "#1 is deleted.", field: "id", id: 1)
    test.send(RequestWriteTodo([.put(1, .test(1, "Bread") { $0.deleted = true }, seen: 2)]))
    test.expect(ResponseTodo(.failure(refusal)))
    test.done()
  }

  @Test func `a todo has at most 100 labels, whoever added them`() throws {
    func labelled(_ prefix: String, _ count: Int) -> Todo {
      .test(1) { $0.tags = (0..<count).map { "\(prefix)\($0)" } }
    }
    write(.add(.test(1)))
    write(.put(1, labelled("a", 60), seen: 1))
    test.send(RequestWriteTodo([.put(1, labelled("b", 41), seen: 1)]))
    test.expect(
      ResponseTodo(
        .failure(
          Failure(
            .validation,
            "#1 would have 101 tags; a todo has at most 100.",
            field: "tags",
            id: 1
          )
        )
      )
    )
    test.send(RequestWriteTodo([.put(1, labelled("b", 40), seen: 1)]))
    #expect(try test.expect(ResponseTodo.self)?.result.get()[0].after?.tags.count == 100)
    test.skip()
  }

  @Test func `S71 both complete it: the first time stays, and there is no conflict`() {
    write(.add(.test(1)))
    func done(_ time: Int64) -> Todo { .test(1) { $0.completedAt = Instant(milliseconds: time) } }
    write(.put(1, done(1), seen: 1))
    test.send(RequestWriteTodo([.put(1, done(2), seen: 1)]))
    test.expect(
      ResponseTodo(.success([RecordTransition(1, from: done(1), to: done(1), revision: 2)]))
    )
    test.done()
  }

  @Test func `S71 whoever overwrites changes what was edited, and nothing else`() {
    write(.add(.test(1)))
    write(.put(1, .test(1, "Oat milk") { $0.subtitle = "two" }, seen: 1))
    write(.overwrite(1, .test(1, "Soy milk"), seen: 1))
    test.send(RequestReadTodos(1))
    test.expect(
      ResponseTodos(
        .success([.test(1, "Soy milk", number: 1, revision: 3) { $0.subtitle = "two" }])
      )
    )
  }

  // MARK: Failures

  @Test func `S38 a store that can't be opened is opened once it can`() throws {
    let folder = store.folder + "/todos"
    #expect(FileManager.default.createFile(atPath: folder, contents: nil))
    let test = TestContext()
    test.add(store.server(folder + "/todos.sqlite"))
    test.send(RequestReadTodos())
    let response = test.expect(ResponseTodos.self)
    #expect(throws: Failure.self) { try response?.result.get() }
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([])))
    test.done()
  }

  @Test func `S68 the server answers after its first error as before it`() {
    for number in 7...9 {
      test.send(RequestWriteTodo([.put(number, .test(1, "Oat milk"), seen: nil)]))
      test.expect(
        ResponseTodo(
          .failure(Failure(.notFound, "There is no todo #\(number).", field: "id", id: number))
        )
      )
    }
    test.send(RequestWriteTodo([.add(.test(1))]))
    test.expect(ResponseTodo(.success([Kept.test(1, number: 1, revision: 1).written()])))
    test.skip()
  }

  // MARK: What it stands on

  @Test func `S102 the data layer creates, reads, updates and deletes`() throws {
    func titles() throws -> [String]? {
      let query = Query<Todo>().where(.equals(\.deleted, false))
      defer { test.skip() }
      return try test.request(RequestReadTodos(query))?.get().result.get().map(\.value.title)
    }
    write(.add(.test(1, "Milk")))
    #expect(try titles() == ["Milk"])
    write(.put(1, .test(1, "Oat milk"), seen: 1))
    #expect(try titles() == ["Oat milk"])
    write(.put(1, .test(1, "Oat milk") { $0.deleted = true }, seen: 2))
    #expect(try titles() == [])
  }

  @Test func `S73 the server goes with its context`() {
    weak var server: RecordServer?
    do {
      let context = AppContext()
      let made = store.server()
      server = made
      context.add(made)
      context.stream.send(RequestReadTodos())
    }
    #expect(server == nil)
  }
}
