import AsyncAlgorithms
import Dispatch
import EventMVVM

/// A request and a closure that gets its reply, all on one thread.
let requestWithCallback = Scenario(
  name: "request, reply to a closure",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (stream, sum) = (EventStream(), Sum())
      stream.answer(RequestDouble.self) { request, _ in request.number &* 2 }
      return { count in
        for number in 0..<count {
          stream.request(RequestDouble(number: number)) { reply, _ in
            if case .success(let reply) = reply { sum.add(reply) }
          }
        }
      }
    },
    Contender("limit: a closure that calls back", isSynchronous: true) {
      let (double, sum) = (doubler(), Sum())
      return { count in
        for number in 0..<count {
          double(RequestDouble(number: number)) { sum.add($0) }
        }
      }
    },
  ]
)

/// A request and an awaited reply; with us the home thread is another than the requester's.
let requestAwaited = Scenario(
  name: "request, awaited reply",
  contenders: [
    Contender(Contender.ours) {
      let stream = EventStream(home: .ownThread)
      stream.answer(RequestDouble.self) { request, _ in request.number &* 2 }
      return { count in
        wait {
          var sum = 0
          for number in 0..<count {
            sum &+= (try? await stream.request(RequestDouble(number: number))) ?? 0
          }
        }
      }
    },
    Contender("actor, from another actor") {
      let (requester, doubler) = (Requester(), Doubler())
      return { count in
        wait { await requester.request(count, from: doubler) }
      }
    },
    Contender("serial DispatchQueue, continuation") {
      let queue = DispatchQueue(label: "doubler")
      return { count in
        wait {
          var sum = 0
          for number in 0..<count {
            sum &+= await withCheckedContinuation { continuation in
              queue.async { continuation.resume(returning: number &* 2) }
            }
          }
        }
      }
    },
    Contender("AsyncStream there and back") {
      { count in
        wait {
          let (requests, request) = AsyncStream.makeStream(of: RequestDouble.self)
          let (replies, reply) = AsyncStream.makeStream(of: Int.self)
          async let done: Void = {
            for await request in requests { reply.yield(request.number &* 2) }
          }()
          var sum = 0
          var iterator = replies.makeAsyncIterator()
          for number in 0..<count {
            request.yield(RequestDouble(number: number))
            sum &+= await iterator.next() ?? 0
          }
          request.finish()
          await done
        }
      }
    },
    Contender("AsyncChannel there and back") {
      { count in
        wait {
          let (requests, replies) = (AsyncChannel<RequestDouble>(), AsyncChannel<Int>())
          async let done: Void = {
            for await request in requests { await replies.send(request.number &* 2) }
          }()
          var sum = 0
          var iterator = replies.makeAsyncIterator()
          for number in 0..<count {
            await requests.send(RequestDouble(number: number))
            sum &+= await iterator.next() ?? 0
          }
          requests.finish()
          await done
        }
      }
    },
  ]
)

private struct RequestDouble: ModelEvent, Request {
  typealias Reply = ResponseDouble
  static var writes: Bool { false }
  var number: Int
}

private struct ResponseDouble: ModelEvent, Response {
  let result: Result<Int, Failure>

  init(_ result: Result<Int, Failure>) { self.result = result }
}

extension Sum {
  /// Adds what a reply carries.
  fileprivate func add(_ reply: ResponseDouble) {
    if case .success(let number) = reply.result { value &+= number }
  }
}

/// A closure that the caller can't look into.
@inline(never)
private func doubler() -> (RequestDouble, (ResponseDouble) -> Void) -> Void {
  { request, then in then(ResponseDouble(.success(request.number &* 2))) }
}

/// Has state of its own, so that each request is a hop there and back.
private actor Requester {
  private var sum = 0

  func request(_ count: Int, from doubler: Doubler) async {
    for number in 0..<count { sum &+= await doubler.double(RequestDouble(number: number)) }
  }
}

private actor Doubler {
  private var answered = 0

  func double(_ request: RequestDouble) -> Int {
    answered += 1
    return request.number &* 2
  }
}
