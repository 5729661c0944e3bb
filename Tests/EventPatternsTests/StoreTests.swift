import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S97, S98: state that changes by reducers alone.
@Suite(.hangLimit) struct StoreTests {
  @Test func `S98 a reducer says what an event makes of the model`() {
    let test = TestContext()
    let store = tally(test)
    test.stream.send(ResponseCount(2))
    test.stream.send(ResponseCount(3))
    test.drain()
    #expect(store.state.value == Tally(sum: 5, last: 3))
    test.skip()
  }

  @Test func `S97 the steps tell which action led to which state`() {
    let test = TestContext()
    let store = tally(test)
    test.stream.send(ResponseCount(2))
    test.stream.send(RequestClear())
    test.drain()
    #expect(store.steps.map(\.event) == [nil, "ResponseCount", "RequestClear"])
    #expect(store.steps.map(\.subject) == [nil, "2", nil])
    #expect(store.steps.map(\.model.sum) == [0, 2, 0])
    test.skip()
  }

  @Test func `S98 to dispatch inside of a reducer is an error that names both`() {
    let test = TestContext()
    let failure = Locked<Failure?>(nil)
    let store = Store(0, name: "loop", on: test.stream)
    store.reducing(ResponseCount.self) { [weak store] _, _ in
      do throws(Failure) {
        try store?.dispatch(RequestClear())
      } catch {
        failure.withLock { $0 = error }
      }
    }
    test.send(ResponseCount(1))
    #expect(
      failure.withLock { $0 }
        == Failure(.usage, "A reducer of 'loop' dispatches RequestClear; it only reduces.")
    )
    test.skip()
  }

  @Test func `S98 outside of a reducer anybody dispatches`() throws {
    let test = TestContext()
    let store = tally(test)
    try store.dispatch(ResponseCount(7))
    test.drain()
    #expect(store.state.value.sum == 7)
    test.skip()
  }

  @Test func `it goes back in time, and on from there`() throws {
    let test = TestContext()
    let store = tally(test)
    for number in 1...3 { test.stream.send(ResponseCount(number)) }
    test.drain()
    test.stream.on(RequestClear.self) { _, turn in try? store.travel(to: 1, turn) }
    test.stream.send(RequestTravel(index: 1))
    test.drain()
    #expect(store.state.value.sum == 1)
    test.stream.send(ResponseCount(10))
    test.drain()
    #expect(store.state.value.sum == 11)
    #expect(store.steps.map(\.model.sum) == [0, 1, 11])
    test.skip()
  }

  @Test func `a step that is not there is said by its number`() {
    let test = TestContext()
    let store = tally(test)
    let failure = Locked<Failure?>(nil)
    test.stream.on(RequestTravel.self) { request, turn in
      do throws(Failure) {
        try store.travel(to: request.index, turn)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    test.send(RequestTravel(index: 9))
    #expect(failure.withLock { $0 } == Failure(.notFound, "'tally' has no step 9.", id: 9))
    test.skip()
  }

  @Test func `it keeps as many steps as it may`() {
    let test = TestContext()
    let store = tally(test, keeping: 3)
    for number in 1...10 { test.stream.send(ResponseCount(number)) }
    test.drain()
    #expect(store.steps.map(\.model.last) == [8, 9, 10])
    #expect(store.index == 2)
    test.skip()
  }

  @Test func `what a unit takes back was never reduced`() {
    let test = TestContext()
    let store = tally(test)
    test.stream.answer(RequestNumber.self) { _, turn in
      turn.send(ResponseCount(5))
      return 5
    }
    for isCommitted in [false, true] {
      let begun = Locked<StreamUnit?>(nil)
      test.stream.begin(.allOrNothing) { result, _ in begun.withLock { $0 = try? result.get() } }
      test.drain()
      let unit = begun.withLock { $0 }
      unit?.request(RequestNumber()) { _, _ in }
      test.drain()
      #expect(store.state.value.sum == 0)
      if isCommitted { unit?.commit { _, _ in } } else { unit?.rollBack { _, _ in } }
      test.drain()
    }
    #expect(store.state.value.sum == 5)
    test.skip()
  }

  private func tally(_ test: TestContext, keeping steps: Int = 100) -> Store<Tally> {
    let store = Store(Tally(), name: "tally", on: test.stream, keeping: steps)
      .reducing(ResponseCount.self) { tally, event in
        tally.sum += event.number
        tally.last = event.number
      }
      .reducing(RequestClear.self) { tally, _ in tally = Tally() }
    test.stream.on(RequestTravel.self, owner: store) { store, request, turn in
      try? store.travel(to: request.index, turn)
    }
    return store
  }
}

private struct Tally: Sendable, Equatable {
  var sum = 0
  var last = 0
}

private struct ResponseCount: ViewModelEvent {
  let number: Int
  init(_ number: Int) { self.number = number }
  var subject: String? { "\(number)" }
}

private struct RequestClear: ViewModelEvent {}

private struct RequestNumber: ViewModelEvent, Request {
  typealias Reply = ResponseNumber
}

private struct ResponseNumber: ViewModelEvent, Response {
  let result: Result<Int, Failure>
  init(_ result: Result<Int, Failure>) { self.result = result }
}

private struct RequestTravel: ViewModelEvent {
  let index: Int
}
