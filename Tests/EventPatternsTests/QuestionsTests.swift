import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S83: a person owes an answer, and whoever waits for it gets one, however it ends.
@Suite(.hangLimit) struct QuestionsTests {
  private let test = TestContext()
  private let person: ViewPort
  private let told = Locked<[String]>([])

  init() {
    test.add(Questions(canAsk: true))
    person = test.app.port(named: "repl")
    let own = person.origin
    person.on(ResponseQuestion.self) { [told] question, _ in
      guard question.session == own else { return }
      told.withLock { $0.append("\(question.id): \(question.text)") }
    }
    person.on(ResponseQuestionClosed.self) { [told] closed, _ in
      if closed.session == own { told.withLock { $0.append("\(closed.id) closed") } }
    }
  }

  /// What comes of asking the person.
  private final class Asking: Sendable {
    let results = Locked<[String]>([])
    let conversation = Locked<Conversation?>(nil)
    var result: [String] { results.withLock { $0 } }
  }

  private func ask(
    _ text: String = "Sure?",
    choices: [String]? = nil,
    id: UniqueID? = nil
  )
    -> Asking
  {
    let asking = Asking()
    let request = RequestDecision(person.origin, text, choices: choices, id: id)
    let conversation = test.stream.request(request) { [results = asking.results] result, _ in
      let words =
        switch result.mapError(Failure.init).flatMap(\.result) {
        case .success(let value): value
        case .failure(let failure): "\(failure.kind.name): \(failure.message)"
        }
      results.withLock { $0.append(words) }
    }
    asking.conversation.withLock { $0 = conversation }
    test.skip()
    return asking
  }

  private func answer(_ id: Int, _ value: String?, as port: ViewPort? = nil) -> Failure.Kind? {
    let failure = Locked<Failure.Kind?>(nil)
    (port ?? person)
      .request(RequestAnswer(id, value)) { result, _ in
        guard case .failure(let why) = result.mapError(Failure.init).flatMap(\.result) else {
          return
        }
        failure.withLock { $0 = why.kind }
      }
    test.skip()
    return failure.withLock { $0 }
  }

  @Test func `S83 the session that is asked answers, and no other, and once`() {
    let asking = ask(choices: ["yes", "no"])
    #expect(told.withLock { $0 } == ["1: Sure?"])
    #expect(answer(1, "yes", as: test.app.port(named: "other")) == .notFound)
    #expect(answer(1, "maybe") == .validation)
    #expect(asking.result == [])
    #expect(answer(1, "yes") == nil)
    #expect(answer(1, "no") == .notFound)
    #expect(asking.result == ["yes"])
    #expect(told.withLock { $0 } == ["1: Sure?", "1 closed"])
  }

  @Test func `S83 without choices any answer is one, and none is one, too`() {
    let (first, second) = (ask("Who?"), ask("When?"))
    #expect(answer(2, "now") == nil)
    #expect(answer(1, nil) == nil)
    #expect(first.result == ["cancelled: Nobody has answered."])
    #expect(second.result == ["now"])
  }

  @Test func `S83 what is cancelled, withdrawn or asked of a session that ends is closed`() throws {
    let cancelled = ask()
    test.stream.cancel(try #require(cancelled.conversation.withLock { $0 }))
    test.skip()
    let id = test.stream.environment.makeID()
    let withdrawn = ask(id: id)
    test.stream.send(ResponseQuestionWithdrawal(id))
    test.skip()
    let left = ask()
    person.end()
    test.skip()
    for asking in [cancelled, withdrawn, left] {
      #expect(asking.result == ["cancelled: Nobody has answered."])
    }
    #expect(
      told.withLock { $0 }
        == ["1: Sure?", "1 closed", "2: Sure?", "2 closed", "3: Sure?", "3 closed"]
    )
  }

  @Test func `S83 no more than eight wait, and an answer makes room`() {
    let asked = (1...8).map { _ in ask() }
    #expect(ask().result == ["usage: Too many questions wait for an answer."])
    #expect(answer(1, "yes") == nil)
    #expect(asked[0].result == ["yes"])
    #expect(ask().result == [])
  }

  @Test func `S83 where nobody can be asked, whoever asks is told at once`() {
    let test = TestContext()
    test.add(Questions(canAsk: false))
    let result = Locked<Failure?>(nil)
    let port = test.app.port(named: "cli")
    test.stream.request(RequestDecision(port.origin, "Sure?")) { reply, _ in
      if case .failure(let failure) = reply.mapError(Failure.init).flatMap(\.result) {
        result.withLock { $0 = failure }
      }
    }
    test.skip()
    #expect(result.withLock { $0 } == Failure(.usage, "Nobody can be asked here."))
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestDecision(.application, "Really?"), RequestAnswer(1, "yes")]) {
      Questions(canAsk: true)
    }
  }
}
