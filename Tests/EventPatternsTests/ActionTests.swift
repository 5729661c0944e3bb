import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S91: disabled while it executes, enabled again when it finishes, no overlapping run.
@Suite(.hangLimit) struct ActionTests {
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

  @Test func `S91 a run that a unit began is not there when the unit is taken back`() throws {
    let kitchen = Kitchen()
    let told = kitchen.watch()
    let unit = try #require(kitchen.beginUnit())
    unit.request(RequestDish(name: "soup")) { _, _ in }
    kitchen.burn()
    #expect(kitchen.rollBack(unit) == true)
    #expect(!kitchen.cook.cooking.isExecuting.value)
    #expect(kitchen.order("pie") == nil)
    kitchen.serve()
    #expect(kitchen.served == ["pie"])
    #expect(told() == [false, true, false])
  }

  @Test func `S91 a run of a unit that is kept goes on, and ends`() throws {
    let kitchen = Kitchen()
    let told = kitchen.watch()
    let unit = try #require(kitchen.beginUnit())
    unit.request(RequestDish(name: "soup")) { _, _ in }
    kitchen.burn()
    #expect(told() == [false])
    #expect(kitchen.commit(unit) == true)
    #expect(kitchen.cook.cooking.isExecuting.value)
    #expect(
      kitchen.order("pie")
        == .failure(Failure(.usage, "'cook' is under way; wait for its end."))
    )
    #expect(told() == [false, true])
  }

  @Test
  func `S91 a unit that is taken back only ends behind its runs, and nothing is written later`()
    throws
  {
    let kitchen = Kitchen()
    let unit = try #require(kitchen.beginUnit())
    unit.request(RequestDish(name: "soup")) { _, _ in }
    #expect(kitchen.rollBack(unit) == nil)
    kitchen.serve()
    #expect(kitchen.served == ["soup"])
    #expect(!kitchen.cook.cooking.isExecuting.value)
    kitchen.order("pie")
    kitchen.serve()
    #expect(kitchen.served == ["soup", "pie"])
  }

  /// A kitchen whose soup is overtaken by the pie of a unit that is open, and what is told of its
  /// cooking.
  private func overtakenKitchen() throws -> (Kitchen, StreamUnit, told: () -> [Bool]) {
    let kitchen = Kitchen(.latestWins)
    let told = kitchen.watch()
    kitchen.order("soup")
    let unit = try #require(kitchen.beginUnit())
    unit.request(RequestDish(name: "pie")) { _, _ in }
    return (kitchen, unit, told)
  }

  @Test func `S91 what a unit overtook counts again when the unit is taken back`() throws {
    let (kitchen, unit, told) = try overtakenKitchen()
    kitchen.serve(1)
    #expect(kitchen.rollBack(unit) == true)
    #expect(kitchen.cook.cooking.isExecuting.value)
    kitchen.serve()
    #expect(kitchen.served == ["pie", "soup"])
    #expect(!kitchen.cook.cooking.isExecuting.value)
    #expect(told() == [false, true, false])
  }

  @Test func `S91 what is over while a unit is open is not lost to a unit that is taken back`()
    throws
  {
    let (kitchen, unit, told) = try overtakenKitchen()
    kitchen.serve()
    #expect(kitchen.served == ["soup"])
    kitchen.burn()
    #expect(kitchen.rollBack(unit) == true)
    #expect(!kitchen.cook.cooking.isExecuting.value)
    #expect(told() == [false, true, false])
  }

  @Test func `S91 what a unit overtook does not count when the unit is kept`() throws {
    let (kitchen, unit, told) = try overtakenKitchen()
    kitchen.serve(1)
    #expect(kitchen.commit(unit) == true)
    #expect(!kitchen.cook.cooking.isExecuting.value)
    kitchen.serve()
    #expect(kitchen.served == ["pie"])
    #expect(told() == [false, true, false])
  }

  @Test func `S91 a run from elsewhere is not hidden by the end of a unit's`() throws {
    let kitchen = Kitchen()
    let unit = try #require(kitchen.beginUnit())
    unit.request(RequestDish(name: "soup")) { _, _ in }
    kitchen.serve()
    #expect(kitchen.order("pie") == nil)
    #expect(kitchen.commit(unit) == true)
    #expect(kitchen.cook.cooking.isExecuting.value)
    kitchen.serve()
    #expect(!kitchen.cook.cooking.isExecuting.value)
    #expect(kitchen.served == ["soup", "pie"])
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

  /// The pot that is on the stove for longest, or one after it, is done.
  func serve(_ pot: Int = 0) {
    let served = cook.pots.withLock { $0.indices.contains(pot) ? $0.remove(at: pot) : nil }
    guard let (name, turn) = served else {
      Issue.record("There is no pot \(pot).")
      return
    }
    turn.send(ResponseDish(.success(name)))
    turn.release()
    test.skip()
  }

  /// There is an answer, of which the cook makes no end.
  func burn() {
    let turn = cook.pots.withLock { $0.removeFirst() }.turn
    turn.send(ResponseDish(.failure(Failure(.store, "It is black."))))
    turn.release()
    test.skip()
  }

  func beginUnit() -> StreamUnit? {
    var unit: StreamUnit?
    test.stream.begin(.allOrNothing) { result, _ in unit = try? result.get() }
    test.skip()
    return unit
  }

  /// Nil while it is not over.
  func rollBack(_ unit: StreamUnit) -> Bool? {
    var end: Bool?
    unit.rollBack { result, _ in end = (try? result.get()) != nil }
    test.skip()
    return end
  }

  func commit(_ unit: StreamUnit) -> Bool? {
    var end: Bool?
    unit.commit { result, _ in end = (try? result.get()) != nil }
    test.skip()
    return end
  }

  /// What a view is told of it.
  func watch() -> () -> [Bool] {
    let told = Locked<[Bool]>([])
    cook.cooking.isExecuting.observe(owner: cook) { isExecuting, _ in
      told.withLock { $0.append(isExecuting) }
    }
    test.skip()
    return { told.withLock { $0 } }
  }

  /// It is never heard of again.
  func forget() {
    cook.pots.withLock { $0.removeFirst() }.turn.release()
    test.skip()
  }
}
