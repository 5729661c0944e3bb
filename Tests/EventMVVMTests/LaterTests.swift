import EventMVVMTesting
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct LaterTests {
  @Test func `what is left for later comes behind all that is queued, and is no event`() {
    let stream = EventStream()
    let log = Log()
    stream.observeAll { event, turn in log.add("\(turn.sequence) \(type(of: event).name)") }
    stream.on(RequestThird.self) { _, turn in
      for number in 1...3 { turn.send(RequestCount(number: number)) }
    }
    stream.on(RequestCount.self) { request, turn in
      if request.number == 1 { turn.afterQueued { log.add("later") } }
      turn.send(RequestOther())
    }
    stream.send(RequestThird())
    #expect(
      log.lines == [
        "1 RequestThird", "2 RequestCount", "3 RequestCount", "4 RequestCount", "later",
        "5 RequestOther", "6 RequestOther", "7 RequestOther",
      ]
    )
  }

  @Test func `a turn knows whether more is queued, by another thread, too`() {
    let stream = EventStream()
    var followed: [Bool] = []
    stream.on(RequestThird.self) { _, turn in
      followed.append(turn.isFollowed)
      turn.send(RequestCount())
      followed.append(turn.isFollowed)
    }
    stream.on(RequestCount.self) { _, turn in
      followed.append(turn.isFollowed)
      elsewhere { stream.send(RequestOther()) }
      followed.append(turn.isFollowed)
    }
    stream.send(RequestThird())
    #expect(followed == [false, true, false, true])
  }
}
