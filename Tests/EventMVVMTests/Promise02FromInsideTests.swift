import EventMVVMTesting
import Foundation
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise02FromInsideTests {
  @Test func `Promise 2: sending inside a handler enqueues and returns`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestCount.self) { _, turn in
      log.append("count begins")
      turn.send(RequestOther())
      log.append("count ends")
    }
    stream.on(RequestOther.self) { _, _ in log.append("other") }
    stream.send(RequestCount())
    #expect(log == ["count begins", "count ends", "other"])
  }

  @Test func `Promise 2: sending through the stream inside a handler enqueues too`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestCount.self) { _, turn in
      log.append("count begins")
      turn.stream.send(RequestOther())
      turn.stream.deliver()
      log.append("count ends")
    }
    stream.on(RequestOther.self) { _, _ in log.append("other") }
    stream.send(RequestCount())
    #expect(log == ["count begins", "count ends", "other"])
  }

  @Test(arguments: Producers.allCases)
  func `Promise 2: the handler's event finishes for everybody first`(producers: Producers) {
    let rig = Rig()
    var isOpen = false
    var begun = 0
    var isTorn = false
    var others = 0
    rig.stream.on(RequestCount.self) { _, turn in
      isTorn = isTorn || isOpen
      isOpen = true
      begun += 1
      turn.send(RequestOther())
    }
    rig.stream.on(RequestOther.self) { _, _ in
      isTorn = isTorn || isOpen
      others += 1
    }
    rig.stream.on(RequestCount.self) { _, _ in isOpen = false }
    rig.produce(producers) { producer, sender in
      for number in 0..<100 { sender.send(RequestCount(producer: producer, number: number)) }
    }
    #expect(isTorn == false)
    #expect(begun == 100 * producers.count)
    #expect(others == 100 * producers.count)
  }

  @Test func `Promise 2: what a handler sends goes behind what other threads sent before`() {
    let stream = EventStream()
    var log: [Int] = []
    stream.on(RequestOther.self) { [stream] _, turn in
      turn.send(RequestCount(number: 1))
      elsewhere { stream.send(RequestCount(number: 2)) }
      turn.send(RequestCount(number: 3))
      elsewhere { stream.send(RequestCount(number: 4)) }
    }
    stream.on(RequestCount.self) { event, _ in log.append(event.number) }
    stream.send(RequestOther())
    #expect(log == [1, 2, 3, 4])
  }

  @Test(arguments: Producers.allCases)
  func `Promise 2: a chain of a million hops runs on a flat stack`(producers: Producers) {
    let rig = Rig()
    let hops = 1_000_000 / producers.count
    var delivered = 0
    var depths: Set<Int> = []
    rig.stream.on(RequestCount.self) { event, turn in
      delivered += 1
      if event.number == 2 || event.number == hops {
        depths.insert(Thread.callStackReturnAddresses.count)
      }
      if event.number < hops { turn.send(RequestCount(number: event.number + 1)) }
    }
    rig.produce(producers) { _, sender in sender.send(RequestCount(number: 1)) }
    #expect(delivered == 1_000_000)
    #expect(depths.count == 1)
  }

  @Test func `Promise 2: a chain of requests and replies runs on a flat stack`() {
    let stream = EventStream()
    var answered = 0
    var depths: Set<Int> = []
    stream.answer(RequestGreeting.self) { request, _ in request.name }
    func ask(_ turn: borrowing Turn) {
      turn.stream.request(RequestGreeting(name: "again")) { _, turn in
        answered += 1
        if answered == 2 || answered == 20_000 {
          depths.insert(Thread.callStackReturnAddresses.count)
        }
        if answered < 20_000 { ask(turn) }
      }
    }
    stream.on(RequestOther.self) { _, turn in ask(turn) }
    stream.send(RequestOther())
    #expect(answered == 20_000)
    #expect(depths.count == 1)
  }
}
