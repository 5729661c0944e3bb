import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise04SnapshotTests {
  // MARK: Subscribing

  @Test func `Promise 4: subscribing inside a handler takes effect at its place`() {
    let stream = EventStream()
    var log: [Int] = []
    stream.on(RequestOther.self) { _, turn in
      turn.send(RequestCount(number: 1))
      turn.stream.on(RequestCount.self) { event, _ in log.append(event.number) }
      turn.send(RequestCount(number: 2))
    }
    stream.send(RequestOther())
    #expect(log == [2])
  }

  @Test func `Promise 4: who subscribes while an event is handled doesn't get that one`() {
    let stream = EventStream()
    var log: [Int] = []
    var isFirst = true
    stream.on(RequestCount.self) { _, turn in
      guard isFirst else { return }
      isFirst = false
      turn.stream.on(RequestCount.self) { event, _ in log.append(event.number) }
      turn.stream.observeAll { event, _ in if event is RequestCount { log.append(-1) } }
    }
    stream.send(RequestCount(number: 1))
    #expect(log == [])
    stream.send(RequestCount(number: 2))
    #expect(log == [-1, 2])
  }

  @Test func `Promise 4: subscribing from another thread takes effect at its place`() {
    let stream = EventStream()
    let log = Log()
    elsewhere {
      stream.send(RequestCount(number: 1))
      stream.on(RequestCount.self) { event, _ in log.add("\(event.number)") }
      stream.send(RequestCount(number: 2))
    }
    stream.deliver()
    #expect(log.lines == ["2"])
  }

  @Test(arguments: Producers.allCases)
  func `Promise 4: whoever subscribes misses nothing it sends afterwards`(producers: Producers) {
    let rig = Rig()
    let log = Log()
    rig.produce(producers) { [stream = rig.stream] producer, sender in
      for round in 0..<50 {
        sender.send(RequestCount(producer: producer, number: round * 2))
        stream.on(RequestCount.self) { event, _ in
          if event.producer == producer { log.add("\(producer) \(event.number)") }
        }
        sender.send(RequestCount(producer: producer, number: round * 2 + 1))
      }
    }
    let first = log.lines.filter { $0 == "0 0" || $0 == "1 0" }
    #expect(first == [])
    #expect(log.lines.filter { $0 == "0 1" }.count == 1)
    #expect(log.lines.filter { $0 == "0 99" }.count == 50)
    #expect(log.lines.filter { $0 == "0 98" }.count == 49)
  }

  // MARK: Cancelling

  @Test func `Promise 4: cancelling inside a handler spares the event under way already`() {
    let stream = EventStream()
    var log: [String] = []
    var second: Subscription?
    stream.on(RequestCount.self) { _, _ in
      log.append("first")
      second?.cancel()
    }
    second = stream.on(RequestCount.self) { _, _ in log.append("second") }
    stream.on(RequestCount.self) { _, _ in log.append("third") }
    stream.send(RequestCount())
    #expect(log == ["first", "third"])
    #expect(stream.subscriptionCount == 2)
  }

  @Test func `Promise 4: a handler can cancel its own subscription`() {
    let stream = EventStream()
    var log: [Int] = []
    var own: Subscription?
    own = stream.on(RequestCount.self) { event, turn in
      turn.send(RequestCount(number: event.number + 1))
      own?.cancel()
      own?.cancel()
      log.append(event.number)
    }
    stream.send(RequestCount(number: 1))
    #expect(log == [1])
    #expect(stream.subscriptionCount == 0)
  }

  @Test func `Promise 4: cancelling on another thread takes effect when it returns`() {
    let stream = EventStream()
    var log: [String] = []
    let second = Locked<Subscription?>(nil)
    stream.on(RequestCount.self) { _, _ in
      log.append("first")
      elsewhere { second.withLock { $0 }?.cancel() }
    }
    let subscription = stream.on(RequestCount.self) { _, _ in log.append("second") }
    second.withLock { $0 = subscription }
    stream.send(RequestCount())
    #expect(log == ["first"])
    #expect(stream.subscriptionCount == 1)
  }

  @Test func `Promise 4: cancelling before the subscription's place keeps it from beginning`() {
    let stream = EventStream()
    let log = Log()
    elsewhere {
      let subscription = stream.on(RequestCount.self) { _, _ in log.add("count") }
      stream.send(RequestCount())
      subscription.cancel()
    }
    stream.deliver()
    #expect(log.lines == [])
    #expect(stream.subscriptionCount == 0)
  }

  @Test func `Promise 4: once cancel() has returned no delivery begins, under stress`() {
    let stream = EventStream(home: .ownThread)
    let isOver = Locked(false)
    stream.on(RequestCount.self) { event, turn in
      if !isOver.withLock({ $0 }) { turn.send(RequestCount(number: event.number + 1)) }
    }
    stream.send(RequestCount())
    let late = Locked<[Int]>([])
    let threads = Threads()
    for _ in 0..<2 {
      threads.start {
        for _ in 0..<200 {
          let begun = Locked(0)
          let first = Gate()
          let subscription = stream.on(RequestCount.self) { _, _ in
            begun.withLock { $0 += 1 }
            first.open()
          }
          #expect(throws: Never.self) { try first.wait("a delivery has begun") }
          subscription.cancel()
          let whenCancelled = begun.withLock { $0 }
          let passed = Gate()
          stream.on(RequestOther.self) { _, _ in passed.open() }
          stream.send(RequestOther())
          #expect(throws: Never.self) { try passed.wait("the queue has come so far") }
          // One delivery that had begun before may still have run.
          late.withLock { $0.append(begun.withLock { $0 } - whenCancelled) }
        }
      }
    }
    threads.join()
    isOver.withLock { $0 = true }
    stream.stop()
    #expect(late.withLock { $0.count } == 400)
    #expect(late.withLock { $0.allSatisfy { $0 == 0 || $0 == 1 } })
  }

  @Test func `Promise 4: once cancel() has returned no asynchronous delivery begins`() {
    let rig = Rig()
    let log = Log()
    let subscription = rig.stream.onAsync(RequestCount.self, buffer: .oldest(10)) { event, _, _ in
      log.add("\(event.number)")
    }
    rig.stream.send(RequestCount(number: 1))
    rig.drain()
    rig.stream.send(RequestCount(number: 2))
    rig.stream.send(RequestCount(number: 3))
    subscription.cancel()
    rig.drain()
    #expect(log.lines == ["1"])
    #expect(rig.stream.subscriptionCount == 0)
  }

  @Test func `Promise 4: what a cancelled observer held on to is let go of`() {
    let stream = EventStream()
    weak var probe: Owner?
    let subscription: Subscription
    do {
      let held = Owner()
      probe = held
      subscription = stream.on(RequestCount.self) { _, _ in _ = held }
    }
    #expect(probe != nil)
    subscription.cancel()
    stream.send(RequestCount())
    withExtendedLifetime(subscription) {
      #expect(stream.subscriptionCount == 0)
    }
  }

  // MARK: Owners

  @Test func `Promise 4: a subscription ends with its owner, at once`() {
    let stream = EventStream()
    var log: [String] = []
    var owner: Owner? = Owner()
    stream.on(RequestCount.self) { _, _ in
      log.append("first")
      owner = nil
    }
    if let owner { stream.on(RequestCount.self, owner: owner) { _, _, _ in log.append("owned") } }
    stream.send(RequestOther())
    stream.send(RequestCount())
    #expect(owner == nil)
    #expect(log == ["first"])
  }

  @Test func `Promise 4: an owner that ends on another thread ends its subscription there`() {
    let stream = EventStream()
    var log: [String] = []
    let owner = Locked<Owner?>(Owner())
    stream.on(RequestCount.self) { _, _ in
      log.append("first")
      elsewhere { owner.withLock { $0 = nil } }
    }
    if let owner = owner.withLock({ $0 }) {
      stream.on(RequestCount.self, owner: owner) { _, _, _ in log.append("owned") }
    }
    stream.send(RequestCount())
    #expect(log == ["first"])
  }

  @Test(arguments: [false, true])
  func `Promise 4: the owner is held while its handler runs`(ofState: Bool) {
    let stream = EventStream()
    let state = State(0, name: "state", on: stream)
    var log: [String] = []
    let owner = Locked<Owner?>(Owner())
    weak let probe = owner.withLock { $0 }
    func handle() {
      elsewhere { owner.withLock { $0 = nil } }
      log.append(probe == nil ? "gone" : "held")
    }
    if let owner = owner.withLock({ $0 }) {
      if ofState {
        state.observe(owner: owner) { value, _ in if value == 1 { handle() } }
      } else {
        stream.on(RequestCount.self, owner: owner) { _, _, _ in handle() }
      }
    }
    stream.send(RequestCount())
    state.set(1)
    #expect(log == ["held"])
    #expect(probe == nil)
    state.set(2)
    state.set(1)
    stream.send(RequestCount())
    #expect(log == ["held"])
  }

  @Test(arguments: Producers.allCases)
  func `Promise 4: 10 000 owners leave a bounded number of subscriptions`(producers: Producers) {
    let rig = Rig()
    let calls = Locked(0)
    rig.produce(producers) { [stream = rig.stream] _, sender in
      for _ in 0..<10_000 / producers.count {
        let owner = Owner()
        stream.on(RequestCount.self, owner: owner) { _, _, _ in calls.withLock { $0 += 1 } }
      }
      sender.send(RequestCount())
    }
    #expect(rig.stream.subscriptionCount <= 32)
    calls.withLock { $0 = 0 }
    rig.stream.send(RequestCount())
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `Promise 4: owners that live keep their subscriptions through every sweep`() {
    let stream = EventStream()
    let owners = (0..<1000).map { _ in Owner() }
    var calls = 0
    for owner in owners {
      stream.on(RequestCount.self, owner: owner) { _, _, _ in calls += 1 }
      stream.on(RequestCount.self, owner: Owner()) { _, _, _ in calls += 1 }
    }
    withExtendedLifetime(owners) { stream.send(RequestCount()) }
    #expect(calls == 1000)
  }
}
