import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise01OneOrderTests {
  @Test(arguments: Producers.allCases)
  func `Promise 1: all observers see one order`(producers: Producers) {
    let rig = Rig()
    var everything: [String] = []
    var counts: [String] = []
    var others: [String] = []
    rig.stream.observeAll { event, turn in
      if event is RequestCount || event is RequestOther {
        everything.append("\(turn.sequence) \(event)")
      }
    }
    rig.stream.on(RequestCount.self) { event, turn in counts.append("\(turn.sequence) \(event)") }
    rig.stream.on(RequestOther.self) { event, turn in others.append("\(turn.sequence) \(event)") }
    rig.produce(producers) { producer, sender in
      for number in 0..<200 {
        sender.send(RequestCount(producer: producer, number: number))
        sender.send(RequestOther(number: number))
      }
    }
    #expect(everything.count == 400 * producers.count)
    #expect(everything.filter { $0.contains("RequestCount") } == counts)
    #expect(everything.filter { $0.contains("RequestOther") } == others)
  }

  @Test(arguments: Producers.allCases)
  func `Promise 1: sequence numbers grow by one, whoever sends`(producers: Producers) {
    let rig = Rig()
    var sequences: [UInt64] = []
    rig.stream.observeAll { _, turn in sequences.append(turn.sequence) }
    rig.produce(producers) { producer, sender in
      for number in 0..<100 { sender.send(RequestCount(producer: producer, number: number)) }
    }
    // Besides the hundred each, every producer says that it is done, and the last one is woken.
    let last: UInt64 =
      switch producers {
      case .one: 101
      case .two: 202
      case .asynchronous: 102
      }
    #expect(sequences == Array(1...last))
  }

  @Test(arguments: Producers.allCases)
  func `Promise 1: each producer's events keep their order`(producers: Producers) {
    let rig = Rig()
    var numbers: [[Int]] = [[], []]
    rig.stream.on(RequestCount.self) { event, _ in numbers[event.producer].append(event.number) }
    rig.produce(producers) { producer, sender in
      for number in 0..<1000 { sender.send(RequestCount(producer: producer, number: number)) }
    }
    #expect(numbers[0] == Array(0..<1000))
    #expect(numbers[1] == (producers == .two ? Array(0..<1000) : []))
  }

  @Test(arguments: Producers.allCases)
  func `Promise 1: an asynchronous observer sees the same order`(producers: Producers) {
    let rig = Rig()
    let afterwards = Log()
    var present: [String] = []
    rig.stream.on(RequestCount.self) { event, turn in present.append("\(turn.sequence) \(event)") }
    rig.stream.onAsync(RequestCount.self, buffer: .oldest(1000)) { event, turn, _ in
      afterwards.add("\(turn.envelope.sequence) \(event)")
    }
    rig.produce(producers) { producer, sender in
      for number in 0..<200 { sender.send(RequestCount(producer: producer, number: number)) }
    }
    #expect(present.count == 200 * producers.count)
    #expect(afterwards.lines == present)
  }

  @Test func `Promise 1: an event is numbered when its turn comes, not when it is sent`() {
    let stream = EventStream()
    var log: [String] = []
    stream.observeAll { event, turn in log.append("\(turn.sequence) \(event)") }
    stream.on(RequestCount.self) { event, turn in
      guard event.number == 1 else { return }
      turn.send(RequestOther(number: 2))
      turn.send(RequestThird(number: 3))
    }
    stream.on(RequestOther.self) { _, turn in turn.send(RequestCount(number: 4)) }
    stream.send(RequestCount(number: 1))
    #expect(
      log == [
        "1 RequestCount(producer: 0, number: 1)", "2 RequestOther(number: 2)",
        "3 RequestThird(number: 3)", "4 RequestCount(producer: 0, number: 4)",
      ]
    )
  }

  @Test(arguments: Producers.allCases)
  func `Promise 1: delivery happens on the home thread`(producers: Producers) {
    let rig = Rig()
    var threads: Set<UInt> = []
    rig.stream.observeAll { _, _ in threads.insert(currentThread()) }
    rig.produce(producers) { producer, sender in sender.send(RequestCount(producer: producer)) }
    #expect(threads == [currentThread()])
  }

  @Test func `Promise 1: a stream with a thread of its own delivers there`() throws {
    let stream = EventStream(home: .ownThread)
    let threads = Locked<Set<UInt>>([])
    let delivered = Gate()
    stream.on(RequestCount.self) { event, _ in
      threads.withLock { _ = $0.insert(currentThread()) }
      if event.number == 99 { delivered.open() }
    }
    elsewhere { stream.send(RequestCount(number: 1)) }
    for number in 2..<100 { stream.send(RequestCount(number: number)) }
    try delivered.wait("the last event is delivered")
    #expect(threads.withLock { $0.count } == 1)
    #expect(threads.withLock { $0.contains(currentThread()) } == false)
    stream.stop()
  }

  @Test func `Promise 1: other threads hand over and never wait`() {
    let stream = EventStream()
    var numbers: [Int] = []
    stream.on(RequestCount.self) { event, _ in numbers.append(event.number) }
    elsewhere {
      for number in 0..<1000 { stream.send(RequestCount(number: number)) }
    }
    #expect(numbers == [])
    stream.deliver()
    #expect(numbers == Array(0..<1000))
  }

  @Test func `Promise 1: an event handed over before is delivered before`() {
    let stream = EventStream()
    var numbers: [Int] = []
    stream.on(RequestCount.self) { event, _ in numbers.append(event.number) }
    elsewhere { stream.send(RequestCount(number: 1)) }
    stream.send(RequestCount(number: 2))
    #expect(numbers == [1, 2])
  }
}
