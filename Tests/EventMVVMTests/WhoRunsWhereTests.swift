import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct WhoRunsWhereTests {
  @Test func `Who runs where 1: sends from elsewhere append and wake the home thread`() {
    let stream = EventStream()
    var numbers: [Int] = []
    stream.on(RequestCount.self) { event, _ in numbers.append(event.number) }
    let threads = Threads()
    threads.start {
      for number in 1...3 { stream.send(RequestCount(number: number)) }
    }
    stream.run { numbers.count == 3 }
    threads.join()
    #expect(numbers == [1, 2, 3])
  }

  @Test func `Who runs where 1: a stream's own thread delivers all that came before its end`()
    throws
  {
    let ended = Gate()
    let log = Log()
    final class AtEnd: Sendable {
      let gate: Gate
      init(_ gate: Gate) { self.gate = gate }
      deinit { gate.open() }
    }
    do {
      let stream = EventStream(home: .ownThread)
      let end = AtEnd(ended)
      stream.on(RequestCount.self) { event, _ in
        withExtendedLifetime(end) { log.add("\(event.number)") }
      }
      for number in 1...3 { stream.send(RequestCount(number: number)) }
      stream.stop()
    }
    // The thread's end is the stream's end, and lets go of its observers.
    try ended.wait("the stream is gone")
    #expect(log.lines == ["1", "2", "3"])
  }

  @Test func `Who runs where 1: running the home thread belongs to the home thread`() async {
    await #expect(processExitsWith: .failure) {
      let stream = EventStream()
      elsewhere { stream.deliver() }
    }
    await #expect(processExitsWith: .failure) {
      let stream = EventStream()
      elsewhere { stream.run { true } }
    }
  }

  @Test func `Who runs where 3: a long read doesn't keep the home thread`() {
    let rig = Rig()
    let log = Log()
    rig.stream.answerAsync(RequestReading.self) { _, _ in
      log.add("reading")
      return "read"
    }
    rig.stream.on(RequestCount.self) { _, _ in log.add("counted") }
    rig.stream.request(RequestReading()) { _, _ in log.add("answered") }
    rig.stream.send(RequestCount())
    rig.drain()
    #expect(log.lines == ["counted", "reading", "answered"])
  }

  @Test func `Who runs where 3: a frontend's read comes after its own writes`() {
    let rig = Rig()
    let log = Log()
    rig.stream.answer(RequestGreeting.self) { request, _ in
      log.add("write \(request.name)")
      return ""
    }
    rig.stream.answerAsync(RequestReading.self) { _, _ in
      log.add("read")
      return ""
    }
    elsewhere { [stream = rig.stream] in
      stream.send(RequestGreeting(name: "a"))
      stream.send(RequestGreeting(name: "b"))
      stream.send(RequestReading())
    }
    rig.drain()
    #expect(log.lines == ["write a", "write b", "read"])
  }

  @Test func `Who runs where 4: others' reads are answered in the midst of a unit's bulk work`() {
    let rig = Rig()
    let log = Log()
    rig.stream.answer(RequestGreeting.self) { request, _ in
      log.add("write \(request.name)")
      return request.name
    }
    rig.stream.answer(RequestReading.self) { _, _ in "" }
    let other = rig.stream.joined(as: "other")
    func feed(_ number: Int, _ unit: StreamUnit) {
      guard number <= 4 else { return unit.commit { _, _ in log.add("kept") } }
      unit.request(RequestGreeting(name: "\(number)")) { _, _ in
        if number == 2 {
          elsewhere { other.request(RequestReading()) { _, _ in log.add("other's read") } }
        }
        feed(number + 1, unit)
      }
    }
    rig.stream.begin(.allOrNothing) { result, _ in
      if case .success(let unit) = result { feed(1, unit) }
    }
    #expect(
      log.lines == ["write 1", "write 2", "write 3", "other's read", "write 4", "kept"]
    )
  }

  @Test func `Who runs where 5: cancelling passes the queue by`() {
    let stream = EventStream()
    var log: [String] = []
    let conversation = Locked<Conversation?>(nil)
    stream.on(RequestGreeting.self) { _, turn in
      turn.send(RequestCount())
      log.append("working, \(turn.isCancelled)")
      elsewhere { conversation.withLock { $0 }.map(stream.cancel) }
      log.append("still working, \(turn.isCancelled)")
    }
    stream.on(RequestCount.self) { _, turn in
      log.append("on the way, \(turn.isCancelled)")
      turn.send(ResponseGreeting("committed"))
    }
    stream.on(RequestOther.self) { _, turn in
      let begun = turn.stream.request(RequestGreeting()) { result, _ in
        if case .success(let reply) = result { log.append("\(reply.result)") }
      }
      conversation.withLock { $0 = begun }
    }
    stream.send(RequestOther())
    #expect(
      log == [
        "working, false", "still working, true", "on the way, true", "success(\"committed\")",
      ]
    )
  }
}
