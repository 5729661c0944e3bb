import EventPatterns
import EventMVVM
import EventMVVMTesting
import Testing
import TodoModels

@Suite(.hangLimit) struct StoreEventsTests {
  private func serving(
    _ storage: MemoryStorage,
    for company: ModelServer.Company = .oneJob
  ) -> TestContext {
    let test = TestContext()
    test.add(ModelServer(storage, for: company))
    return test
  }

  // MARK: Parts

  @Test(arguments: [ModelServer.Company.oneJob, .frontends])
  func `a list can be had part by part`(_ company: ModelServer.Company) throws {
    let test = serving(MemoryStorage([.test(1), .test(2), .test(3)]), for: company)
    test.send(RequestReadTodos(TodoQuery(), .part(2)))
    let first = try #require(test.expect(ResponseTodos.self))
    #expect(first.result == .success([.test(1), .test(2)]))
    let rest = try #require(first.rest)
    test.send(RequestReadTodos(TodoQuery(), .rest(rest)))
    let second = try #require(test.expect(ResponseTodos.self))
    #expect(second.result == .success([.test(3)]))
    #expect(second.rest == nil)
    test.done()
  }

  @Test func `a part that can't be read is a failure`() throws {
    let storage = MemoryStorage()
    let test = serving(storage)
    storage.fail(.damagedForTest)
    test.send(RequestReadTodos(TodoQuery(), .part(2)))
    test.expect(ResponseTodos(.failure(.store(.damagedForTest))))
    test.done()
  }

  // MARK: Care

  @Test(arguments: [ModelServer.Company.oneJob, .frontends])
  func `a store is examined and copied on request`(_ company: ModelServer.Company) {
    let storage = MemoryStorage([.test(1)])
    let test = serving(storage, for: company)
    test.send(RequestExamineStore())
    test.expect(
      ResponseExamineStore(
        .success(StoreReport(path: "memory", findings: [.init(.ok, "fine")]))
      )
    )
    test.send(RequestBackUpStore(path: "/copy"))
    test.expect(
      ResponseBackUpStore(.success(StoreCopy(path: "/copy", count: 1, revision: 0)))
    )
    test.done()
    #expect(storage.calls == ["examine", "back up to /copy"])
  }

  // MARK: Other processes

  private let change = StoreChange(
    root: Root(session: 9, number: 1),
    origin: "cli",
    time: Instant(milliseconds: 0),
    todos: [WrittenTodo(.test(1, number: 1, revision: 4), .added)]
  )

  @Test func `what other processes change is told where several frontends are served`() {
    let storage = MemoryStorage()
    let test = serving(storage, for: .frontends)
    storage.state.withLock { $0.heard }?(.success(change))
    test.expect(ResponseStoreChange(.success(change)))
    storage.state.withLock { $0.heard }?(.failure(.damagedForTest))
    test.expect(ResponseStoreChange(.failure(.store(.damagedForTest))))
    test.done()
  }

  @Test func `one job listens to nobody`() {
    let storage = MemoryStorage()
    let test = serving(storage)
    #expect(storage.state.withLock { $0.heard } == nil)
    test.done()
  }

  @Test func `S73 a server that listens goes with its context`() {
    weak var gone: ModelServer?
    do {
      let test = TestContext()
      let server = ModelServer(MemoryStorage(), for: .frontends)
      gone = server
      test.add(server)
      test.done()
    }
    #expect(gone == nil)
  }
}

extension StoreError {
  fileprivate static let damagedForTest = StoreError(path: "/a", "is damaged")
}
