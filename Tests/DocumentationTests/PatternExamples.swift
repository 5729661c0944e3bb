import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// The examples that stand in the comments of EventPatterns.
@Suite(.hangLimit) struct PatternExamples {
  @Test func `a store`() {
    struct Basket: Equatable {
      var items: [String] = []
    }
    let test = TestContext()
    let stream = test.stream
    let store = Store(Basket(), name: "basket", on: stream)
      .reducing(ResponseItem.self) { basket, item in basket.items.append(item.name) }
      .reducing(RequestEmptyBasket.self) { basket, _ in basket.items = [] }
    stream.send(ResponseItem(name: "milk"))
    test.drain()
    #expect(store.state.value.items == ["milk"])
    stream.send(RequestEmptyBasket())
    test.skip()
    #expect(store.state.value == Basket())
  }

  @Test func `a reactor`() {
    let test = TestContext()
    let stream = test.stream
    let service = Post()
    let reactor = Reactor(Inbox(), name: "inbox", on: stream) { (inbox, mutation: Inbox.Mutation) in
      switch mutation {
      case .loading(let isLoading): inbox.isLoading = isLoading
      case .loaded(let messages): inbox.messages = messages
      }
    }
    .mutating(RequestRefresh.self, .latest) { _, _, emit in
      emit(.loading(true))
      let messages = await service.messages()
      emit(.loaded(messages))
      emit(.loading(false))
    }
    stream.send(RequestRefresh())
    test.skip()
    #expect(reactor.state.value == Inbox(messages: ["hello"]))
  }

  @Test func `changes of a list`() {
    let changes = ListChanges(from: ["milk", "tea"], to: ["tea", "bread", "milk"], by: \.self)
    #expect(changes.moved == [.init(from: 0, to: 2)])
    #expect(changes.inserted == [.init(at: 1, "bread")])
  }

  @Test func `a saga`() {
    let order = Saga<Order>("order")
      .step("reserve") {
        RequestReserve(item: $0.item)
      } keep: { order, number in
        order.reservation = number
      } undo: {
        RequestRelease(reservation: $0.reservation)
      }
      .step("pay") {
        RequestPay(price: $0.price)
      } undo: {
        RequestRefund(price: $0.price)
      }
      .step("send") { RequestDelivery(item: $0.item) }
    #expect(order.name == "order")
  }

  @Test func `a callback`() async throws {
    let printer = Printer()
    let text = try await Callback.wait { callback in
      printer.print("hello") { text, error in
        callback(text.map { .success($0) } ?? .failure(Failure(.store, "\(error)")))
      }
    }
    #expect(text == "printed hello")
  }

  @Test func `a clock that stands still`() {
    let clock = TestClock()
    clock.advance(by: .seconds(4))
    #expect(clock.now.offset == .seconds(4))
  }

  @Test func services() throws {
    var services = Services()
    services.add((any Network).self) { LoopbackNetwork() }
    services.add((any ImageCache).self, .session) { MemoryCache() }
    services.add((any Images).self, .session, needs: (any Network).self, (any ImageCache).self) {
      ImageController($0, $1)
    }
    let scope = try services.start()
    #expect(scope.session().get((any Images).self) is ImageController)
  }
}

extension PatternExamples {
  @Test func `an answer for an account`() {
    let test = TestContext()
    let stream = test.stream
    let office = Office()
    office.join(stream)
    var answer: Result<ResponseView<Message>, Interruption>?
    stream.request(RequestParcel()) { result, _ in answer = result }
    test.skip()
    #expect(answer == .success(ResponseView(.failure(.needsAccount))))
  }

  @Test func `a reply that is given later`() {
    let test = TestContext()
    let stream = test.stream
    let replies = Locked<[DeferredReply<RequestParcel>]>([])
    stream.declareAnswerer(of: RequestParcel.self)
    stream.on(RequestParcel.self) { request, turn in
      let reply = DeferredReply(to: request, turn, or: Failure(.cancelled, "The office is closed."))
      replies.withLock { $0.append(reply) }
    }
    var answer: Result<ResponseView<Message>, Interruption>?
    stream.request(RequestParcel()) { result, _ in answer = result }
    test.skip()
    #expect(answer == nil)
    let reply = replies.withLock { $0[0] }
    reply.give(.success("A parcel."))
    test.skip()
    #expect(answer == .success(ResponseView(.success("A parcel."))))
  }
}

private struct RequestParcel: Command {
  typealias Reply = ResponseView<Message>
  static let command = CommandSpec<Self>("parcel", "Hands a parcel over.")
}

private final class Office: Sendable {
  func parcel(for name: String) -> Result<Message, Failure> { .success("A parcel for \(name).") }

  func join(_ stream: EventStream) {
    stream.answer(RequestParcel.self, owner: self) { office, _, account, turn, answer in
      guard let account else { return answer(.failure(.needsAccount), turn) }
      answer(office.parcel(for: account.name), turn)
    }
  }
}

private struct ResponseItem: ViewModelEvent {
  let name: String
}

private struct RequestEmptyBasket: ViewModelEvent {}

private struct Inbox: Equatable {
  enum Mutation: Equatable {
    case loading(Bool), loaded([String])
  }

  var isLoading = false
  var messages: [String] = []
}

private struct RequestRefresh: ViewModelEvent {}

private struct Post {
  func messages() async -> [String] { ["hello"] }
}

/// An API that calls back.
private struct Printer {
  func print(_ text: String, then: @escaping @Sendable (String?, Int32) -> Void) {
    then("printed \(text)", 0)
  }
}

private protocol Network: Sendable {}
private protocol ImageCache: Sendable {}
private protocol Images: Sendable {}
private struct LoopbackNetwork: Network {}
private struct MemoryCache: ImageCache {}

private struct ImageController: Images {
  init(_ network: any Network, _ cache: any ImageCache) {}
}

private struct Order {
  var item = "lamp"
  var price = 3
  var reservation = 0
}

private protocol RequestOfShop: Request, ModelEvent where Reply == ResponseShop {}

private struct ResponseShop: Response, ModelEvent {
  let result: Result<Int, Failure>
  init(_ result: Result<Int, Failure>) { self.result = result }
}

private struct RequestReserve: RequestOfShop { let item: String }
private struct RequestRelease: RequestOfShop { let reservation: Int }
private struct RequestPay: RequestOfShop { let price: Int }
private struct RequestRefund: RequestOfShop { let price: Int }
private struct RequestDelivery: RequestOfShop { let item: String }
