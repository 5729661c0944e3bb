import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise07StateTests {
  @Test func `Promise 7: a new observer gets the latest value as its first turn`() {
    let stream = EventStream()
    var log: [String] = []
    let state = State(1, name: "state", on: stream)
    state.observe { value, _ in log.append("first \(value)") }
    state.set(2)
    state.observe { value, _ in log.append("second \(value)") }
    state.set(3)
    #expect(log == ["first 1", "first 2", "second 2", "first 3", "second 3"])
    #expect(state.value == 3)
  }

  @Test(arguments: Producers.allCases)
  func `Promise 7: every observer ends with the latest value`(producers: Producers) {
    let rig = Rig()
    let state = State(-1, name: "state", on: rig.stream)
    let log = Locked<[[Int]]>([])
    rig.produce(producers) { producer, sender in
      for number in 0..<50 {
        state.set(producer * 1000 + number)
        log.withLock { log in
          let index = log.count
          log.append([])
          return index
        }
        .observing(state, log)
      }
    }
    let values = log.withLock { $0 }
    #expect(values.count == 50 * producers.count)
    #expect(values.allSatisfy { $0.last == state.value })
    #expect(values.allSatisfy { values in zip(values, values.dropFirst()).allSatisfy { $0 != $1 } })
  }

  @Test(arguments: Producers.allCases)
  func `Promise 7: equal values are not repeated`(producers: Producers) {
    let rig = Rig()
    let state = State(0, name: "state", on: rig.stream)
    var log: [Int] = []
    var events = 0
    state.observe { value, _ in log.append(value) }
    rig.stream.observeAll { event, _ in if event is ResponseState<Int> { events += 1 } }
    rig.produce(producers) { _, _ in
      for _ in 0..<100 { state.set(0) }
    }
    #expect(log == [0])
    rig.produce(producers) { _, _ in
      for _ in 0..<100 { state.set(1) }
    }
    #expect(log == [0, 1])
    #expect(events == 1)
  }

  @Test func `Promise 7: a state is set inside the conversation of a turn`() {
    let stream = EventStream()
    let state = State("", name: "state", on: stream)
    var log: [String] = []
    state.observe { value, turn in
      log.append("\(value) \(turn.sequence) \(turn.cause ?? 0) \(turn.root.number)")
    }
    stream.on(RequestCount.self) { _, turn in
      turn.set(state, to: "counted")
      log.append("still '\(state.value)'")
    }
    stream.send(RequestCount())
    #expect(log == [" 1 0 1", "still ''", "counted 3 2 2"])
  }

  @Test func `Promise 7: a change is an event like any other`() {
    let stream = EventStream()
    let state = State(0, name: "progress", on: stream)
    var log: [String] = []
    stream.observeAll { event, turn in
      if let change = event as? ResponseState<Int> {
        log.append("\(turn.sequence) \(change.stateName) \(change.value)")
      }
    }
    stream.send(RequestCount())
    state.set(5)
    #expect(log == ["2 progress 5"])
  }

  @Test func `Promise 7: two states of one type are separate`() {
    let stream = EventStream()
    let (left, right) = (State(0, name: "list", on: stream), State(0, name: "list", on: stream))
    var log: [String] = []
    left.observe { value, _ in log.append("left \(value)") }
    right.observe { value, _ in log.append("right \(value)") }
    left.set(1)
    right.set(2)
    left.set(3)
    #expect(log == ["left 0", "right 0", "left 1", "right 2", "left 3"])
    #expect(left.value == 3)
    #expect(right.value == 2)
  }

  @Test func `Promise 7: cancelling a state's observer ends it, before its first turn too`() {
    let stream = EventStream()
    let state = State(0, name: "state", on: stream)
    var log: [Int] = []
    let subscription = state.observe { value, _ in log.append(value) }
    stream.on(RequestCount.self) { _, _ in
      state.observe { value, _ in log.append(value * 100) }.cancel()
    }
    state.set(1)
    subscription.cancel()
    state.set(2)
    stream.send(RequestCount())
    #expect(log == [0, 1])
    #expect(stream.subscriptionCount == 1)
  }

  @Test func `Promise 7: dead states leave no routes and no subscriptions`() {
    let stream = EventStream()
    let lasting = State(0, name: "lasting", on: stream)
    var log: [Int] = []
    lasting.observe { value, _ in log.append(value) }
    for number in 0..<1000 {
      let state = State(number, name: "list", on: stream)
      state.observe { _, _ in }
      state.set(-1)
    }
    lasting.set(1)
    #expect(stream.subscriptionCount == 1)
    #expect(stream.router.state.pointee.routes.routes.count == 1)
    #expect(log == [0, 1])
  }

  @Test func `Promise 7: a state that ends on another thread, or is queued, leaves nothing`() {
    let stream = EventStream()
    elsewhere {
      let state = State(0, name: "list", on: stream)
      state.observe { _, _ in }
      state.set(1)
    }
    #expect(stream.subscriptionCount == 0)
    stream.deliver()
    #expect(stream.subscriptionCount == 0)
    #expect(stream.router.state.pointee.routes.routes.count == 0)
  }

  @Test func `Promise 7: an observer of a dead state can still be cancelled`() {
    let stream = EventStream()
    var subscription: Subscription?
    do {
      let state = State(0, name: "list", on: stream)
      subscription = state.observe { _, _ in }
    }
    subscription?.cancel()
    stream.send(RequestCount())
    #expect(stream.subscriptionCount == 0)
  }

  @Test func `Promise 7: a one-shot reaches those present and is gone`() {
    let stream = EventStream()
    var log: [String] = []
    stream.on(ResponseSaved.self) { event, _ in log.append("present \(event.name)") }
    stream.send(ResponseSaved(name: "a"))
    stream.on(ResponseSaved.self) { event, _ in log.append("late \(event.name)") }
    stream.send(ResponseSaved(name: "a"))
    #expect(log == ["present a", "present a", "late a"])
  }
}

extension Int {
  /// Observes a state into the log of this index.
  fileprivate func observing(_ state: State<Int>, _ log: Locked<[[Int]]>) {
    state.observe { value, _ in log.withLock { $0[self].append(value) } }
  }
}
