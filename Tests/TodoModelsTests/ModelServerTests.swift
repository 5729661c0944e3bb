import EventPatterns
import EventMVVM
import EventMVVMTesting
import Foundation
import Testing
import TodoModels
import TodoStore

@Suite(.hangLimit) struct ModelServerTests {
  private func serving(_ storage: any TodoStorage) -> TestContext {
    let test = TestContext()
    test.add(ModelServer(storage))
    return test
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { ModelServer(MemoryStorage()) }
  }

  // MARK: Requests and responses

  @Test func `S18 a request to read gets the todos, one to one`() {
    let test = serving(MemoryStorage([.test(1), .test(2)]))
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([.test(1), .test(2)])))
    test.done()
  }

  @Test func `S18 reading aside is answered one to one, too`() {
    let storage = MemoryStorage([.test(1)])
    let test = TestContext()
    test.add(ModelServer(storage, for: .frontends))
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([.test(1)])))
    test.send(RequestReadTodos(TodoQuery([.number(1)])))
    test.expect(ResponseTodos(.success([.test(1)])))
    test.done()
    #expect(storage.calls == ["read aside", "read committed"])
  }

  @Test func `S19 a request to write gets the written todo, one to one`() throws {
    let store = try FreshStore()
    let test = serving(store.database)
    test.send(RequestWriteTodo(.add(.test(1))))
    test.expect(
      ResponseTodo(
        .success([WrittenTodo(.test(1, number: 1, revision: 1), .added, [.title])])
      )
    )
    test.done()
  }

  @Test func `S19 writing a todo of a known id changes that one`() throws {
    let store = try FreshStore()
    let test = serving(store.database)
    test.send(RequestWriteTodo(.add(.test(1, "Milk"))))
    test.skip()
    test.send(RequestWriteTodo(.add(.test(1, "Oat milk"))))
    test.expect(
      ResponseTodo(
        .success([WrittenTodo(.test(1, "Oat milk", number: 1, revision: 2), .changed, [.title])])
      )
    )
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([.test(1, "Oat milk", number: 1, revision: 2)])))
    test.done()
  }

  @Test func `S35 todos come newest first`() throws {
    let store = try FreshStore()
    let test = serving(store.database)
    test.send(RequestWriteTodo([.add(.test(2)), .add(.test(3)), .add(.test(1))]))
    test.skip()
    test.send(RequestReadTodos())
    test.expect(
      ResponseTodos(
        .success([
          .test(3, number: 2, revision: 2), .test(2, number: 1, revision: 1),
          .test(1, number: 3, revision: 3),
        ])
      )
    )
  }

  @Test func `S36 a read carries predicate, order and limit`() throws {
    let store = try FreshStore()
    let test = serving(store.database)
    test.send(
      RequestWriteTodo([
        .add(.test(1, "Buy milk")), .add(.test(2, "Buy apples")), .add(.test(3, "Sleep")),
        .add(.test(4, "Buy bread")),
      ])
    )
    test.skip()
    var query = TodoQuery()
    query.predicate.words = ["buy"]
    query.sort = .init(.title)
    query.limit = 2
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

  @Test func `S37 a deleted todo is flagged, listed when asked for, and restored`() throws {
    let store = try FreshStore()
    let test = serving(store.database)
    test.send(RequestWriteTodo(.add(.test(1))))
    test.skip()
    test.send(RequestWriteTodo(.change(.number(1), .test { $0.deleted = true }, seen: nil)))
    let deleted = Todo.test(1, number: 1, revision: 2) { $0.deleted = true }
    test.expect(ResponseTodo(.success([WrittenTodo(deleted, .removed, [.deleted])])))
    var query = TodoQuery()
    query.predicate.deleted = true
    test.send(RequestReadTodos(query))
    test.expect(ResponseTodos(.success([deleted])))
    test.send(RequestWriteTodo(.change(.number(1), .test { $0.deleted = false }, seen: nil)))
    test.expect(
      ResponseTodo(.success([WrittenTodo(.test(1, number: 1, revision: 3), .added, [.deleted])]))
    )
    test.done()
  }

  @Test func `labels are answered by kind and prefix`() {
    let storage = MemoryStorage()
    let test = serving(storage)
    test.send(RequestReadLabels(.projects, prefix: "ho"))
    test.expect(ResponseLabels(.success(["home"])))
    test.done()
    #expect(storage.calls == ["labels projects ho committed"])
  }

  // MARK: Failures

  @Test func `S38 a store that fails fails the response, and the server keeps serving`() {
    let storage = MemoryStorage()
    let test = serving(storage)
    let full = StoreError(path: "/a", "the disk is full")
    storage.fail(full)
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.failure(.store(full))))
    test.send(RequestReadLabels(.tags, prefix: ""))
    test.expect(ResponseLabels(.failure(.store(full))))
    test.send(RequestWriteTodo(.add(.test(1))))
    test.expect(ResponseTodo(.failure(.store(full))))
    storage.fail(nil)
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([])))
    test.done()
  }

  @Test func `S38 a store that can't be opened is opened once it can`() throws {
    let store = try FreshStore()
    let folder = store.folder + "/todos"
    #expect(FileManager.default.createFile(atPath: folder, contents: nil))
    let test = serving(TodoDatabase(path: folder + "/todos.sqlite"))
    test.send(RequestReadTodos())
    let response = test.expect(ResponseTodos.self)
    #expect(throws: ModelError.self) { try response?.result.get() }
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([])))
    test.done()
  }

  @Test func `S68 the server answers after its first error as before it`() throws {
    let store = try FreshStore()
    let test = serving(store.database)
    let patch = TodoPatch.test { $0.title = "Oat milk" }
    for number in 7...9 {
      test.send(RequestWriteTodo(.change(.number(number), patch, seen: nil)))
      test.expect(ResponseTodo(.failure(.notFound(.number(number)))))
    }
    test.send(RequestWriteTodo(.add(.test(1))))
    test.expect(
      ResponseTodo(.success([WrittenTodo(.test(1, number: 1, revision: 1), .added, [.title])]))
    )
    test.done()
  }

  @Test func `an error that nobody knows is the store's`() {
    struct Mishap: Error {}
    #expect(ModelError(Mishap()) == .store(StoreError(path: "", "Mishap()")))
    #expect(ModelError(ModelError.deleted(number: 1)) == .deleted(number: 1))
  }

  // MARK: Units

  @Test func `a unit is a transaction of the storage`() {
    let storage = MemoryStorage()
    let test = serving(storage)
    for mode in [StreamUnit.Mode.allOrNothing, .rehearse, .keepGoing] {
      test.stream.begin(mode) { result, _ in try? result.get().keep { _, _ in } }
    }
    test.skip()
    #expect(storage.calls == ["begin", "keep", "begin", "take back"])
  }

  @Test func `a storage that can't begin or keep says why`() {
    let storage = MemoryStorage()
    let test = serving(storage)
    var failures: [Failure] = []
    func note<T>(_ result: Result<T, Failure>) {
      if case .failure(let failure) = result { failures.append(failure) }
    }
    storage.fail(StoreError(path: "/a", "is locked"))
    test.stream.begin(.allOrNothing) { result, _ in note(result) }
    storage.fail(nil)
    test.stream.begin(.allOrNothing) { result, _ in
      storage.fail(StoreError(path: "/a", "the disk is full"))
      try? result.get().keep { result, _ in note(result) }
    }
    test.skip()
    #expect(
      failures == [Failure(.store, "/a: is locked"), Failure(.store, "/a: the disk is full")]
    )
  }

  // MARK: What it stands on

  @Test func `S100 the store stands behind a protocol and is injected`() {
    let storage = MemoryStorage()
    let test = serving(storage)
    test.send(RequestWriteTodo(.add(.test(1))))
    test.expect(ResponseTodo(.success([WrittenTodo(.test(1), .added)])))
    test.send(RequestReadTodos())
    test.expect(ResponseTodos(.success([.test(1)])))
    #expect(storage.calls == ["write by application at 1763632800000", "read committed"])
  }

  @Test func `S102 the data layer creates, reads, updates and deletes`() throws {
    let store = try FreshStore()
    let writer = Writer(root: Root(session: 1, number: 1), origin: "", time: .init(milliseconds: 0))
    let storage: any TodoStorage = store.database
    func write(_ write: TodoWrite) throws { _ = try storage.write([write], by: writer) }
    func titles() throws -> [String] {
      try storage.read(TodoQuery(), in: .committed).filter { !$0.deleted }.map(\.title)
    }
    try write(.add(.test(1, "Milk")))
    #expect(try titles() == ["Milk"])
    try write(.change(.number(1), .test { $0.title = "Oat milk" }, seen: nil))
    #expect(try titles() == ["Oat milk"])
    try write(.change(.number(1), .test { $0.deleted = true }, seen: nil))
    #expect(try titles() == [])
  }

  @Test func `S73 the server goes with its context`() {
    weak var server: ModelServer?
    weak var storage: MemoryStorage?
    do {
      let kept = MemoryStorage()
      storage = kept
      let context = AppContext()
      let made = ModelServer(kept)
      server = made
      context.add(made)
      context.stream.send(RequestReadTodos())
    }
    #expect(server == nil)
    #expect(storage == nil)
  }
}
