import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

@Suite(.hangLimit) struct SuccessesTests {
  private final class Titles {
    var seen: [String] = []
  }

  @Test func `S10 an observer of successes is given what they carry, and no failure`() {
    let test = TestContext()
    let titles = Titles()
    test.stream.on(successOf: ResponseTitle.self, owner: titles) { titles, title, turn in
      titles.seen.append("\(turn.sequence) \(title)")
    }
    test.stream.send(ResponseTitle(.success("Milk")))
    test.stream.send(ResponseTitle(.failure(Failure(.notFound, "There is none."))))
    test.stream.send(ResponseTitle(.success("Bread")))
    #expect(titles.seen == ["1 Milk", "3 Bread"])
    test.skip()
  }

  @Test func `S10 an observer of successes ends with its owner`() {
    let stream = EventStream()
    weak var probe: Titles?
    do {
      let titles = Titles()
      probe = titles
      stream.on(successOf: ResponseTitle.self, owner: titles) { _, _, _ in
        Issue.record("it lives on")
      }
    }
    #expect(probe == nil)
    stream.send(ResponseTitle(.success("Milk")))
    #expect(stream.subscriptionCount == 0)
  }
}

private struct ResponseTitle: ViewModelEvent, Response {
  let result: Result<String, Failure>

  init(_ result: Result<String, Failure>) { self.result = result }
}
