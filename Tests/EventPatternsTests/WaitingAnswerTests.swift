import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// Answers that wait on the home thread (promises 1, 2, 6 and 9).
@Suite(.hangLimit) struct WaitingAnswerTests {
  /// Asks a number of one that knows it.
  struct RequestNumber: ViewModelEvent, Request {
    typealias Reply = ResponseNumber
    static let writes = false
    var index = 0
  }

  struct ResponseNumber: ViewModelEvent, Response {
    let result: Result<Int, Failure>
    init(_ result: Result<Int, Failure>) { self.result = result }
  }

  struct RequestSum: ViewModelEvent, Request {
    typealias Reply = ResponseNumber
    static let writes = false
    var count = 2
  }

  private func sums(_ home: EventStream.Home = .thisThread) -> EventStream {
    let stream = EventStream(home: home)
    stream.answer(RequestNumber.self) { request, _ in
      guard request.index < 9 else { throw Failure(.notFound, "There is no number.") }
      return request.index * 10
    }
    stream.answer(RequestSum.self) { request, turn in
      var sum = 0
      for index in 1...request.count {
        sum += try await turn.request(RequestNumber(index: index))
        #expect(turn.envelope.sequence > 0)
      }
      return sum
    }
    return stream
  }

  @Test func `P6 a body that waits for replies answers with what it returns`() {
    let stream = sums()
    let log = Locked<[String]>([])
    stream.observeAll { event, turn in
      log.withLock { $0.append("\(turn.sequence) \(type(of: event).name) of \(turn.cause ?? 0)") }
    }
    var result: Result<Int, Failure>?
    stream.request(RequestSum()) { reply, _ in result = try? reply.get().result }
    stream.run { result != nil }
    #expect(result == .success(30))
    #expect(
      log.withLock { $0 } == [
        "1 RequestSum of 0", "2 RequestNumber of 1", "3 ResponseNumber of 2",
        "4 RequestNumber of 1", "5 ResponseNumber of 4", "6 ResponseNumber of 1",
      ]
    )
  }

  @Test func `P9 what it throws is the failure of the reply`() async throws {
    let stream = sums(.ownThread)
    await #expect(throws: Failure(.notFound, "There is no number.")) {
      try await stream.request(RequestSum(count: 9))
    }
  }

  @Test func `P1 two that wait are answered in between, each in its order`() async throws {
    let stream = sums(.ownThread)
    async let first = stream.request(RequestSum(count: 8))
    async let second = stream.request(RequestSum(count: 3))
    #expect(try await first == 360)
    #expect(try await second == 60)
  }

  @Test func `what waits outside the stream fails`() async throws {
    let stream = EventStream(home: .ownThread)
    stream.answer(RequestNumber.self) { _, _ in
      await Task.detached { 1 }.value
    }
    await #expect(
      throws: Failure(
        .unanswered,
        "Its answer waits outside the stream; 'answerAsync' does that."
      )
    ) { try await stream.request(RequestNumber()) }
  }

  @Test func `what it sends is no input, as a replay sends it again`() {
    let stream = sums()
    let inputs = Locked<[String]>([])
    stream.observeAll { event, turn in
      if turn.isInput { inputs.withLock { $0.append(type(of: event).name) } }
    }
    var isAnswered = false
    stream.request(RequestSum(count: 1)) { _, _ in isAnswered = true }
    stream.run { isAnswered }
    #expect(inputs.withLock { $0 } == ["RequestSum"])
  }
}
