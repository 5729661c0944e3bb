import EventMVVMTesting
import Foundation
import Testing

@testable import EventMVVM

/// An event that is a class, against S3.
private final class RequestByReference: ModelEvent {
  static func == (first: RequestByReference, second: RequestByReference) -> Bool {
    first === second
  }
}

@Suite(.hangLimit) struct RowTests {
  private struct Greeter: Plugin {
    let name = "greeter"
    func join(_ stream: EventStream) {
      stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
    }
  }

  private struct Counter: Plugin {
    let name = "counter"
    let log: Log
    func join(_ stream: EventStream) {
      stream.on(ResponseGreeting.self) { response, _ in log.add("\(response.result)") }
    }
  }

  // MARK: One stream

  @Test func `S1 a context has one stream, and any holder observes and sends`() {
    let log = Log()
    let context = AppContext()
    context.add(Greeter(), Counter(log: log))
    let port = context.port(named: "shell")
    port.send(RequestGreeting(name: "from a view"))
    context.stream.send(RequestGreeting(name: "from the root"))
    #expect(log.lines == ["success(\"hello from a view\")", "success(\"hello from the root\")"])
    #expect(context.memberNames == ["greeter", "counter"])
  }

  @Test func `S1 who joined is checked: names, answerers and gaps`() {
    let context = AppContext()
    context.add(Greeter(), Greeter())
    let problems = ConfigurationError(problems: [
      "two plugins are named 'greeter': Greeter and Greeter",
      "RequestGreeting is answered by both 'greeter' and 'greeter'",
      "nobody answers RequestReading",
    ])
    #expect(throws: problems) {
      try context.check([RequestGreeting.self, RequestReading.self])
    }
    #expect(throws: Never.self) {
      let context = AppContext()
      context.add(Greeter())
      try context.check([RequestGreeting.self])
    }
  }

  @Test func `S1 a context whose stream has a thread of its own can be checked as well`() {
    let context = AppContext(home: .ownThread)
    context.add(Greeter())
    #expect(throws: ConfigurationError(problems: ["nobody answers RequestReading"])) {
      try context.check([RequestGreeting.self, RequestReading.self])
    }
    context.stream.stop()
  }

  @Test func `S2 an event travels under the name of its type`() {
    #expect(RequestGreeting.name == "RequestGreeting")
    #expect(ResponseGreeting.name == "ResponseGreeting")
    #expect(ResponseState<Int>.name == "ResponseState<Int>")
  }

  @Test func `S3 an event type that is a class is refused`() async {
    await #expect(processExitsWith: .failure) {
      EventStream().on(RequestByReference.self) { _, _ in }
    }
    await #expect(processExitsWith: .success) {
      EventStream().on(RequestCount.self) { _, _ in }
    }
  }

  @Test func `S4 an observer names its executor, and only the work after that runs there`() {
    let stream = EventStream()
    let (first, second) = (DrainExecutor(), DrainExecutor())
    let log = Log()
    stream.on(RequestCount.self) { event, _ in log.add("home \(event.number)") }
    stream.onAsync(RequestCount.self, buffer: .oldest(9), on: first) { event, _, _ in
      log.add("first \(event.number)")
    }
    stream.onAsync(RequestCount.self, buffer: .oldest(9), on: second) { event, _, _ in
      log.add("second \(event.number)")
    }
    stream.send(RequestCount(number: 1))
    stream.send(RequestCount(number: 2))
    #expect(log.lines == ["home 1", "home 2"])
    second.drain()
    first.drain()
    #expect(
      log.lines == ["home 1", "home 2", "second 1", "second 2", "first 1", "first 2"]
    )
  }

  @Test(arguments: Producers.allCases)
  func `S4 many observers on any thread see one total order`(producers: Producers) {
    let rig = Rig()
    let other = DrainExecutor()
    let (here, there) = (Log(), Log())
    rig.stream.onAsync(RequestCount.self, buffer: .oldest(1000)) { event, turn, _ in
      here.add("\(turn.envelope.sequence) \(event)")
    }
    rig.stream.onAsync(RequestCount.self, buffer: .oldest(1000), on: other) { event, turn, _ in
      there.add("\(turn.envelope.sequence) \(event)")
    }
    rig.produce(producers) { producer, sender in
      for number in 0..<100 { sender.send(RequestCount(producer: producer, number: number)) }
    }
    elsewhere { other.drain() }
    #expect(here.lines.count == 100 * producers.count)
    #expect(here.lines == there.lines)
  }

  @Test func `S5 sending inside a handler neither deadlocks nor recurses`() {
    let stream = EventStream()
    var depth = 0
    var deepest = 0
    var delivered = 0
    stream.on(RequestCount.self) { event, turn in
      depth += 1
      deepest = max(deepest, depth)
      delivered += 1
      if event.number < 1000 {
        turn.stream.send(RequestCount(number: event.number + 1))
        turn.send(RequestCount(number: 1000))
      }
      depth -= 1
    }
    stream.send(RequestCount(number: 1))
    #expect(deepest == 1)
    #expect(delivered == 1999)
  }

  @Test func `S97 the event of a state names it, and that of a lost request names the request`() {
    let log = Locked<[String]>([])
    let stream = EventStream()
    stream.observeAll { event, _ in
      log.withLock { $0.append("\(type(of: event).name): \(event.subject ?? "-")") }
    }
    let state = State(0, name: "count", on: stream)
    state.set(1)
    stream.send(RequestGreeting(name: "you"))
    #expect(
      log.withLock { $0 } == [
        "ResponseState<Int>: count", "RequestGreeting: -", "ResponseUnanswered: RequestGreeting",
      ]
    )
  }

  @Test func `S6 one line logs every event`() {
    let stream = EventStream()
    var log: [String] = []
    stream.observeAll { event, _ in log.append("\(event)") }
    stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
    stream.send(RequestGreeting(name: "you"))
    #expect(
      log == [
        "RequestGreeting(name: \"you\")",
        "ResponseGreeting(result: Swift.Result<Swift.String, EventMVVM.Failure>"
          + ".success(\"hello you\"))",
      ]
    )
  }

  @Test func `S7 a view sees view-model events only, a server sees both`() {
    struct RequestModel: ModelEvent {}
    struct RequestView: ViewModelEvent {}
    let context = AppContext()
    var log: [String] = []
    context.stream.on(RequestView.self) { _, turn in
      log.append("server saw the view")
      turn.send(RequestModel())
    }
    context.stream.on(RequestModel.self) { _, _ in log.append("server saw the model") }
    let port = context.port(named: "view")
    port.on(RequestView.self) { _, _ in log.append("view saw the view") }
    port.send(RequestView())
    #expect(log == ["server saw the view", "view saw the view", "server saw the model"])
  }

  // MARK: Observers

  @Test func `S10 an observer needs no boilerplate`() {
    final class ListView {
      var titles: [String] = []
      init(_ port: ViewPort) {
        port.on(ResponseGreeting.self, owner: self) { view, response, _ in
          view.titles.append((try? response.result.get()) ?? "")
        }
      }
    }
    let context = AppContext()
    context.add(Greeter())
    let view = ListView(context.port(named: "list"))
    context.stream.send(RequestGreeting(name: "a"))
    #expect(view.titles == ["hello a"])
  }

  @Test func `S11 a send reaches none of 10 000 observers of another type`() {
    let stream = EventStream()
    var calls = 0
    for _ in 0..<10_000 { stream.on(RequestOther.self) { _, _ in calls += 1 } }
    for _ in 0..<1000 { stream.send(RequestCount()) }
    #expect(calls == 0)
    #expect(stream.router.state.pointee.routes.find(StreamKey(RequestCount.self)) == nil)
    #expect(stream.subscriptionCount == 10_000)
  }

  @Test func `S12 an observer ends with its owner, without another event`() {
    let stream = EventStream()
    weak var probe: Owner?
    do {
      let owner = Owner()
      probe = owner
      stream.on(RequestCount.self, owner: owner) { _, _, _ in Issue.record("it lives on") }
    }
    #expect(probe == nil)
    stream.send(RequestCount())
  }

  @Test func `S13 servers are retained by the context and depend on the stream alone`() {
    final class Server: Plugin {
      let name = "server"
      func join(_ stream: EventStream) {
        stream.answer(RequestGreeting.self, owner: self) { _, request, _ in request.name }
      }
    }
    weak var probe: Server?
    var context: AppContext? = AppContext()
    do {
      let server = Server()
      probe = server
      context?.add(server)
    }
    var log: [String] = []
    context?.stream
      .request(RequestGreeting(name: "still there")) { result, _ in
        if case .success(let reply) = result { log.append("\(reply.result)") }
      }
    #expect(log == ["success(\"still there\")"])
    #expect(probe != nil)
    context = nil
    #expect(probe == nil)
  }

  @Test func `S14 a thousand servers of single view models come and go and leave nothing`() {
    final class DetailServer {
      let title: State<String>
      init(_ stream: EventStream) {
        title = State("", name: "title", on: stream)
        stream.on(RequestCount.self, owner: self) { server, event, turn in
          turn.set(server.title, to: "\(event.number)")
        }
        title.observe(owner: self) { _, _ in }
      }
    }
    let stream = EventStream()
    stream.on(RequestCount.self) { _, _ in }
    let before = stream.subscriptionCount
    #expect(before == 1)
    do {
      let servers = (0..<1000).map { _ in DetailServer(stream) }
      stream.send(RequestCount(number: 7))
      #expect(servers.allSatisfy { $0.title.value == "7" })
      #expect(stream.subscriptionCount == before + 2000)
    }
    // The next event of the type meets them, and they are gone; their states' routes are already.
    stream.send(RequestCount())
    #expect(stream.subscriptionCount == before)
    #expect(stream.router.state.pointee.routes.routes.count == 1)
  }

  @Test func `S14 an observer of a state whose owner is gone leaves with the next value`() {
    let stream = EventStream()
    let title = State("", name: "title", on: stream)
    let before = stream.subscriptionCount
    do {
      let owners = (0..<1000).map { _ in Owner() }
      for owner in owners { title.observe(owner: owner) { _, _ in } }
      #expect(stream.subscriptionCount == before + 1000)
    }
    title.set("a")
    #expect(stream.subscriptionCount == before)
  }

  @Test func `S14 where no event comes, those that are over are bounded by those that are not`() {
    let stream = EventStream()
    for _ in 0..<1000 { stream.on(RequestCount.self, owner: Owner()) { _, _, _ in } }
    #expect(stream.subscriptionCount <= 16)
  }

  @Test func `S15 with two lists open, one request opens one detail`() {
    final class List {
      var opened: [String] = []
      let port: ViewPort
      init(_ port: ViewPort) { self.port = port }
      func open(_ name: String) {
        port.request(RequestGreeting(name: name)) { [self] result, _ in
          if case .success(let reply) = result { opened.append("\(reply.result)") }
        }
      }
    }
    let context = AppContext()
    context.add(Greeter())
    let (left, right) = (List(context.port(named: "list")), List(context.port(named: "list")))
    left.open("a")
    #expect(left.opened == ["success(\"hello a\")"])
    #expect(right.opened == [])
  }

  // MARK: Replies

  @Test func `S16 a requester can tell its own response, and its own error, from others'`() {
    let rig = Rig()
    var log: [String] = []
    rig.stream.answerAsync(RequestGreeting.self) { request, _ in
      if request.name == "b" { throw Failure(.notFound, "There is no 'b'.") }
      return "hello \(request.name)"
    }
    for name in ["a", "b", "c"] {
      rig.stream.request(RequestGreeting(name: name)) { result, _ in
        if case .success(let reply) = result { log.append("\(name): \(reply.result)") }
      }
    }
    rig.drain()
    let failure: Result<String, Failure> = .failure(Failure(.notFound, "There is no 'b'."))
    #expect(log == ["a: success(\"hello a\")", "b: \(failure)", "c: success(\"hello c\")"])
  }

  @Test func `S40 an error is carried in the response and names its subject`() {
    let stream = EventStream()
    var failures: [Failure] = []
    stream.answer(RequestGreeting.self) { _, _ in
      throw Failure(.conflict, "Somebody changed it.", field: "title", id: 42)
    }
    stream.on(ResponseGreeting.self) { response, _ in
      if case .failure(let failure) = response.result { failures.append(failure) }
    }
    stream.send(RequestGreeting())
    #expect(failures == [Failure(.conflict, "Somebody changed it.", field: "title", id: 42)])
    #expect(failures.first?.id == 42)
    #expect(failures.first?.field == "title")
  }

  @Test func `S41 success and failure are handled in one block of one observer`() {
    let stream = EventStream()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { request, _ in
      if request.name.isEmpty { throw Failure(.usage, "A name is missing.") }
      return request.name
    }
    stream.on(ResponseGreeting.self) { response, _ in
      switch response.result {
      case .success(let name): log.append(name)
      case .failure(let failure): log.append(failure.message)
      }
    }
    stream.send(RequestGreeting(name: "you"))
    stream.send(RequestGreeting())
    #expect(log == ["you", "A name is missing."])
  }

  @Test func `S56 a handler is a function of its event`() {
    var logs: [[String]] = [[], []]
    for run in 0..<2 {
      let stream = EventStream(environment: Environment(session: 7))
      stream.observeAll { event, turn in logs[run].append("\(turn.sequence) \(event)") }
      stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
      stream.send(RequestGreeting(name: "a"))
      stream.send(RequestGreeting(name: "b"))
    }
    #expect(logs[0].count == 4)
    #expect(logs[0] == logs[1])
  }

  // MARK: Flaws that are gone

  @Test func `S68 no observer dies after its first error`() {
    let stream = EventStream()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { _, _ in throw Mishap() }
    stream.on(ResponseGreeting.self) { response, _ in
      if case .failure(let failure) = response.result { log.append(failure.message) }
    }
    for _ in 0..<3 { stream.send(RequestGreeting()) }
    #expect(log == ["Mishap()", "Mishap()", "Mishap()"])
  }

  @Test func `S73 a server's closures don't retain it`() {
    final class ModelServer {
      init(_ stream: EventStream) {
        stream.answer(RequestGreeting.self, owner: self) { _, request, _ in request.name }
        stream.on(RequestCount.self, owner: self) { _, _, _ in }
      }
    }
    let stream = EventStream()
    weak var probe: ModelServer?
    do {
      let server = ModelServer(stream)
      probe = server
      stream.send(RequestCount())
    }
    #expect(probe == nil)
    stream.send(RequestGreeting())
  }

  @Test func `S73 handlers that hold a state don't keep the stream`() {
    weak var probe: Owner?
    do {
      let held = Owner()
      probe = held
      let stream = EventStream()
      let state = State(0, name: "state", on: stream)
      stream.on(RequestCount.self) { event, turn in
        turn.set(state, to: event.number)
        withExtendedLifetime(held) {}
      }
      state.observe { [state] _, _ in withExtendedLifetime(state) {} }
      stream.send(RequestCount(number: 1))
    }
    #expect(probe == nil)
  }

  @Test func `S73 asynchronous handlers that have returned don't keep the stream`() {
    weak var probe: Owner?
    let executor = DrainExecutor()
    do {
      let held = Owner()
      probe = held
      let stream = EventStream()
      stream.onAsync(RequestCount.self, buffer: .newest(2), on: executor) { _, _, _ in
        withExtendedLifetime(held) {}
      }
      for _ in 0..<5 { stream.send(RequestCount()) }
      repeat { stream.deliver() } while executor.drain()
    }
    executor.drain()
    #expect(probe == nil)
  }

  @Test func `S73 a state outlives its stream in peace`() {
    var state: State<Int>?
    do {
      let stream = EventStream()
      state = State(0, name: "state", on: stream)
      state?.set(1)
    }
    state?.set(2)
    state?.observe { _, _ in }.cancel()
    #expect(state?.value == 1)
    state = nil
  }

  // MARK: The rest

  @Test func `S82 a state stays with the component that owns it`() {
    final class Row {
      let isExpanded: State<Bool>
      init(_ stream: EventStream) {
        isExpanded = State(false, name: "isExpanded", on: stream)
      }
    }
    let stream = EventStream()
    let rows = (0..<3).map { _ in Row(stream) }
    var log: [String] = []
    for (index, row) in rows.enumerated() {
      row.isExpanded.observe { value, _ in log.append("\(index) \(value)") }
    }
    rows[1].isExpanded.set(true)
    #expect(log == ["0 false", "1 false", "2 false", "1 true"])
  }

  @Test func `S89 a test rig replaces the view, or the server`() {
    let context = AppContext()
    context.add(Greeter())
    var seen: [String] = []
    let view = context.port(named: "test")
    view.request(RequestGreeting(name: "a")) { result, _ in seen.append("\(result)") }
    let replaced = AppContext()
    replaced.stream.answer(RequestGreeting.self) { _, _ in "canned" }
    replaced.port(named: "view")
      .request(RequestGreeting(name: "a")) { result, _ in
        seen.append("\(result)")
      }
    let first: Result<ResponseGreeting, Interruption> = .success(ResponseGreeting("hello a"))
    let second: Result<ResponseGreeting, Interruption> = .success(ResponseGreeting("canned"))
    #expect(seen == ["\(first)", "\(second)"])
  }

  @Test(arguments: [false, true])
  func `S90 synchronous and asynchronous work look alike to the caller`(isAsync: Bool) async throws
  {
    let stream = EventStream(home: .ownThread)
    if isAsync {
      stream.answerAsync(RequestGreeting.self) { request, _ in "hello \(request.name)" }
    } else {
      stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
    }
    #expect(try await stream.request(RequestGreeting(name: "you")) == "hello you")
    stream.stop()
  }

  @Test func `S100 what the world gives is made outside and resolved through the turn`() {
    let id = UniqueID(high: 1, low: 2)
    let stream = EventStream(
      environment: Environment(
        now: { Instant(milliseconds: 3) },
        makeID: { id },
        zone: .utc,
        session: 4
      )
    )
    var log: [String] = []
    stream.on(RequestCount.self) { _, turn in
      log.append("\(turn.time.milliseconds) \(turn.makeID() == id) \(turn.root)")
      let held = turn.hold()
      log.append("\(held.envelope.time.milliseconds) \(held.makeID() == id)")
    }
    stream.send(RequestCount())
    #expect(
      log == ["3 true 0000000000000004-1", "3 true"]
    )
  }

  @Test func `S101 the first event is not lost to late binding`() throws {
    let stream = EventStream(home: .ownThread)
    let log = Log()
    let loaded = Gate()
    stream.on(RequestCount.self) { event, _ in
      log.add("did load \(event.number)")
      loaded.open()
    }
    stream.send(RequestCount(number: 1))
    try loaded.wait("the first event is delivered")
    #expect(log.lines == ["did load 1"])
    stream.stop()
  }

  @Test func `S101 whoever binds late to a state still gets what was set first`() {
    let stream = EventStream()
    let state = State("loading", name: "phase", on: stream)
    state.set("loaded")
    var log: [String] = []
    state.observe { value, _ in log.append(value) }
    #expect(log == ["loaded"])
  }
}
