@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventValues
import JSONText
import Testing

@Suite(.hangLimit) struct TallyPluginTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestTally()]) { TallyPlugin() }
  }

  @Test func `it counts requests, and nothing else`() {
    let test = TestContext()
    test.add(Greeter(), TallyPlugin())
    test.send(RequestGreeting(name: "Ann"))
    test.expect(ResponseGreeting(.success("Hello, Ann!")))
    test.send(RequestGreeting(name: "Bob"))
    test.expect(ResponseGreeting(.success("Hello, Bob!")))
    test.send(RequestTally())
    let lines = [
      Tally.Line(request: "RequestGreeting", count: 2),
      Tally.Line(request: "RequestTally", count: 1),
    ]
    test.expect(ResponseTally(.success(Tally(lines: lines))))
    test.done()
  }

  @Test func `a request that nobody made is not found`() {
    let test = TestContext()
    test.add(TallyPlugin())
    test.send(RequestTally(requests: ["RequestNap"]))
    let failure = Failure(.notFound, "Nobody has made a RequestNap.", field: "requests")
    test.expect(ResponseTally(.failure(failure)))
  }

  @Test func `its command names every property`() {
    #expect(RequestTally.command.forgotten(in: RequestTally()) == [])
  }

  @Test func `every frontend speaks its command`() throws {
    let context = AppContext()
    var catalogue = Catalogue()
    let plugins: [any Plugin] = [Greeter(), TallyPlugin()]
    for plugin in plugins {
      context.add(plugin)
      catalogue.add(plugin)
    }
    try context.check(catalogue)

    let frontend = EchoFrontend(catalogue, ["greet Ann", "tally --limit 1", "tally --limit no"])
    _ = frontend.run(context.port(named: frontend.name))
    #expect(
      frontend.screen == [
        "Hello, Ann!\n", "1 RequestGreeting\n", "--limit: 'no' is not a whole number from 0",
      ]
    )
  }

  @Test func `its result is JSON, too`() {
    var json = JSONWriter()
    Tally(lines: [Tally.Line(request: "RequestGreeting", count: 2)]).write(to: &json)
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"RequestGreeting":2}"#)
  }
}

/// What else a plugin may want to do.
@Suite(.hangLimit) struct PluginTechniques {
  @Test func `work that takes time leaves the home thread`() {
    let test = TestContext()
    let stream = test.stream
    stream.answerAsync(RequestGreeting.self) { request, turn in
      for _ in 1...3 where !turn.isCancelled { await Task.yield() }
      return "Hello at last, \(request.name)!"
    }
    test.send(RequestGreeting(name: "Ann"))
    test.expect(ResponseGreeting(.success("Hello at last, Ann!")))
  }

  @Test func `time and ids are the turn's`() {
    let test = TestContext()
    let stream = test.stream
    stream.answer(RequestGreeting.self) { request, turn in
      "Hello, \(request.name)! It is \(turn.time.iso8601), and this is \(turn.makeID().text)."
    }
    test.send(RequestGreeting(name: "Ann"))
    let sentence = """
      Hello, Ann! It is 2025-11-20T10:00:00.000Z, and this is 00000000-0000-4000-8000-000000000001.
      """
    test.expect(ResponseGreeting(.success("\(sentence)")))
  }

  @Test func `an answer waits for others on the way`() {
    let test = TestContext()
    test.add(TallyPlugin())
    let stream = test.stream
    stream.answer(RequestGreeting.self) { request, turn in
      let tally = try await turn.request(RequestTally(requests: ["RequestGreeting"]))
      return "Hello, \(request.name), number \(tally.lines.first?.count ?? 0)!"
    }
    test.send(RequestGreeting(name: "Ann"))
    test.expect(RequestTally(requests: ["RequestGreeting"]))
    test.expect(ResponseTally.self)
    test.expect(ResponseGreeting(.success("Hello, Ann, number 1!")))
  }

  @Test func `one request can ask others on the way`() {
    let test = TestContext()
    test.add(TallyPlugin())
    let stream = test.stream
    stream.on(RequestGreeting.self) { request, turn in
      turn.request(RequestTally(requests: ["RequestGreeting"])) { result, turn in
        let count = try? result.get().result.get().lines.first?.count
        turn.send(ResponseGreeting(.success("Hello, \(request.name), number \(count ?? 0)!")))
      }
    }
    test.send(RequestGreeting(name: "Ann"))
    test.expect(RequestTally(requests: ["RequestGreeting"]))
    test.expect(ResponseTally.self)
    test.expect(ResponseGreeting(.success("Hello, Ann, number 1!")))
  }
}
