import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise09FailureTests {
  @Test(arguments: Producers.allCases)
  func `Promise 9: what an answer throws becomes the failure of the reply`(producers: Producers) {
    let rig = Rig()
    let log = Log()
    rig.stream.answer(RequestGreeting.self) { request, _ in
      throw Failure(.notFound, "There is no '\(request.name)'.", field: "name")
    }
    rig.produce(producers) { [stream = rig.stream] _, sender in
      stream.request(RequestGreeting(name: "nobody")) { result, _ in log.add("\(result)") }
      sender.send(RequestCount())
    }
    let failure = Failure(.notFound, "There is no 'nobody'.", field: "name")
    let expected: Result<ResponseGreeting, Interruption> = .success(
      ResponseGreeting(.failure(failure))
    )
    #expect(log.lines == Array(repeating: "\(expected)", count: producers.count))
  }

  @Test func `Promise 9: what an asynchronous answer throws becomes the failure of the reply`() {
    let rig = Rig()
    var results: [Result<ResponseGreeting, Interruption>] = []
    rig.stream.answerAsync(RequestGreeting.self) { _, turn in
      try await turn.request(RequestReading())
    }
    rig.stream.request(RequestGreeting()) { result, _ in results.append(result) }
    rig.drain()
    #expect(
      results == [
        .success(
          ResponseGreeting(.failure(Failure(.unanswered, "Nobody answered the request.")))
        )
      ]
    )
  }

  @Test func `Promise 9: any error finds a kind`() {
    #expect(Failure(Failure(.conflict, "Changed.", id: 4)) == Failure(.conflict, "Changed.", id: 4))
    #expect(Failure(Interruption.cancelled) == Failure(.cancelled, "Cancelled before it began."))
    #expect(Failure(Mishap()) == Failure(.store, "Mishap()"))
  }

  @Test(arguments: Producers.allCases)
  func `Promise 9: no observer dies of a failure`(producers: Producers) {
    let rig = Rig()
    let owner = Owner()
    var log: [String] = []
    rig.stream.answer(RequestGreeting.self, owner: owner) { _, request, _ in
      if request.name == "bad" { throw Mishap() }
      return "hello"
    }
    rig.stream.on(ResponseGreeting.self) { response, _ in
      switch response.result {
      case .success(let text): log.append(text)
      case .failure(let failure): log.append(failure.kind.name)
      }
    }
    rig.produce(producers) { _, sender in
      for name in ["bad", "good", "bad", "good"] { sender.send(RequestGreeting(name: name)) }
    }
    #expect(log.count == 4 * producers.count)
    #expect(log.filter { $0 == "store" }.count == 2 * producers.count)
    #expect(log.filter { $0 == "hello" }.count == 2 * producers.count)
  }

  @Test func `Promise 9: an asynchronous answerer survives its failures`() {
    let rig = Rig()
    var log: [String] = []
    rig.stream.answerAsync(RequestGreeting.self) { request, _ in
      if request.name == "bad" { throw Mishap() }
      return "hello"
    }
    rig.stream.on(ResponseGreeting.self) { response, _ in log.append("\(response.result)") }
    for name in ["bad", "good"] {
      rig.stream.send(RequestGreeting(name: name))
      rig.drain()
    }
    let failure: Result<String, Failure> = .failure(Failure(.store, "Mishap()"))
    #expect(log == ["\(failure)", "success(\"hello\")"])
  }
}
