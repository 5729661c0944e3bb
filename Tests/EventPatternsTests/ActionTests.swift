import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S91: disabled while it executes, enabled again when it finishes, no overlapping run.
@Suite struct ActionTests {
  @Test func `S91 a view sees that it is under way, and when it is over`() throws {
    let kitchen = Kitchen()
    kitchen.order("soup")
    #expect(kitchen.cook.cooking.isExecuting.value)
    kitchen.serve()
    #expect(!kitchen.cook.cooking.isExecuting.value)
    #expect(kitchen.served == ["soup"])
  }

  @Test func `S91 a run during another is refused, and both requesters are told`() throws {
    let kitchen = Kitchen()
    kitchen.order("soup")
    #expect(
      kitchen.order("pie")
        == .failure(Failure(.usage, "'cook' is under way; wait for its end."))
    )
    kitchen.serve()
    #expect(kitchen.served == ["soup"])
    kitchen.order("pie")
    kitchen.serve()
    #expect(kitchen.served == ["soup", "pie"])
  }

  @Test func `S91 where the latest wins, the result of an earlier run is not used`() throws {
    let kitchen = Kitchen(.latestWins)
    kitchen.order("soup")
    kitchen.order("pie")
    kitchen.serve()
    #expect(kitchen.served == [])
    #expect(kitchen.cook.cooking.isExecuting.value)
    kitchen.serve()
    #expect(kitchen.served == ["pie"])
    #expect(!kitchen.cook.cooking.isExecuting.value)
  }

  @Test func `S91 a run that nobody answers ends all the same`() throws {
    let kitchen = Kitchen()
    kitchen.order("soup")
    kitchen.forget()
    #expect(!kitchen.cook.cooking.isExecuting.value)
    kitchen.order("pie")
    kitchen.serve()
    #expect(kitchen.served == ["pie"])
  }
}

/// A dish that somebody orders; it takes as long as the kitchen wants.
private struct RequestDish: ViewModelEvent, Request {
  typealias Reply = ResponseDish
  let name: String
}

private struct ResponseDish: ViewModelEvent, Response {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}

/// Whose action it is.
private final class Cook: Sendable {
  let cooking: Action
  let served = Locked<[String]>([])
  let pots = Locked<[(name: String, turn: AsyncTurn)]>([])

  init(_ overlap: Action.Overlap, _ stream: EventStream) {
    cooking = Action("cook", overlap, on: stream)
    stream.on(RequestDish.self, owner: self) { cook, request, turn in
      do {
        try cook.cooking.begin(turn)
        let held = turn.hold()
        cook.pots.withLock { $0.append((request.name, held)) }
      } catch {
        turn.send(ResponseDish(.failure(Failure(error))))
      }
    }
    stream.on(ResponseDish.self, owner: self) { cook, response, turn in
      guard case .success(let name) = response.result, cook.cooking.end(turn) else { return }
      cook.served.withLock { $0.append(name) }
    }
  }
}

private final class Kitchen {
  let test = TestContext()
  let cook: Cook

  init(_ overlap: Action.Overlap = .refused) {
    cook = Cook(overlap, test.stream)
  }

  deinit { test.skip() }

  var served: [String] { cook.served.withLock { $0 } }

  @discardableResult
  func order(_ name: String) -> Result<String, Failure>? {
    var answer: Result<String, Failure>?
    test.stream.request(RequestDish(name: name)) { result, _ in
      answer = result.mapError(Failure.init).flatMap(\.result)
    }
    test.skip()
    return answer
  }

  /// The pot that is on the stove for longest is done.
  func serve() {
    let (name, turn) = cook.pots.withLock { $0.removeFirst() }
    turn.send(ResponseDish(.success(name)))
    turn.release()
    test.skip()
  }

  /// It is never heard of again.
  func forget() {
    cook.pots.withLock { $0.removeFirst() }.turn.release()
    test.skip()
  }
}
