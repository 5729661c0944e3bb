import EventMVVM
import EventMVVMTesting
import ProcessTesting
import Testing

@Suite(.hangLimit) struct Promise10LayerTests {
  @Test func `Promise 10: a port passes view-model events in both directions`() {
    let stream = EventStream()
    let port = ViewPort(stream.joined(as: "shell"))
    let owner = Owner()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { request, turn in
      "hello \(request.name), \(turn.originName)"
    }
    port.on(RequestCount.self) { _, turn in
      turn.send(RequestOther(number: 1))
      turn.request(RequestGreeting(name: "inside")) { result, _ in log.append("\(result)") }
    }
    port.on(RequestOther.self, owner: owner) { _, event, turn in
      log.append("\(event) \(turn.sequence) \(turn.envelope.cause ?? 0)")
    }
    port.send(RequestCount())
    port.request(RequestGreeting(name: "outside")) { result, _ in log.append("\(result)") }
    let inside: Result<ResponseGreeting, Interruption> = .success(
      ResponseGreeting("hello inside, shell")
    )
    let outside: Result<ResponseGreeting, Interruption> = .success(
      ResponseGreeting("hello outside, shell")
    )
    #expect(log == ["RequestOther(number: 1) 2 1", "\(inside)", "\(outside)"])
  }

  @Test func `Promise 10: sending a model event from a view does not compile`() throws {
    let errors = try errorLines(
      """
      import EventMVVM
      struct RequestShown: ViewModelEvent {}
      struct RequestStored: ModelEvent, Request { typealias Reply = ResponseStored }
      struct ResponseStored: ModelEvent, Response { var result: Result<Int, Failure> }
      extension ResponseStored { init(_ result: Result<Int, Failure>) { self.result = result } }
      func send(_ port: ViewPort) { port.send(RequestShown()) }
      func sendStored(_ port: ViewPort) { port.send(RequestStored()) }
      func ask(_ port: ViewPort) { port.request(RequestStored()) { _, _ in } }
      func askAsync(_ port: ViewPort) async throws { _ = try await port.request(RequestStored()) }
      func see(_ port: ViewPort) { port.on(RequestStored.self) { _, _ in } }
      func turn(_ port: ViewPort) { port.on(RequestShown.self) { $1.send(RequestShown()) } }
      func turnStored(_ port: ViewPort) { port.on(RequestShown.self) { $1.send(RequestStored()) } }
      func turnStream(_ port: ViewPort) { port.on(RequestShown.self) { _ = $1.stream } }
      func stream(_ port: ViewPort) { _ = port.stream }
      func unit(_ unit: StreamUnit) { unit.request(RequestStored()) { _, _ in } }
      """
    )
    #expect(errors == [7, 8, 9, 10, 12, 13, 14, 15])
  }

  @Test func `Promise 10: nor does it from a view's unit`() throws {
    let errors = try errorLines(
      """
      import EventMVVM
      struct RequestShown: ViewModelEvent, Request { typealias Reply = ResponseShown }
      struct RequestStored: ModelEvent {}
      struct ResponseShown: ViewModelEvent, Response { var result: Result<Int, Failure> }
      extension ResponseShown { init(_ result: Result<Int, Failure>) { self.result = result } }
      func shown(_ unit: StreamUnit) { unit.request(RequestShown()) { $1.send(RequestShown()) } }
      func stored(_ unit: StreamUnit) { unit.request(RequestShown()) { $1.send(RequestStored()) } }
      """
    )
    #expect(errors == [7])
  }
}
