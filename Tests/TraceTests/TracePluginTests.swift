import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing

@testable import Trace

@Suite(.hangLimit) struct TracePluginTests {
  private let test = TestContext()

  init() {
    test.add(TracePlugin(), Lamps())
  }

  private func report(
    _ count: Int? = nil,
    _ test: TestContext? = nil,
    all: Bool = false
  ) throws -> TraceReport {
    let test = test ?? self.test
    defer { test.skip() }
    var request = RequestTrace()
    request.all = all
    request.count = try count.map { try Count(word: "\($0)") }
    return try #require(try test.request(request)?.get().result.get())
  }

  private func text(_ count: Int? = nil, in test: TestContext? = nil) throws -> String {
    var page = Page()
    try report(count, test).show(on: &page)
    return page.text
  }

  private func json(_ count: Int? = nil, all: Bool = false) throws -> String {
    var json = JSONWriter()
    try report(count, all: all).write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func conversations(_ count: Int, all: Bool = false) throws -> [JSON] {
    guard case .array(let list) = try JSON(parsing: json(count, all: all)) else { return [] }
    return list
  }

  /// The events of a conversation.
  private func events(of conversation: JSON) -> [JSON] {
    guard case .array(let events)? = conversation["events"] else { return [] }
    return events
  }

  /// What a conversation began with.
  private func subject(of conversation: JSON) -> JSON? {
    events(of: conversation).first?["subject"]
  }

  private func send<E: Event>(_ event: E) {
    test.send(event)
    test.skip()
  }

  // MARK: What it shows

  @Test func `S97 it shows which state changed, and which action changed it`() throws {
    send(RequestLamp(name: "#3"))
    #expect(
      try text() == """
        application  2025-11-20T10:00:00.000Z  0000000000000001-1
          RequestLamp            0 ms  #3
            ResponseState<Bool>  0 ms  lamp is lit
            ResponseLamp         0 ms

        """
    )
  }

  @Test func `S97 what did not change is not among what an action did`() throws {
    send(RequestLamp(name: "#3", isOn: false))
    #expect(
      try text() == """
        application  2025-11-20T10:00:00.000Z  0000000000000001-1
          RequestLamp     0 ms  #3
            ResponseLamp  0 ms

        """
    )
  }

  @Test func `a program gets the events in their order, with what caused each`() throws {
    send(RequestLamp(name: "#3", isOn: false))
    #expect(
      try json()
        == #"[{"root":"0000000000000001-1","origin":"application","#
        + #""at":"2025-11-20T10:00:00.000Z","events":["#
        + ##"{"seq":1,"cause":null,"type":"RequestLamp","subject":"#3","at":0,"took":0},"##
        + #"{"seq":2,"cause":1,"type":"ResponseLamp","subject":null,"at":0,"took":null}],"#
        + #""missed":0}]"#
    )
  }

  @Test func `the origin is who asked, and the time counts from the root`() throws {
    let port = test.app.port(named: "view")
    let stream = test.stream
    stream.on(RequestLamp.self) { [test] _, _ in
      test.now = test.now.adding(milliseconds: 12)
    }
    port.send(RequestLamp(name: "door"))
    test.skip()
    #expect(
      try text() == """
        view  2025-11-20T10:00:00.000Z  0000000000000001-1
          RequestLamp             0 ms  door
            ResponseState<Bool>  12 ms  lamp is lit
            ResponseLamp         12 ms

        """
    )
  }

  @Test func `the last conversation is shown, or as many as are asked for, the latest last`() throws
  {
    for name in ["a", "b", "c"] { send(RequestLamp(name: name, isOn: false)) }
    #expect(try conversations(1).map { $0["root"] } == ["0000000000000001-5"])
    #expect(
      try conversations(2).map { $0["root"] } == ["0000000000000001-3", "0000000000000001-5"]
    )
    #expect(try conversations(99).count == 3)
    #expect(try text(2).contains("\n\n"))
  }

  @Test func `of a request it says how long the reply took, and of nothing else`() throws {
    test.stream.on(RequestLamp.self) { [test] request, turn in
      test.now = test.now.adding(milliseconds: 5)
      if request.name == "a" { turn.send(RequestLamp(name: "b", isOn: false)) }
    }
    send(RequestLamp(name: "a", isOn: false))
    let events = events(of: try #require(try conversations(1).first))
    #expect(
      events.map { $0["type"] } == ["RequestLamp", "ResponseLamp", "RequestLamp", "ResponseLamp"]
    )
    #expect(events.map { $0["at"] } == [0, 5, 5, 10])
    #expect(events.map { $0["took"] } == [5, .null, 5, .null])
  }

  // MARK: What was asked for

  @Test func `what keeps a frontend up to date is shown where all is wanted alone`() throws {
    let port = test.app.port(named: "view")
    port.request(RequestLamp(name: "prompt"), isHousekeeping: true) { _, _ in }
    port.request(RequestLamp(name: "person")) { _, _ in }
    port.request(RequestLamp(name: "status"), isHousekeeping: true) { _, _ in }
    test.skip()
    #expect(try conversations(9).map(subject) == ["person"])
    #expect(try conversations(9, all: true).map(subject) == ["prompt", "person", "status"])
    #expect(try conversations(1, all: true).map(subject) == ["status"])
  }

  @Test func `what is asked for inside of housekeeping is part of it`() throws {
    test.stream.on(RequestLamp.self) { request, turn in
      if request.name == "outer" { turn.send(RequestLamp(name: "inner", isOn: false)) }
    }
    test.app.port(named: "view")
      .request(RequestLamp(name: "outer", isOn: false), isHousekeeping: true) { _, _ in }
    test.skip()
    #expect(try conversations(9).isEmpty)
    #expect(try conversations(9, all: true).map { events(of: $0).count } == [4])
  }

  @Test func `what states something is nothing that was asked for`() throws {
    let door = State(false, name: "door", on: test.stream)
    door.set(true)
    test.skip()
    #expect(try conversations(9).isEmpty)
    #expect(try conversations(9, all: true).map(subject) == ["door"])
  }

  @Test func `an action that nobody answers was asked for`() throws {
    send(RequestCountdown(count: 1))
    #expect(try conversations(9).count == 1)
  }

  @Test func `what nobody asked for displaces nothing that somebody did`() throws {
    let port = test.app.port(named: "view")
    port.request(RequestLamp(name: "person")) { _, _ in }
    for _ in 1...100 { port.request(RequestLamp(), isHousekeeping: true) { _, _ in } }
    test.skip()
    #expect(try conversations(9).map(subject) == ["person"])
    #expect(try conversations(999, all: true).count == 65)
  }

  // MARK: What is not shown

  @Test func `what asks for the trace is not in it`() throws {
    send(RequestLamp(name: "a", isOn: false))
    let first = try text(9)
    #expect(try text(9) == first)
    #expect(!first.contains("Trace"))
  }

  @Test func `where there was nothing before, it says so`() throws {
    #expect(try text() == "Nothing was asked for before this.\n")
    #expect(try json() == "[]")
    #expect(try text(64) == "Nothing was asked for before this.\n")
  }

  @Test func `no conversation at all can't be asked for`() throws {
    let failure = Failure(.usage, "'trace' shows at least one conversation.", field: "count")
    let reply = try test.request(RequestTrace(count: Count(word: "0")))?.get()
    #expect(reply?.result == .failure(failure))
    test.skip()
  }

  @Test func `inside a unit it shows the unit so far`() throws {
    let port = test.app.port(named: "batch")
    var report: TraceReport?
    port.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestLamp(name: "a")) { _, _ in
        unit.request(RequestTrace()) { result, _ in
          report = try? result.get().result.get()
          unit.commit { _, _ in }
        }
      }
    }
    test.skip()
    var page = Page()
    try #require(report).show(on: &page)
    // The state is a fact, and waits until the unit is kept.
    #expect(
      page.text == """
        batch  2025-11-20T10:00:00.000Z  0000000000000001-1
          RequestUnit       0 ms
            RequestLamp     0 ms  a
              ResponseLamp  0 ms
            RequestTrace    0 ms

        """
    )
    #expect(
      try text() == """
        batch  2025-11-20T10:00:00.000Z  0000000000000001-1
          RequestUnit              0 ms
            RequestLamp            0 ms  a
              ResponseLamp         0 ms
              ResponseState<Bool>  0 ms  lamp is lit
            RequestTrace           0 ms
              ResponseTrace        0 ms
            ResponseUnit           0 ms

        """
    )
  }

  @Test func `nothing that users typed reaches a terminal raw`() throws {
    let port = test.app.port(named: "\u{1B}[31m")
    port.send(RequestLamp(name: "\u{202E}x", isOn: false))
    test.skip()
    #expect(
      try text() == """
        \\u{1B}[31m  2025-11-20T10:00:00.000Z  0000000000000001-1
          RequestLamp     0 ms  \\u{202E}x
            ResponseLamp  0 ms

        """
    )
  }

  @Test func `in colour the subject stands out`() throws {
    send(RequestLamp(name: "#3", isOn: false))
    var page = Page(hasColor: true)
    try report().show(on: &page)
    #expect(page.text.contains("  \u{1B}[36m#3\u{1B}[0m\n"))
  }

  // MARK: What it keeps

  @Test func `it keeps no event alive`() {
    weak var probe: RequestCarry.Load?
    do {
      let load = RequestCarry.Load()
      probe = load
      test.app.stream.send(RequestCarry(load: load))
    }
    // The context under test keeps all events, and so takes no part here.
    let context = AppContext()
    context.add(TracePlugin())
    weak var other: RequestCarry.Load?
    do {
      let load = RequestCarry.Load()
      other = load
      context.stream.send(RequestCarry(load: load))
    }
    #expect(other == nil)
    #expect(probe != nil)
    test.skip()
  }

  @Test func `it keeps the last 64 conversations`() throws {
    for number in 1...100 { send(RequestLamp(name: "\(number)", isOn: false)) }
    let kept = try conversations(1000)
    #expect(kept.count == 64)
    #expect(kept.first.flatMap(subject) == "37")
    #expect(kept.last.flatMap(subject) == "100")
    #expect(try conversations(2).first.flatMap(subject) == "99")
  }

  @Test(arguments: [(255, 255, 0), (256, 256, 0), (257, 256, 1), (1000, 256, 744)])
  func `it keeps the first and the last 128 events of a conversation`(
    _ count: Int,
    _ kept: Int,
    _ missed: Int
  ) throws {
    send(RequestCountdown(count: count))
    let conversation = try #require(try conversations(1).first)
    let events = events(of: conversation)
    let wanted = (1...count).filter { $0 <= 128 || $0 > count - 128 }
    #expect(events.map { $0["seq"] } == wanted.map { .integer(Int64($0)) })
    #expect(events.count == kept)
    #expect(conversation["missed"] == .integer(Int64(missed)))
  }

  @Test func `a gap is shown where it is, and what came of it stands beneath the root`() throws {
    send(RequestCountdown(count: 1000))
    let lines = try text().split(separator: "\n")
    #expect(lines.count == 1 + 256 + 1)
    #expect(
      lines[1] == "  RequestCountdown" + String(repeating: " ", count: 32) + "0 ms"
    )
    #expect(lines[129] == "  … 744 more, which were not kept …")
    #expect(lines[130].hasPrefix("    RequestCountdown "))
    #expect(lines[131].hasPrefix("      RequestCountdown "))
    // A long chain is moved in no further than this.
    #expect(lines[257].hasPrefix(String(repeating: "  ", count: 16) + "RequestCountdown "))
  }

  @Test func `what belongs to a conversation that was given up is left alone`() throws {
    var held: AsyncTurn?
    test.stream.on(RequestCarry.self) { _, turn in held = turn.hold() }
    send(RequestCarry(load: .init()))
    for number in 1...64 { send(RequestLamp(name: "\(number)", isOn: false)) }
    held?.send(RequestCountdown(count: 1))
    test.skip()
    let kept = try conversations(1000)
    #expect(kept.count == 64)
    #expect(kept.first.flatMap(subject) == "1")
    #expect(try !json(64).contains("RequestCountdown"))
  }

  @Test func `conversations that speak in turns are kept apart`() throws {
    var held: AsyncTurn?
    test.stream.on(RequestCarry.self) { _, turn in held = turn.hold() }
    send(RequestCarry(load: .init()))
    send(RequestLamp(name: "a", isOn: false))
    held?.send(RequestCountdown(count: 1))
    held?.release()
    test.skip()
    send(RequestLamp(name: "b", isOn: false))
    #expect(
      try conversations(3).map { events(of: $0).count } == [2, 2, 2]
    )
  }

  // MARK: What it is

  @Test func `S13 it keeps the plugin laws, and knows the stream alone`() {
    PluginLaws.check(sending: [RequestTrace()]) { TracePlugin() }
  }

  @Test func `its command names every property, and is a method of its own name`() {
    #expect(RequestTrace.command.forgotten(in: RequestTrace()) == [])
    var catalogue = Catalogue()
    catalogue.add(TracePlugin())
    #expect(catalogue.method(of: RequestTrace.self) == "trace")
    #expect(RequestTrace.command.usage == "trace [N] [--all]")
    #expect(!RequestTrace.writes)
  }
}
