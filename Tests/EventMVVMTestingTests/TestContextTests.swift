import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Testing

struct RequestGreeting: ModelEvent, ViewModelEvent, Request {
  typealias Reply = ResponseGreeting
  var name = ""
}

struct ResponseGreeting: ModelEvent, ViewModelEvent, Response {
  var result: Result<String, Failure>

  init(_ result: Result<String, Failure>) {
    self.result = result
  }
}

struct RequestNothing: ViewModelEvent {
  var number = 0
}

@Suite(.hangLimit) struct TestContextTests {
  private struct Greeter: Plugin {
    let name = "greeter"
    func join(_ stream: EventStream) {
      stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
    }
  }

  private struct SlowGreeter: Plugin {
    let name = "slow-greeter"
    func join(_ stream: EventStream) {
      stream.answerAsync(RequestGreeting.self) { request, turn in
        turn.send(RequestNothing(number: 1))
        await Task.yield()
        return "hello \(request.name)"
      }
    }
  }

  /// Expects exactly these issues.
  private func expectIssues(_ messages: [String], _ body: () -> Void) {
    let seen = Locked<[String]>([])
    withKnownIssue {
      body()
    } matching: { issue in
      seen.withLock { $0.append(contentsOf: issue.comments.map(\.rawValue)) }
      return true
    }
    #expect(seen.withLock { $0 } == messages)
  }

  @Test func `what was asserted passes`() {
    let test = TestContext()
    test.add(Greeter())
    test.send(RequestGreeting(name: "you"))
    test.expect(ResponseGreeting(.success("hello you")))
    test.done()
  }

  @Test func `a request gives its reply, and the events in between remain`() {
    let test = TestContext()
    test.add(Greeter())
    let reply = test.request(RequestGreeting(name: "you"))
    #expect(reply == .success(ResponseGreeting(.success("hello you"))))
    test.expect(ResponseGreeting(.success("hello you")))
    test.done()
  }

  @Test func `what was not asserted fails, once`() {
    let test = TestContext()
    expectIssues(["not asserted:\nRequestNothing(number: 7)"]) {
      test.stream.send(RequestNothing(number: 7))
      test.done()
    }
    test.done()
  }

  @Test func `what was not asserted fails when the context ends`() {
    expectIssues(["not asserted:\nRequestNothing(number: 1)\nRequestNothing(number: 2)"]) {
      let test = TestContext()
      test.stream.send(RequestNothing(number: 1))
      test.stream.send(RequestNothing(number: 2))
    }
  }

  @Test func `what was not asserted fails at the next send`() {
    expectIssues(["not asserted:\nRequestNothing(number: 1)"]) {
      let test = TestContext()
      test.stream.send(RequestNothing(number: 1))
      test.send(RequestNothing(number: 2))
    }
  }

  @Test func `a wrong event fails and names both`() {
    expectIssues(["expected RequestNothing(number: 2)\n     got RequestNothing(number: 1)"]) {
      let test = TestContext()
      test.stream.send(RequestNothing(number: 1))
      test.expect(RequestNothing(number: 2))
    }
  }

  @Test func `a wrong type fails and names both`() {
    expectIssues(["expected RequestGreeting, got RequestNothing(number: 1)"]) {
      let test = TestContext()
      test.stream.send(RequestNothing(number: 1))
      #expect(test.expect(RequestGreeting.self) == nil)
    }
  }

  @Test func `an event that never came fails`() {
    expectIssues(["expected RequestGreeting, but nothing more happened"]) {
      TestContext().expect(RequestGreeting())
    }
  }

  @Test func `an event can be expected by its type, and read`() {
    let test = TestContext()
    test.stream.send(RequestNothing(number: 3))
    #expect(test.expect(RequestNothing.self)?.number == 3)
    #expect(test.envelope?.sequence == 1)
  }

  @Test func `an unanswered request says so, as an event too`() {
    let test = TestContext()
    #expect(test.request(RequestGreeting()) == .failure(.unanswered))
    let news = test.expect(ResponseUnanswered.self)
    #expect(news?.request == "RequestGreeting")
    #expect(news?.reason == .unanswered)
    test.done()
  }

  @Test func `skipping asserts what has happened so far`() {
    let test = TestContext()
    test.stream.send(RequestNothing(number: 1))
    test.skip()
    test.send(RequestNothing(number: 2))
    test.done()
  }

  @Test func `the clock is frozen until it is set`() {
    let test = TestContext(now: Instant(milliseconds: 5))
    test.send(RequestNothing())
    #expect(test.envelope?.time == Instant(milliseconds: 5))
    test.send(RequestNothing())
    #expect(test.envelope?.time == Instant(milliseconds: 5))
    test.now = Instant(milliseconds: 9)
    test.send(RequestNothing())
    #expect(test.envelope?.time == Instant(milliseconds: 9))
    #expect(test.now == Instant(milliseconds: 9))
  }

  @Test func `ids count from one, and roots belong to session one`() {
    let test = TestContext()
    var ids: [String] = []
    test.stream.on(RequestNothing.self) { _, turn in ids.append(turn.makeID().text) }
    test.send(RequestNothing())
    test.send(RequestNothing())
    #expect(
      ids == [
        "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002",
      ]
    )
    #expect(test.envelope?.root == Root(session: 1, number: 2))
  }

  @Test func `asynchronous handlers are drained, on the test's thread`() {
    let test = TestContext()
    test.add(SlowGreeter())
    let reply = test.request(RequestGreeting(name: "you"))
    #expect(reply == .success(ResponseGreeting(.success("hello you"))))
    test.expect(RequestNothing(number: 1))
    test.expect(ResponseGreeting(.success("hello you")))
    test.done()
  }

  @Test func `an executor runs nothing until it is drained`() {
    let executor = DrainExecutor()
    let ran = Locked<[String]>([])
    Task(executorPreference: executor) {
      ran.withLock { $0.append("first") }
      await Task.yield()
      ran.withLock { $0.append("second") }
    }
    #expect(ran.withLock { $0 } == [])
    #expect(executor.drain() == true)
    #expect(ran.withLock { $0 } == ["first", "second"])
    #expect(executor.drain() == false)
  }
}
