import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// Several steps in a given order, all of them or none (S61).
@Suite(.hangLimit) struct SagaTests {
  @Test func `S61 the steps are done in their order, each with what those before it have brought`()
  {
    let shop = Shop()
    #expect(shop.order("lamp") == .success("parcel 1 with lamp, paid"))
    #expect(shop.done == ["reserve lamp", "pay for lamp", "send lamp"])
  }

  @Test func `S61 when a step fails, those before it are taken back, the last one first`() {
    let shop = Shop(failing: ["send"])
    #expect(shop.order("lamp") == .failure(Failure(.validation, "Can't send lamp.")))
    #expect(
      shop.done == ["reserve lamp", "pay for lamp", "refund lamp", "release reservation 1"]
    )
  }

  @Test func `S61 when the first step fails, there is nothing to take back`() {
    let shop = Shop(failing: ["reserve"])
    #expect(shop.order("lamp") == .failure(Failure(.validation, "Can't reserve lamp.")))
    #expect(shop.done == [])
  }

  @Test func `S61 what can't be taken back is said, and the rest is taken back all the same`() {
    let shop = Shop(failing: ["send", "refund"])
    #expect(
      shop.order("lamp")
        == .failure(
          Failure(
            .validation,
            "Can't send lamp. What 'pay' did could not be undone: Can't refund lamp."
          )
        )
    )
    #expect(shop.done == ["reserve lamp", "pay for lamp", "release reservation 1"])
  }

  @Test func `S61 a step that can't be taken back says what stands of it, when a later one fails`()
  {
    let shop = Shop()
    #expect(
      shop.gift("lamp", failing: "pay")
        == .failure(Failure(.validation, "Can't pay lamp. The gift was sent."))
    )
    #expect(shop.done == ["send lamp"])
    #expect(
      shop.gift("book", failing: "send") == .failure(Failure(.validation, "Can't send book."))
    )
  }

  @Test func `S61 a run behind a step that stands does not do it again, and says that it stands`() {
    let shop = Shop()
    #expect(
      shop.gift("lamp", after: "send", failing: "pay")
        == .failure(Failure(.validation, "Can't pay lamp. The gift was sent."))
    )
    #expect(shop.done == [])
    #expect(shop.gift("lamp", after: "send", failing: "send") == .success("lamp"))
    #expect(shop.done == ["pay for lamp"])
  }

  @Test func `S61 two at once do not mix`() throws {
    let shop = Shop(failing: ["send lamp"], holding: ["pay"])
    let lamp = shop.begin("lamp")
    let book = shop.begin("book")
    shop.goOn()
    shop.goOn()
    #expect(lamp() == .failure(Failure(.validation, "Can't send lamp.")))
    #expect(book() == .success("parcel 2 with book, paid"))
    #expect(
      shop.done == [
        "reserve lamp", "reserve book", "pay for lamp", "refund lamp", "release reservation 1",
        "pay for book", "send book",
      ]
    )
  }

  @Test func `S61 what was cancelled on its way is taken back as far as it has come`() {
    let shop = Shop(holding: ["pay"])
    let lamp = shop.begin("lamp")
    shop.cancel()
    shop.goOn()
    #expect(lamp() != .success("parcel 1 with lamp, paid"))
    #expect(
      shop.done == ["reserve lamp", "pay for lamp", "refund lamp", "release reservation 1"]
    )
  }

  @Test func `S61 what is cancelled while it is taken back is taken back all the same`() {
    let shop = Shop(failing: ["send"])
    shop.cancelBehindSending()
    let lamp = shop.begin("lamp")
    #expect(lamp() != .success("parcel 1 with lamp, paid"))
    #expect(
      shop.done == ["reserve lamp", "pay for lamp", "refund lamp", "release reservation 1"]
    )
  }

  @Test func `S61 nothing is begun inside of a script, which could not be taken back`() {
    let shop = Shop()
    #expect(
      shop.orderInScript("lamp")
        == .failure(
          Failure(.usage, "'order' can't be rolled back: run it outside of the script.")
        )
    )
    #expect(shop.done == [])
  }

  @Test func `S61 a step that nobody answers has failed`() {
    let shop = Shop(holding: ["pay"])
    let lamp = shop.begin("lamp")
    shop.forget()
    #expect(lamp() == .failure(Failure(.unanswered, "Nobody answered the request.")))
    #expect(shop.done == ["reserve lamp", "release reservation 1"])
  }
}

// MARK: What is said

private struct RequestOrder: ViewModelEvent, Request {
  typealias Reply = ResponseOrder
  let item: String
}

private struct RequestGift: ViewModelEvent {
  let item: String
}

private struct ResponseOrder: ViewModelEvent, Response {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}

/// What a service is asked for: all of them speak alike.
private struct RequestService<Name>: ModelEvent, Request {
  typealias Reply = ResponseService<Name>
  let verb: String
  let what: String
}

private struct ResponseService<Name>: ModelEvent, Response {
  let result: Result<Int, Failure>
  init(_ result: Result<Int, Failure>) { self.result = result }
}

/// Comes between others.
private struct ResponseNews: ViewModelEvent {}

private enum Stock {}
private enum Bank {}
private enum Post {}

/// What an order has brought so far.
private struct Order {
  let item: String
  var reservation = 0
  var isPaid = false
  var parcel = 0
}

/// A shop whose services do, refuse, or hold on to what they are asked for.
private final class Shop {
  private let test = TestContext()
  private let log = Locked<[String]>([])
  private let held = Locked<[(verb: String, what: String, turn: AsyncTurn)]>([])
  private let reservations = Locked(0)
  private var failing: Set<String>
  private let holding: Set<String>
  private var conversations: [Conversation] = []

  init(failing: Set<String> = [], holding: Set<String> = []) {
    self.failing = failing
    self.holding = holding
    open(Stock.self)
    open(Bank.self)
    open(Post.self)
    let order = Saga<Order>("order")
      .step("reserve") {
        RequestService<Stock>(verb: "reserve", what: $0.item)
      } keep: {
        $0.reservation = $1
      } undo: {
        RequestService<Stock>(verb: "release", what: "reservation \($0.reservation)")
      }
      .step("pay") {
        RequestService<Bank>(verb: "pay", what: $0.item)
      } keep: { order, _ in
        order.isPaid = true
      } undo: {
        RequestService<Bank>(verb: "refund", what: $0.item)
      }
      .step("send") {
        RequestService<Post>(verb: "send", what: $0.item)
      } keep: { order, _ in
        order.parcel = order.reservation
      }
    test.stream.declareAnswerer(of: RequestOrder.self)
    test.stream.on(RequestOrder.self) { request, turn in
      order.run(Order(item: request.item), turn) { result, turn in
        turn.send(
          ResponseOrder(
            result.map { "parcel \($0.parcel) with \($0.item)\($0.isPaid ? ", paid" : "")" }
          )
        )
      }
    }
  }

  deinit { test.skip() }

  private func open<Name>(_ name: Name.Type) {
    test.stream.on(RequestService<Name>.self, owner: self) { shop, request, turn in
      if shop.holding.contains(request.verb) {
        let held = turn.hold()
        shop.held.withLock { $0.append((request.verb, request.what, held)) }
      } else {
        turn.send(ResponseService<Name>(shop.serve(request.verb, request.what)))
      }
    }
  }

  private func serve(_ verb: String, _ what: String) -> Result<Int, Failure> {
    guard !failing.contains(verb), !failing.contains("\(verb) \(what)") else {
      return .failure(Failure(.validation, "Can't \(verb) \(what)."))
    }
    log.withLock { $0.append(verb == "pay" ? "pay for \(what)" : "\(verb) \(what)") }
    return .success(
      verb == "reserve"
        ? reservations.withLock { number in
          number += 1
          return number
        } : 0
    )
  }

  var done: [String] { log.withLock { $0 } }

  func begin(_ item: String) -> () -> Result<String, Failure>? {
    let answer = Locked<Result<String, Failure>?>(nil)
    conversations.append(
      test.stream.request(RequestOrder(item: item)) { result, _ in
        answer.withLock { $0 = result.mapError(Failure.init).flatMap(\.result) }
      }
    )
    test.skip()
    return { answer.withLock { $0 } }
  }

  func order(_ item: String) -> Result<String, Failure>? { begin(item)() }

  /// Sends first, and pays then.
  func gift(
    _ item: String,
    after done: String? = nil,
    failing verb: String
  ) -> Result<String, Failure>? {
    failing = [verb]
    let gift = Saga<Order>("gift")
      .step("send", standing: "The gift was sent.") {
        RequestService<Post>(verb: "send", what: $0.item)
      }
      .step("pay") { RequestService<Bank>(verb: "pay", what: $0.item) }
    let answer = Locked<Result<String, Failure>?>(nil)
    let subscription = test.stream.on(RequestGift.self) { request, turn in
      gift.run(Order(item: request.item), after: done, turn) { result, _ in
        answer.withLock { $0 = result.map(\.item) }
      }
    }
    test.stream.send(RequestGift(item: item))
    test.skip()
    subscription.cancel()
    return answer.withLock { $0 }
  }

  func orderInScript(_ item: String) -> Result<String, Failure>? {
    let answer = Locked<Result<String, Failure>?>(nil)
    test.app.port(named: "script")
      .begin(.allOrNothing) { result, _ in
        guard case .success(let unit) = result else { return }
        unit.request(RequestOrder(item: item)) { result, _ in
          answer.withLock { $0 = result.mapError(Failure.init).flatMap(\.result) }
          unit.rollBack { _, _ in }
        }
      }
    test.skip()
    return answer.withLock { $0 }
  }

  /// The service that holds on to something for longest does it.
  func goOn() {
    let (verb, what, turn) = held.withLock { $0.removeFirst() }
    turn.send(ResponseService<Bank>(serve(verb, what)))
    turn.release()
    test.skip()
  }

  /// It is never heard of again.
  func forget() {
    held.withLock { $0.removeFirst() }.turn.release()
    test.skip()
  }

  /// Cancels between the failure of a sending and what takes the steps before it back.
  func cancelBehindSending() {
    test.stream.on(ResponseService<Post>.self) { _, turn in turn.send(ResponseNews()) }
    test.stream.on(ResponseNews.self, owner: self) { shop, _, turn in
      if let last = shop.conversations.last { turn.stream.cancel(last) }
    }
  }

  func cancel() {
    if let last = conversations.last { test.stream.cancel(last) }
    test.skip()
  }
}
