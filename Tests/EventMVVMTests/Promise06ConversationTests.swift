import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise06ConversationTests {
  private func text(_ result: Result<ResponseGreeting, Interruption>) -> String {
    switch result {
    case .success(let reply):
      switch reply.result {
      case .success(let value): value
      case .failure(let failure): failure.message
      }
    case .failure(let interruption): "\(interruption)"
    }
  }

  // MARK: Replies

  @Test(arguments: Producers.allCases)
  func `Promise 6: a request gets the reply to that request`(producers: Producers) {
    let rig = Rig()
    let log = Log()
    rig.stream.answerAsync(RequestGreeting.self) { request, turn in
      try await turn.request(RequestReading(name: request.name))
    }
    rig.stream.answer(RequestReading.self) { request, _ in "hello \(request.name)" }
    rig.produce(producers) { [stream = rig.stream] producer, sender in
      for number in 0..<50 {
        let name = "\(producer).\(number)"
        stream.request(RequestGreeting(name: name)) { result, _ in
          if self.text(result) != "hello \(name)" { log.add("\(name) got \(result)") }
          log.add("answered")
        }
      }
      sender.send(RequestCount())
    }
    #expect(log.lines == Array(repeating: "answered", count: 50 * producers.count))
  }

  @Test func `Promise 6: replies out of order still find their requests`() {
    let stream = EventStream()
    var held: [(String, AsyncTurn)] = []
    var log: [String] = []
    stream.on(RequestGreeting.self) { request, turn in held.append((request.name, turn.hold())) }
    for name in ["a", "b", "c"] {
      stream.request(RequestGreeting(name: name)) { result, _ in
        log.append("\(name): \(text(result))")
      }
    }
    for (name, turn) in held.reversed() {
      turn.send(ResponseGreeting("hello \(name)"))
      turn.release()
    }
    #expect(log == ["c: hello c", "b: hello b", "a: hello a"])
  }

  @Test func `Promise 6: a reply answers the nearest enclosing request of its kind`() {
    let stream = EventStream()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
    stream.on(RequestForwarding.self) { request, turn in
      turn.request(RequestGreeting(name: request.name)) { result, turn in
        log.append("inner: \(text(result))")
        turn.send(ResponseGreeting("\(text(result)), forwarded"))
      }
    }
    stream.request(RequestForwarding(name: "you")) { result, _ in
      log.append("outer: \(text(result))")
    }
    #expect(log == ["inner: hello you", "outer: hello you, forwarded"])
  }

  @Test func `Promise 6: a surplus reply answers nobody`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestGreeting.self) { request, turn in
      turn.send(ResponseGreeting("first to \(request.name)"))
      turn.send(ResponseGreeting("second to \(request.name)"))
    }
    stream.observeAll { event, _ in log.append("\(type(of: event))") }
    stream.on(RequestOther.self) { _, turn in
      for name in ["a", "b"] {
        turn.stream.request(RequestGreeting(name: name)) { result, _ in log.append(text(result)) }
      }
    }
    stream.send(RequestOther())
    #expect(
      log == [
        "RequestOther", "RequestGreeting", "RequestGreeting", "ResponseGreeting", "first to a",
        "ResponseGreeting", "ResponseGreeting", "first to b", "ResponseGreeting",
      ]
    )
  }

  @Test func `Promise 6: a response outside of any request answers nobody`() {
    let stream = EventStream()
    var log: [String] = []
    var held: AsyncTurn?
    stream.on(RequestGreeting.self) { _, turn in held = turn.hold() }
    stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    stream.send(ResponseGreeting("stray"))
    #expect(log == [])
    held?.send(ResponseGreeting("mine"))
    #expect(log == ["mine"])
  }

  @Test func `Promise 6: the requester comes after the reply's observers, in its turn`() {
    let stream = EventStream()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { _, _ in "hello" }
    stream.on(ResponseGreeting.self) { _, turn in log.append("observer \(turn.sequence)") }
    stream.request(RequestGreeting()) { _, turn in log.append("requester \(turn.sequence)") }
    #expect(log == ["observer 2", "requester 2"])
  }

  @Test func `Promise 6: awaiting gives the reply's value or throws its failure`() async throws {
    let stream = EventStream(home: .ownThread)
    stream.answer(RequestGreeting.self) { request, _ in
      if request.name == "" { throw Failure(.validation, "A name is missing.", field: "name") }
      return "hello \(request.name)"
    }
    let answer = try await stream.request(RequestGreeting(name: "you"))
    #expect(answer == "hello you")
    await #expect(throws: Failure(.validation, "A name is missing.", field: "name")) {
      try await stream.request(RequestGreeting())
    }
    stream.stop()
  }

  @Test func `Promise 6: requests from many tasks each get their own reply`() async throws {
    let stream = EventStream(home: .ownThread)
    stream.answerAsync(RequestGreeting.self) { request, turn in
      try await turn.request(RequestReading(name: request.name)) + "!"
    }
    stream.answer(RequestReading.self) { request, _ in "hello \(request.name)" }
    let strays = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          try await stream.request(RequestGreeting(name: "\(number)")) != "hello \(number)!"
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(strays == 0)
    stream.stop()
  }

  // MARK: Unanswered

  @Test(arguments: Producers.allCases)
  func `Promise 6: an unanswered request fails at once, and that is an event`(
    producers: Producers
  ) {
    let rig = Rig()
    var log: [String] = []
    rig.stream.on(RequestGreeting.self) { request, turn in log.append("asked \(request.name)") }
    rig.stream.on(ResponseUnanswered.self) { news, turn in
      log.append("\(news.request) \(news.reason) \(news.sequence == turn.cause)")
    }
    rig.produce(producers) { producer, sender in
      sender.send(RequestGreeting(name: "\(producer)"))
    }
    let asked = log.filter { $0.hasPrefix("asked") }
    let lapsed = log.filter { $0 == "RequestGreeting unanswered true" }
    #expect(asked.count == producers.count)
    #expect(lapsed.count == producers.count)
    #expect(log.count == producers.count * 2)
  }

  @Test func `Promise 6: the requester learns of it in the turn of the event`() {
    let stream = EventStream()
    var log: [String] = []
    stream.observeAll { event, turn in log.append("\(turn.sequence) \(type(of: event))") }
    stream.request(RequestGreeting()) { result, turn in
      log.append("\(turn.sequence) \(text(result))")
    }
    stream.send(RequestCount())
    #expect(
      log == ["1 RequestGreeting", "2 ResponseUnanswered", "2 unanswered", "3 RequestCount"]
    )
  }

  @Test func `Promise 6: awaiting an unanswered request throws`() async {
    let stream = EventStream(home: .ownThread)
    await #expect(throws: Interruption.unanswered) { try await stream.request(RequestGreeting()) }
    stream.stop()
  }

  @Test func `Promise 6: an unanswered inner request leaves the outer one open`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestForwarding.self) { _, turn in
      turn.request(RequestGreeting()) { result, turn in
        log.append("inner: \(text(result))")
        turn.send(ResponseGreeting("nobody is there"))
      }
    }
    stream.request(RequestForwarding()) { result, _ in log.append("outer: \(text(result))") }
    #expect(log == ["inner: unanswered", "outer: nobody is there"])
  }

  @Test func `Promise 6: a request whose inner request lapses lapses after it`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestForwarding.self) { _, turn in turn.send(RequestGreeting()) }
    stream.on(ResponseUnanswered.self) { news, _ in log.append(news.request) }
    stream.request(RequestForwarding()) { result, _ in log.append(text(result)) }
    #expect(log == ["RequestGreeting", "RequestForwarding", "unanswered"])
  }

  // MARK: What keeps it open

  @Test func `Promise 6: an event that it caused keeps it open while queued or handled`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestGreeting.self) { _, turn in turn.send(RequestCount(number: 1)) }
    stream.on(RequestCount.self) { event, turn in
      if event.number < 100 { return turn.send(RequestCount(number: event.number + 1)) }
      turn.send(ResponseGreeting("after \(event.number)"))
    }
    stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    #expect(log == ["after 100"])
  }

  @Test(arguments: [true, false])
  func `Promise 6: a hold keeps it open until it is let go of`(explicitly: Bool) {
    let stream = EventStream()
    var log: [String] = []
    var held: AsyncTurn?
    stream.on(RequestGreeting.self) { _, turn in held = turn.hold() }
    stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    stream.send(RequestCount())
    #expect(log == [])
    if explicitly { held?.release() } else { held = nil }
    #expect(log == ["unanswered"])
    held?.release()
    held?.send(ResponseGreeting("late"))
    #expect(log == ["unanswered"])
  }

  @Test func `Promise 6: a hold let go of on another thread closes it`() {
    let stream = EventStream()
    var log: [String] = []
    let held = Locked<AsyncTurn?>(nil)
    stream.on(RequestGreeting.self) { _, turn in
      let hold = turn.hold()
      held.withLock { $0 = hold }
    }
    stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    elsewhere { held.withLock { $0 }?.release() }
    #expect(log == [])
    stream.deliver()
    #expect(log == ["unanswered"])
  }

  @Test func `Promise 6: what is sent before a hold is let go of still answers`() {
    let stream = EventStream()
    var log: [String] = []
    let held = Locked<AsyncTurn?>(nil)
    stream.on(RequestGreeting.self) { _, turn in
      let hold = turn.hold()
      held.withLock { $0 = hold }
    }
    stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    elsewhere {
      held.withLock { $0 }?.send(ResponseGreeting("in time"))
      held.withLock { $0 }?.release()
    }
    stream.deliver()
    #expect(log == ["in time"])
  }

  @Test func `Promise 6: an asynchronous handler keeps it open until it returns`() {
    let rig = Rig()
    var log: [String] = []
    rig.stream.onAsync(RequestGreeting.self, buffer: .oldest(10)) { request, turn, _ in
      guard request.name == "answered" else { return }
      turn.send(ResponseGreeting("later"))
    }
    for name in ["answered", "forgotten"] {
      rig.stream.request(RequestGreeting(name: name)) { result, _ in log.append(text(result)) }
    }
    #expect(log == [])
    rig.drain()
    #expect(log == ["later", "unanswered"])
  }

  @Test func `Promise 6: a bounded sequence never keeps it open`() {
    let rig = Rig()
    var log: [String] = []
    let events = rig.stream.events(RequestGreeting.self, buffer: .oldest(10))
    rig.stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    #expect(log == ["unanswered"])
    withExtendedLifetime(events) {}
  }

  @Test func `Promise 6: an asynchronous handler's missed event is not held either`() {
    let rig = Rig()
    var log: [String] = []
    rig.stream.onAsync(RequestGreeting.self, buffer: .newest(2)) { request, turn, _ in
      turn.send(ResponseGreeting("hello \(request.name)"))
    }
    for name in ["a", "b", "c"] {
      rig.stream.request(RequestGreeting(name: name)) { result, _ in
        log.append("\(name): \(text(result))")
      }
    }
    #expect(log == ["a: unanswered"])
    rig.drain()
    #expect(log == ["a: unanswered", "b: hello b", "c: hello c"])
  }

  // MARK: Cancelling

  @Test func `Promise 6: cancelling before the work began prevents it`() {
    let stream = EventStream()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { _, _ in
      log.append("worked")
      return "hello"
    }
    stream.on(ResponseUnanswered.self) { news, _ in
      log.append("\(news.request) \(news.sequence) \(news.reason)")
    }
    stream.on(RequestCount.self) { _, turn in
      let conversation = turn.stream.request(RequestGreeting()) { result, _ in
        log.append(text(result))
      }
      turn.stream.cancel(conversation)
      turn.stream.cancel(conversation)
    }
    stream.send(RequestCount())
    #expect(log == ["RequestGreeting 0 cancelled", "cancelled"])
  }

  @Test func `Promise 6: cancelling reaches work that waits for somebody else, and it replies`() {
    let rig = TestContext()
    let clock = TestClock()
    rig.stream.answerAsync(RequestGreeting.self) { request, held in
      try await held.cancellable {
        guard (try? await clock.sleep(for: .seconds(4))) != nil else { return "not any more" }
        return "hello \(request.name)"
      }
    }
    var log: [String] = []
    var conversations: [Conversation] = []
    for name in ["a", "b"] {
      conversations.append(
        rig.stream.request(RequestGreeting(name: name)) { result, _ in log.append(text(result)) }
      )
    }
    rig.drain()
    #expect(clock.sleeperCount == 2)
    let (stream, first) = (rig.stream, conversations[0])
    elsewhere { stream.cancel(first) }
    rig.drain()
    #expect(log == ["not any more"])
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(4))
    rig.drain()
    #expect(log == ["not any more", "hello b"])
    rig.skip()
  }

  @Test func `Promise 6: cancelling the one who waits cancels what it waits for`() {
    let rig = TestContext()
    let clock = TestClock()
    rig.stream.answerAsync(RequestGreeting.self) { _, held in
      try await held.cancellable {
        (try? await clock.sleep(for: .seconds(4))) == nil ? "not any more" : "hello"
      }
    }
    rig.stream.declareAnswerer(of: RequestForwarding.self)
    rig.stream.on(RequestForwarding.self) { _, turn in
      turn.request(RequestGreeting()) { result, turn in
        turn.send(ResponseGreeting("forwarded \(text(result))"))
      }
    }
    var log: [String] = []
    let conversation = rig.stream.request(RequestForwarding()) { result, _ in
      log.append(text(result))
    }
    rig.drain()
    rig.stream.cancel(conversation)
    rig.drain()
    #expect(log == ["forwarded not any more"])
    rig.skip()
  }

  @Test func `Promise 6: cancelling on another thread before the work began prevents it`() {
    let stream = EventStream()
    let log = Log()
    stream.answer(RequestGreeting.self) { _, _ in
      log.add("worked")
      return "hello"
    }
    elsewhere {
      let conversation = stream.request(RequestGreeting()) { result, _ in
        log.add(self.text(result))
      }
      stream.cancel(conversation)
    }
    stream.deliver()
    #expect(log.lines == ["cancelled"])
  }

  @Test func `Promise 6: after the work began the reply is delivered`() {
    let stream = EventStream()
    var log: [String] = []
    var held: AsyncTurn?
    stream.on(RequestGreeting.self) { _, turn in held = turn.hold() }
    let conversation = stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    #expect(held?.isCancelled == false)
    stream.cancel(conversation)
    #expect(held?.isCancelled == true)
    #expect(log == [])
    held?.send(ResponseGreeting("done all the same"))
    held?.release()
    #expect(log == ["done all the same"])
  }

  @Test func `Promise 6: begun, cancelled and never answered, it ends as cancelled`() {
    let stream = EventStream()
    var log: [String] = []
    var held: AsyncTurn?
    stream.on(RequestGreeting.self) { _, turn in held = turn.hold() }
    let conversation = stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    stream.cancel(conversation)
    held?.release()
    #expect(log == ["cancelled"])
  }

  @Test func `Promise 6: cancelling an answered request changes nothing`() {
    let stream = EventStream()
    var log: [String] = []
    stream.answer(RequestGreeting.self) { _, _ in "hello" }
    stream.on(ResponseUnanswered.self) { _, _ in log.append("unanswered") }
    let conversation = stream.request(RequestGreeting()) { result, _ in log.append(text(result)) }
    stream.cancel(conversation)
    #expect(log == ["hello"])
  }

  @Test func `Promise 6: cancelling reaches the requests inside that have not begun`() {
    let stream = EventStream()
    var log: [String] = []
    var held: AsyncTurn?
    stream.answer(RequestGreeting.self) { _, _ in
      log.append("worked")
      return "hello"
    }
    stream.on(ResponseUnanswered.self) { news, turn in
      log.append("\(news.request) \(turn.root.number) \(turn.cause ?? 0)")
    }
    stream.on(RequestForwarding.self) { _, turn in held = turn.hold() }
    let conversation = stream.request(RequestForwarding()) { result, _ in
      log.append("outer: \(text(result))")
    }
    stream.cancel(conversation)
    held?.send(RequestGreeting())
    held = nil
    #expect(
      log == ["RequestGreeting 1 1", "RequestForwarding 1 1", "outer: cancelled"]
    )
  }

  @Test func `Promise 6: a cancelled task's request never begins`() async {
    let stream = EventStream(home: .ownThread)
    let log = Log()
    let isCancelled = Gate()
    stream.answer(RequestGreeting.self) { _, _ in
      log.add("worked")
      return "hello"
    }
    stream.on(RequestCount.self) { _, _ in
      #expect(throws: Never.self) { try isCancelled.wait("the task is cancelled") }
    }
    // Whatever the task asks for is behind that, and the thread goes on once the task is cancelled.
    stream.send(RequestCount())
    let task = Task { try await stream.request(RequestGreeting()) }
    task.cancel()
    isCancelled.open()
    await #expect(throws: Interruption.cancelled) { try await task.value }
    #expect(log.lines == [])
    stream.stop()
  }

  @Test func `Promise 6: a task cancelled while its request is worked on gets the reply`()
    async throws
  {
    let stream = EventStream(home: .ownThread)
    let held = Locked<AsyncTurn?>(nil)
    let task = Locked<Task<String, any Error>?>(nil)
    stream.on(RequestGreeting.self) { _, turn in
      let hold = turn.hold()
      held.withLock { $0 = hold }
    }
    task.withLock { $0 = Task { try await stream.request(RequestGreeting()) } }
    try await waitUntil("the request is worked on") { held.withLock { $0 != nil } }
    task.withLock { $0 }?.cancel()
    held.withLock { $0 }?.send(ResponseGreeting("hello"))
    held.withLock { $0 }?.release()
    let answer = try? await task.withLock { $0 }?.value
    #expect(answer == "hello")
    stream.stop()
  }
}
