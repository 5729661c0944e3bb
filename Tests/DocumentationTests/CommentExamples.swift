@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import Testing

/// The examples that stand in comments of the toolkit, and not in an article, too.
@Suite(.hangLimit) struct CommentExamples {
  @Test func `a stream`() {
    let stream = EventStream()
    stream.observeAll { event, turn in print(turn.sequence, event) }
    stream.on(RequestGreeting.self) { request, turn in
      turn.send(ResponseGreeting(.success("Hello, \(request.name)")))
    }
    stream.send(RequestGreeting(name: "you"))
  }

  @Test func `observing everything`() {
    let stream = EventStream()
    stream.observeAll { event, _ in print(event) }
  }

  @Test func `an event`() {
    struct RequestGreeting: ViewModelEvent, Request {
      typealias Reply = ResponseGreeting
      var name = ""
    }
    #expect(RequestGreeting.name == "RequestGreeting")
  }

  @Test func `a context`() throws {
    let context = AppContext()
    context.add(Greeter(), TallyPlugin())
    try context.check([RequestGreeting.self, RequestTally.self])
    #expect(context.memberNames == ["greeter", "tally"])
  }

  @Test func `a plugin`() {
    struct Greeter: Plugin {
      let name = "greeter"
      func join(_ stream: EventStream) {
        stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)" }
      }
    }
    PluginLaws.check { Greeter() }
  }

  @Test func `a port`() async throws {
    let context = AppContext(home: .ownThread)
    context.add(Greeter())
    let port = context.port(named: "view")
    let greeting = try await port.request(RequestGreeting(name: "you"))
    #expect(greeting == "Hello, you!")
    context.stream.stop()
  }

  @Test func `a command`() {
    struct RequestGreeting: Command {
      typealias Reply = ResponseGreeting
      var name = "you"
      static let command = CommandSpec<Self>("greet", "Greets somebody.")
        .word(\.name, "Whom")
    }
    #expect(RequestGreeting.command.forgotten(in: RequestGreeting()) == [])
  }

  @Test func `a spec`() {
    struct RequestEdit: Command {
      typealias Reply = ResponseGreeting
      var id = 0
      var title: String?
      var tags: [String] = []
      static let command = CommandSpec<Self>("edit", "Changes a todo.")
        .word(\.id, "Which")
        .option(\.title, "Its title")
        .option(\.tags, "A label to add", flag: "--tag")
    }
    #expect(RequestEdit.command.flags.sorted() == ["--tag", "--title"])
  }

  @Test func `what another thread brings`() throws {
    let answer = Locked<String?>(nil)
    Thread.detachNewThread { answer.withLock { $0 = "yes" } }
    try waitUntil("there is an answer") { answer.withLock { $0 != nil } }
  }

  @Test func `what another thread delivers`() throws {
    let stream = EventStream(home: .ownThread)
    let greetings = Arrivals(ResponseGreeting.self, on: stream)  // before the act
    stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)!" }
    stream.send(RequestGreeting(name: "Ann"))
    #expect(try greetings.wait("Ann is greeted") == [ResponseGreeting(.success("Hello, Ann!"))])
    stream.stop()
  }

  @Test func `observing with a method`() {
    final class Census: EventObserver {
      var counts: [String: Int] = [:]
      func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
        counts[E.name, default: 0] += 1
      }
    }
    let stream = EventStream()
    let census = Census()
    stream.observeAll(with: census)
    stream.send(RequestGreeting())
    #expect(census.counts["RequestGreeting"] == 1)
  }

  @Test func `events as a sequence`() async {
    let stream = EventStream()
    let events = stream.events(RequestGreeting.self, buffer: .newest(10))
    stream.send(RequestGreeting(name: "Ann"))
    events.cancel()
    var names: [String] = []
    for await delivery in events where delivery.missed == 0 {
      names.append(delivery.event.name)
    }
    #expect(names == ["Ann"])
  }

  @Test func `changes of states among other events`() {
    let stream = EventStream()
    let unread = State(0, name: "unread", on: stream)
    var log: [String] = []
    stream.observeAll { event, _ in
      if let change = event as? ResponseState<Int> {
        log.append("\(change.stateName): \(change.value)")
      }
    }
    unread.set(3)
    #expect(log == ["unread: 3"])
  }

  @Test func `a request that no plugin serves`() {
    let context = AppContext()
    #expect(throws: ConfigurationError.self) { try context.check([RequestGreeting.self]) }
  }

  @Test func `a date as people write it`() throws {
    let now = try #require(Instant(iso8601: "2026-11-27T12:00:00.000Z"))
    let when = try When(word: "tomorrow 9am")
    let due = try when.date(of: "due", at: now, in: .utc)
    #expect(due.text == "2026-11-28T09:00")
  }

  @Test func `a gate`() throws {
    let gate = Gate()
    Thread.detachNewThread { gate.open() }
    try gate.wait("the thread has started")
    #expect(gate.isOpen)
  }

  @Test func `a test`() {
    let test = TestContext()
    test.add(Greeter())
    test.send(RequestGreeting())
    test.expect(ResponseGreeting(.success("Hello, you!")))
    test.done()
  }
}

@Suite(.hangLimit) struct GreeterTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestGreeting(name: "Ann")]) { Greeter() }
  }
}
