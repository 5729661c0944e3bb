import EventMVVM
import EventMVVMTesting
import EventRecords
import Testing

@Suite(.hangLimit) struct SharedReadingTests {
  private struct RequestMany: ModelEvent {
    var count = 0
  }

  private struct RequestOne: ModelEvent {}

  @Test func `reads that are queued together share, and the last of them ends that`() {
    let stream = EventStream()
    let log = Locked<[String]>([])
    let reading = SharedReading { log.withLock { $0.append("end") } }
    stream.on(RequestMany.self) { request, turn in
      for _ in 0..<request.count { turn.send(RequestOne()) }
    }
    stream.on(RequestOne.self) { _, turn in
      let view = reading.view(turn)
      log.withLock { $0.append("\(view)") }
    }
    for count in [3, 1, 2] { stream.send(RequestMany(count: count)) }
    #expect(
      log.withLock { $0 } == [
        "shared", "shared", "shared", "end", "committed", "shared", "shared", "end",
      ]
    )
  }
}
