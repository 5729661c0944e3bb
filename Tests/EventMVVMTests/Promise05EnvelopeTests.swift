import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise05EnvelopeTests {
  private func describe(_ event: any Event, _ turn: borrowing Turn) -> String {
    let cause = turn.cause.map { "\($0)" } ?? "-"
    return "\(type(of: event)) \(turn.sequence) \(cause) \(turn.root.number) \(turn.originName)"
  }

  @Test func `Promise 5: a delivery carries sequence, cause, root and origin`() {
    let stream = EventStream()
    var log: [String] = []
    stream.observeAll { event, turn in log.append(describe(event, turn)) }
    stream.on(RequestCount.self) { _, turn in
      turn.send(RequestOther())
      turn.send(RequestThird())
    }
    stream.on(RequestOther.self) { _, turn in turn.send(ResponseSaved()) }
    let shell = stream.joined(as: "shell")
    shell.send(RequestCount())
    stream.send(RequestCount())
    #expect(
      log == [
        "RequestCount 1 - 1 shell", "RequestOther 2 1 1 shell", "RequestThird 3 1 1 shell",
        "ResponseSaved 4 2 1 shell", "RequestCount 5 - 5 application",
        "RequestOther 6 5 5 application", "RequestThird 7 5 5 application",
        "ResponseSaved 8 6 5 application",
      ]
    )
  }

  @Test(arguments: Producers.allCases)
  func `Promise 5: cause and root lead to the intent, whoever sends`(producers: Producers) {
    let rig = Rig()
    var envelopes: [UInt64: Envelope] = [:]
    var strays = 0
    var chains = 0
    rig.stream.observeAll { _, turn in envelopes[turn.sequence] = turn.envelope }
    rig.stream.on(RequestCount.self) { event, turn in turn.send(RequestOther(number: event.number))
    }
    rig.stream.on(RequestOther.self) { _, turn in turn.send(RequestThird()) }
    rig.stream.on(RequestThird.self) { _, turn in
      let other = turn.cause.flatMap { envelopes[$0] }
      let count = other?.cause.flatMap { envelopes[$0] }
      let intent = producers == .asynchronous ? count?.cause : count?.sequence
      let isRoot = producers == .asynchronous || count?.cause == nil
      chains += 1
      if turn.root.number != intent || turn.root != count?.root || !isRoot { strays += 1 }
    }
    rig.produce(producers) { producer, sender in
      for number in 0..<100 { sender.send(RequestCount(producer: producer, number: number)) }
    }
    #expect(chains == 100 * producers.count)
    #expect(strays == 0)
  }

  @Test func `Promise 5: what an asynchronous handler sends is caused by what it handles`() {
    let rig = Rig()
    var log: [String] = []
    rig.stream.observeAll { event, turn in log.append(describe(event, turn)) }
    rig.stream.on(RequestOther.self) { _, turn in
      turn.perform { held in
        held.send(RequestThird())
        _ = try? await held.request(RequestGreeting())
        held.send(ResponseSaved())
      }
    }
    rig.stream.answerAsync(RequestGreeting.self) { _, _ in "hello" }
    rig.stream.joined(as: "shell").send(RequestOther())
    rig.drain()
    #expect(
      log == [
        "RequestOther 1 - 1 shell", "RequestThird 2 1 1 shell", "RequestGreeting 3 1 1 shell",
        "ResponseGreeting 4 3 1 shell", "ResponseSaved 5 1 1 shell",
      ]
    )
  }

  @Test func `Promise 5: a request and its reply have a cause each`() {
    let stream = EventStream()
    var log: [String] = []
    stream.observeAll { event, turn in log.append(describe(event, turn)) }
    stream.answer(RequestGreeting.self) { _, _ in "hello" }
    stream.on(RequestOther.self) { _, turn in
      turn.request(RequestGreeting()) { _, turn in turn.send(RequestThird()) }
    }
    stream.joined(as: "shell").send(RequestOther())
    #expect(
      log == [
        "RequestOther 1 - 1 shell", "RequestGreeting 2 1 1 shell", "ResponseGreeting 3 2 1 shell",
        "RequestThird 4 3 1 shell",
      ]
    )
  }

  @Test func `Promise 5: time is when the turn came, the same for all who look`() {
    let clock = Locked(Instant(milliseconds: 1))
    let stream = EventStream(environment: Environment(now: { clock.withLock { $0 } }))
    var log: [Int64] = []
    for _ in 0..<2 {
      stream.on(RequestCount.self) { _, turn in
        log.append(turn.time.milliseconds)
        clock.withLock { $0 = $0.adding(milliseconds: 10) }
        log.append(turn.envelope.time.milliseconds)
      }
    }
    stream.send(RequestCount())
    stream.send(RequestCount())
    #expect(log == [1, 1, 1, 1, 21, 21, 21, 21])
  }

  @Test func `Promise 5: a held delivery keeps its envelope`() {
    let clock = Locked(Instant(milliseconds: 1))
    let stream = EventStream(
      environment: Environment(now: { clock.withLock { $0 } }, session: 7)
    )
    var held: AsyncTurn?
    stream.on(RequestCount.self) { _, turn in held = turn.hold() }
    stream.send(RequestCount())
    clock.withLock { $0 = Instant(milliseconds: 5) }
    #expect(
      held?.envelope
        == Envelope(
          sequence: 1,
          cause: nil,
          root: Root(session: 7, number: 1),
          origin: .application,
          time: Instant(milliseconds: 1)
        )
    )
  }

  @Test func `Promise 5: a root is unique across processes`() {
    let first = EventStream(environment: Environment(session: 0xABC))
    let second = EventStream(environment: Environment(session: 0xDEF))
    var roots: [String] = []
    for stream in [first, second] {
      stream.on(RequestCount.self) { _, turn in roots.append("\(turn.root)") }
      stream.send(RequestCount())
    }
    #expect(roots == ["0000000000000abc-1", "0000000000000def-1"])
    #expect(EventStream().session != EventStream().session)
  }

  @Test(arguments: [
    ("0000000000000abc-1", Root(session: 0xABC, number: 1)),
    ("ffffffffffffffff-18446744073709551615", Root(session: .max, number: .max)),
    ("abc-1", Root(session: 0xABC, number: 1)),
    ("", nil), ("abc", nil), ("abc-", nil), ("-1", nil), ("abc-1-2", nil), ("xyz-1", nil),
    ("1ffffffffffffffff-1", nil),
  ])
  func `Promise 5: a root reads what it writes`(text: String, root: Root?) {
    #expect(Root(text) == root)
    if let root { #expect(Root(root.description) == root) }
  }

  @Test func `Promise 5: two sessions of one frontend are two origins of one name`() {
    let stream = EventStream()
    let first = stream.joined(as: "shell")
    let second = stream.joined(as: "shell")
    #expect(first.origin != second.origin)
    #expect(stream.name(of: first.origin) == "shell")
    #expect(stream.name(of: second.origin) == "shell")
    #expect(stream.name(of: stream.origin) == "application")
  }
}
