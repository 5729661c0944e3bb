import Dispatch
import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S83: who asks a person is called back, once, however it ends.
@Suite(.hangLimit) struct DeferredReplyTests {
  private static let worst = Failure(.cancelled, "Nobody has answered.")
  private let stream = EventStream()
  private let owed = Locked<[DeferredReply<RequestLeave>]>([])

  init() {
    stream.declareAnswerer(of: RequestLeave.self)
    stream.on(RequestLeave.self) { [owed] request, turn in
      let reply = DeferredReply(to: request, turn, or: Self.worst)
      owed.withLock { $0.append(reply) }
    }
  }

  /// Asks, and gives what it is called back with.
  private func ask(_ who: String) -> Locked<[String]> {
    let log = Locked<[String]>([])
    stream.request(RequestLeave(who: who)) { result, _ in
      let words: String
      switch Result(catching: { try result.get().result.get() }) {
      case .success(let text): words = text
      case .failure(let error): words = Failure(error).message
      }
      log.withLock { $0.append(words) }
    }
    return log
  }

  @Test func `S83 it is called back when a person answers, and once`() {
    let log = ask("Ann")
    #expect(log.withLock { $0 } == [])
    let reply = owed.withLock { $0[0] }
    #expect(reply.request == RequestLeave(who: "Ann"))
    #expect(reply.give(.success("yes")))
    #expect(!reply.give(.success("yes")))
    owed.withLock { $0 = [] }
    #expect(log.withLock { $0 } == ["yes"])
  }

  @Test func `S83 a no is an answer`() {
    let log = ask("Ann")
    owed.withLock { $0[0] }.give(.failure(Failure(.validation, "no")))
    #expect(log.withLock { $0 } == ["no"])
  }

  @Test func `S83 who owes it goes, and it is called back all the same`() {
    let log = ask("Ann")
    owed.withLock { $0 = [] }
    #expect(log.withLock { $0 } == ["Nobody has answered."])
  }

  @Test func `S83 who asked and does not want it any more can be let go of`() {
    var answer: Result<ResponseLeave, Interruption>?
    let conversation = stream.request(RequestLeave(who: "Ann")) { result, _ in answer = result }
    #expect(!owed.withLock { $0[0] }.isCancelled)
    stream.cancel(conversation)
    #expect(owed.withLock { $0[0] }.isCancelled)
    #expect(answer == nil)
    owed.withLock { $0 = [] }
    #expect(answer == .success(ResponseLeave(.failure(Self.worst))))
  }

  @Test func `S83 each gets its own answer, in whatever order`() {
    let (ann, bob) = (ask("Ann"), ask("Bob"))
    owed.withLock { $0[1] }.give(.success("to Bob"))
    owed.withLock { $0[0] }.give(.success("to Ann"))
    #expect(ann.withLock { $0 } == ["to Ann"])
    #expect(bob.withLock { $0 } == ["to Bob"])
  }

  @Test func `S83 of answers from two threads one counts`() {
    for _ in 0..<200 {
      let log = ask("Ann")
      let reply = owed.withLock { $0.removeLast() }
      let counted = Locked<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if reply.give(.success("\(number)")) { counted.withLock { $0.append(number) } }
      }
      stream.deliver()
      let first = counted.withLock { $0 }
      #expect(first.count == 1)
      #expect(log.withLock { $0 } == first.map { "\($0)" })
    }
  }
}

private struct RequestLeave: ViewModelEvent, Request {
  typealias Reply = ResponseLeave
  let who: String
}

private struct ResponseLeave: ViewModelEvent, Response {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}
