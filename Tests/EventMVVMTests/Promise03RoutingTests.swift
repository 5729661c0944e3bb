import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise03RoutingTests {
  @Test(arguments: Producers.allCases)
  func `Promise 3: an observer of one type is not called for another`(producers: Producers) {
    let rig = Rig()
    var counts = 0
    var others = 0
    for _ in 0..<10_000 { rig.stream.on(RequestOther.self) { _, _ in others += 1 } }
    rig.stream.on(RequestCount.self) { _, _ in counts += 1 }
    rig.produce(producers) { _, sender in
      for _ in 0..<100 { sender.send(RequestCount()) }
    }
    #expect(counts == 100 * producers.count)
    #expect(others == 0)
  }

  @Test(arguments: Producers.allCases)
  func `Promise 3: observing everything is one call an event`(producers: Producers) {
    let rig = Rig()
    var calls = 0
    for _ in 0..<100 { rig.stream.on(RequestCount.self) { _, _ in } }
    rig.stream.observeAll { event, _ in if event is RequestCount { calls += 1 } }
    rig.produce(producers) { _, sender in
      for _ in 0..<100 { sender.send(RequestCount()) }
    }
    #expect(calls == 100 * producers.count)
  }

  @Test(arguments: Producers.allCases)
  func `Promise 3: who observes everything with a method is told the type`(producers: Producers) {
    final class Census: EventObserver {
      var counts: [String: Int] = [:]
      var sequences: [UInt64] = []
      func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
        counts[E.name, default: 0] += 1
        sequences.append(turn.sequence)
      }
    }
    let rig = Rig()
    let census = Census()
    var order: [String] = []
    rig.stream.on(RequestOther.self) { _, _ in order.append("\(census.counts["RequestOther"] ?? 0)")
    }
    let subscription = rig.stream.observeAll(with: census)
    rig.produce(producers) { _, sender in
      for _ in 0..<100 { sender.send(RequestCount()) }
    }
    #expect(census.counts["RequestCount"] == 100 * producers.count)
    #expect(census.sequences == census.sequences.sorted())

    rig.stream.send(RequestOther())
    #expect(order == ["1"])
    subscription.cancel()
    rig.stream.send(RequestOther())
    #expect(order == ["1", "1"])
  }

  @Test func `S12 who observes everything with a method is let go of when it is cancelled`() {
    final class Nobody: EventObserver {
      func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {}
    }
    let stream = EventStream()
    weak var probe: Nobody?
    do {
      let observer = Nobody()
      probe = observer
      let subscription = stream.observeAll(with: observer)
      #expect(stream.subscriptionCount == 1)
      subscription.cancel()
    }
    #expect(stream.subscriptionCount == 0)
    withExtendedLifetime(stream) { #expect(probe == nil) }
  }

  @Test(arguments: Producers.allCases)
  func `Promise 3: time is not read if nobody asks`(producers: Producers) {
    let reads = Locked(0)
    let rig = Rig {
      reads.withLock { $0 += 1 }
      return Instant(milliseconds: 0)
    }
    var before = 0
    rig.stream.on(RequestOther.self) { _, _ in before = reads.withLock { $0 } }
    var after = 0
    rig.stream.on(RequestCount.self) { _, _ in after = reads.withLock { $0 } }
    rig.produce(producers) { _, sender in
      sender.send(RequestOther())
      for _ in 0..<100 { sender.send(RequestCount()) }
    }
    #expect(after == before)
    #expect(before == (producers == .asynchronous ? 1 : 0))
  }

  @Test(arguments: Producers.allCases)
  func `Promise 3: time is read once an event, however many ask`(producers: Producers) {
    let reads = Locked<Int64>(0)
    let rig = Rig {
      Instant(
        milliseconds: reads.withLock { next in
          next += 1
          return next
        }
      )
    }
    var times: [Int64] = []
    for _ in 0..<3 {
      rig.stream.on(RequestCount.self) { _, turn in
        times.append(turn.time.milliseconds)
        times.append(turn.envelope.time.milliseconds)
      }
    }
    rig.produce(producers) { _, sender in
      for _ in 0..<2 { sender.send(RequestCount()) }
    }
    // The asynchronous producer's own delivery has asked once before.
    let first: Int64 = producers == .asynchronous ? 2 : 1
    let events = Int64(2 * producers.count)
    let expected = (first..<first + events).flatMap { Array(repeating: $0, count: 6) }
    #expect(times == expected)
  }

  @Test func `Promise 3: those who observe everything come before those who observe a type`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(RequestCount.self) { _, _ in log.append("typed") }
    stream.observeAll { _, _ in log.append("all") }
    stream.on(RequestCount.self) { _, _ in log.append("typed, later") }
    stream.send(RequestCount())
    #expect(log == ["all", "typed", "typed, later"])
  }

  @Test func `Promise 3: routes of many types don't mix`() {
    let stream = EventStream()
    let states = (0..<200).map { State($0, name: "\($0)", on: stream) }
    var log: [[Int]] = Array(repeating: [], count: 200)
    for (index, state) in states.enumerated() {
      state.observe { value, _ in log[index].append(value) }
    }
    states[3].set(-1)
    states[199].set(-2)
    #expect(log[2] == [2])
    #expect(log[3] == [3, -1])
    #expect(log[199] == [199, -2])
    #expect(log.map(\.count).reduce(0, +) == 202)
  }
}
