import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise08BufferTests {
  /// What an observer with a buffer reads when the events of each round come before it may read.
  private func read(_ buffer: Buffer, rounds: [Int]) -> [String] {
    let rig = Rig()
    let log = Log()
    rig.stream.onAsync(RequestCount.self, buffer: buffer) { event, _, missed in
      log.add("\(event.number) missed \(missed)")
    }
    var number = 0
    for round in rounds {
      for _ in 0..<round {
        number += 1
        rig.stream.send(RequestCount(number: number))
      }
      rig.drain()
    }
    return log.lines
  }

  @Test func `Promise 8: nothing is missed within the buffer`() {
    #expect(read(.oldest(3), rounds: [3]) == ["1 missed 0", "2 missed 0", "3 missed 0"])
    #expect(read(.newest(3), rounds: [3]) == ["1 missed 0", "2 missed 0", "3 missed 0"])
  }

  @Test func `Promise 8: dropping the oldest keeps the present and counts the past`() {
    #expect(read(.newest(3), rounds: [10]) == ["8 missed 7", "9 missed 0", "10 missed 0"])
    #expect(read(.newest(1), rounds: [10]) == ["10 missed 9"])
  }

  @Test func `Promise 8: dropping the newest keeps the past and counts with the next one`() {
    #expect(read(.oldest(3), rounds: [10]) == ["1 missed 0", "2 missed 0", "3 missed 0"])
    #expect(
      read(.oldest(3), rounds: [10, 1, 1]) == [
        "1 missed 0", "2 missed 0", "3 missed 0", "11 missed 7", "12 missed 0",
      ]
    )
    // The reader waits for the fourth, so that the fifth finds the buffer empty.
    #expect(read(.oldest(1), rounds: [3, 3]) == ["1 missed 0", "4 missed 2", "5 missed 0"])
  }

  @Test func `Promise 8: what was missed is counted once, over many rounds`() {
    #expect(
      read(.newest(2), rounds: [4, 1, 3]) == [
        "3 missed 2", "4 missed 0", "5 missed 0", "6 missed 0", "7 missed 0", "8 missed 0",
      ]
    )
    #expect(
      read(.newest(2), rounds: [4, 1, 5]) == [
        "3 missed 2", "4 missed 0", "5 missed 0", "6 missed 0", "9 missed 2", "10 missed 0",
      ]
    )
  }

  @Test func `Promise 8: another iterator goes on where the first has stopped`() async {
    let rig = Rig()
    let events = rig.stream.events(RequestCount.self, buffer: .oldest(9))
    for number in 1...3 { rig.stream.send(RequestCount(number: number)) }
    events.cancel()
    var read: [String] = []
    for await delivery in events {
      read.append("\(delivery.event.number) missed \(delivery.missed)")
      break
    }
    for await delivery in events {
      read.append("\(delivery.event.number) missed \(delivery.missed)")
    }
    #expect(read == ["1 missed 0", "2 missed 0", "3 missed 0"])
  }

  @Test func `Promise 8: a buffer holds at least one event`() {
    #expect(read(.newest(0), rounds: [2]) == ["2 missed 1"])
    #expect(read(.oldest(-5), rounds: [2]) == ["1 missed 0"])
  }

  @Test(arguments: Producers.allCases)
  func `Promise 8: read and missed add up to all that was sent`(producers: Producers) {
    for buffer in [Buffer.newest(4), .oldest(4)] {
      let rig = Rig()
      let counted = Locked((read: 0, missed: 0))
      rig.stream.onAsync(RequestCount.self, buffer: buffer) { _, _, missed in
        counted.withLock {
          $0.read += 1
          $0.missed += missed
        }
      }
      rig.produce(producers) { producer, sender in
        for number in 0..<500 { sender.send(RequestCount(producer: producer, number: number)) }
      }
      rig.stream.send(RequestCount())
      rig.drain()
      let (read, missed) = counted.withLock { $0 }
      #expect(read + missed == 500 * producers.count + 1)
    }
  }

  @Test func `Promise 8: an asynchronous handler gets one event at a time, in order`() {
    let rig = Rig()
    let log = Log()
    rig.stream.answerAsync(RequestGreeting.self) { _, _ in "hello" }
    rig.stream.onAsync(RequestCount.self, buffer: .oldest(10)) { event, turn, _ in
      log.add("\(event.number) begins")
      _ = try? await turn.request(RequestGreeting())
      log.add("\(event.number) ends")
    }
    rig.stream.send(RequestCount(number: 1))
    rig.stream.send(RequestCount(number: 2))
    rig.drain()
    #expect(log.lines == ["1 begins", "1 ends", "2 begins", "2 ends"])
  }

  @Test func `Promise 8: a slow observer doesn't keep others waiting`() {
    let rig = Rig()
    let log = Log()
    rig.stream.onAsync(RequestCount.self, buffer: .newest(1)) { event, _, missed in
      log.add("slow \(event.number) missed \(missed)")
    }
    rig.stream.on(RequestCount.self) { event, _ in log.add("quick \(event.number)") }
    for number in 1...3 { rig.stream.send(RequestCount(number: number)) }
    rig.drain()
    #expect(log.lines == ["quick 1", "quick 2", "quick 3", "slow 3 missed 2"])
  }

  @Test func `Promise 8: a sequence reports what was missed, then ends when cancelled`() {
    let rig = Rig()
    let log = Log()
    let events = rig.stream.events(RequestCount.self, buffer: .newest(2))
    for number in 1...5 { rig.stream.send(RequestCount(number: number)) }
    events.cancel()
    rig.stream.send(RequestCount(number: 6))
    Task(executorPreference: rig.executor) {
      for await delivery in events {
        log.add(
          "\(delivery.event.number) missed \(delivery.missed) at \(delivery.envelope.sequence)"
        )
      }
      log.add("over")
    }
    rig.drain()
    #expect(log.lines == ["4 missed 3 at 4", "5 missed 0 at 5", "over"])
    #expect(rig.stream.subscriptionCount == 0)
  }

  @Test func `Promise 8: a sequence ends with its reader's task, and its subscription too`() {
    let rig = Rig()
    let log = Log()
    let events = rig.stream.events(RequestCount.self, buffer: .newest(2))
    let task = Task(executorPreference: rig.executor) {
      for await delivery in events { log.add("\(delivery.event.number)") }
      log.add("over")
    }
    rig.stream.send(RequestCount(number: 1))
    rig.drain()
    task.cancel()
    rig.drain()
    rig.stream.send(RequestCount(number: 2))
    rig.drain()
    #expect(log.lines == ["1", "over"])
    #expect(rig.stream.subscriptionCount == 0)
  }

  @Test func `Promise 8: a sequence does not keep its stream, and ends with it`() async {
    var stream: EventStream? = EventStream()
    weak let router = stream?.router
    let events = stream?.events(RequestCount.self, buffer: .newest(2))
    stream?.send(RequestCount(number: 1))
    stream = nil
    #expect(router == nil)
    var numbers: [Int] = []
    if let events { for await delivery in events { numbers.append(delivery.event.number) } }
    #expect(numbers == [1])
  }

  @Test func `Promise 8: a sequence on its own thread is read as it comes`() async {
    let stream = EventStream(home: .ownThread)
    let events = stream.events(RequestCount.self, buffer: .oldest(1000))
    for number in 1...1000 { stream.send(RequestCount(number: number)) }
    var numbers: [Int] = []
    for await delivery in events {
      numbers.append(delivery.event.number + delivery.missed)
      if delivery.event.number == 1000 { break }
    }
    #expect(numbers == Array(1...1000))
    stream.stop()
  }
}
