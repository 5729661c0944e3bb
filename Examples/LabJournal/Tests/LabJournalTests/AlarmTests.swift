import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import RecordCommands
import EventRecordsTesting
import EventValues
import Testing

@testable import labjournal

/// The alarm, by a clock that stands still; the context's shows 2025-11-20T10:00.
@Suite(.hangLimit) struct AlarmTests {
  private let test = TestContext.withRecords(Sample.self)
  private let clock = TestClock()
  private let heard = Locked<[String]>([])

  private let alarm: Alarm

  init() {
    alarm = Alarm(clock: clock)
    test.add(alarm)
    test.stream.on(ResponseOverdue.self) { [heard] event, _ in
      heard.withLock { $0.append("\(event.number) \(event.batch)") }
    }
  }

  @discardableResult
  private func begin(_ kind: ProcessSession.Kind) -> ProcessSession {
    var session = ProcessSession("labjournal", version: "1", Catalogue())
    session.kind = kind
    session.stream = test.stream
    alarm.begin(session)
    test.skip()
    return session
  }

  private func store(_ samples: Sample...) throws {
    try test.value(of: RequestWriteRecords(samples.map { .add($0) }))
  }

  /// Lets time go by, for the context and for the timer.
  private func wait(minutes: Int64) {
    test.now = Instant(milliseconds: test.now.milliseconds + minutes * 60_000)
    clock.advance(by: .seconds(60 * minutes))
    test.skip()
  }

  @Test func `a sample is announced when its minute is over, and once`() throws {
    begin(.conversation)
    try store(
      Sample(batch: "A7", due: CivilTime("2025-11-20T10:01")),
      Sample(batch: "B2", due: CivilTime("2025-11-20")),
      Sample(batch: "C3", status: .finished, due: CivilTime("2025-11-01"))
    )
    wait(minutes: 1)
    #expect(heard.withLock { $0 } == [])
    wait(minutes: 1)
    #expect(heard.withLock { $0 } == ["1 A7"])
    wait(minutes: 1)
    #expect(heard.withLock { $0 } == ["1 A7"])
  }

  @Test func `what is due on a day is overdue on the next`() throws {
    try store(Sample(batch: "B2", due: CivilTime("2025-11-20")))
    begin(.conversation)
    wait(minutes: 14 * 60 - 1)
    #expect(heard.withLock { $0 } == [])
    wait(minutes: 1)
    #expect(heard.withLock { $0 } == ["1 B2"])
  }

  @Test func `it ends with the session`() throws {
    let session = begin(.service)
    #expect(clock.sleeperCount == 1)
    session.cancelTasks()
    test.skip()
    #expect(clock.sleeperCount == 0)
  }

  @Test func `--alarm has it look as often as it says, in a command alone, too`() throws {
    try alarm.options?.take(["--alarm", "30"])
    try store(Sample(batch: "A7", due: CivilTime("2025-11-20T10:00")))
    begin(.job(.writes))
    #expect(heard.withLock { $0 } == [])
    test.now = Instant(milliseconds: test.now.milliseconds + 60_000)
    clock.advance(by: .seconds(30))
    test.skip()
    #expect(heard.withLock { $0 } == ["1 A7"])
    #expect(throws: CommandError("--alarm: at least a second")) {
      try alarm.options?.take(["--alarm", "0"])
    }
  }

  @Test func `a command alone has no alarm`() {
    begin(.job(.writes))
    #expect(clock.sleeperCount == 0)
  }
}

/// Plugins like these keep the laws of all plugins.
@Suite(.hangLimit) struct PluginTests {
  @Test func `the alarm keeps the plugin laws`() {
    PluginLaws.check(sending: [ResponseAlarmTick()]) { Alarm() }
  }
  @Test func `the ledger keeps the plugin laws`() { PluginLaws.check { Ledger() } }
  @Test func `the server keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestReceive(), RequestAgain(), RequestList<Sample>()]) {
      SamplesAlone()
    }
  }
}

/// The answers of all commands on samples, as one plugin.
private struct SamplesAlone: Plugin {
  let name = "samples"

  func join(_ stream: EventStream) {
    stream.answer(LabJournal.commands)
    SampleServer().join(stream)
  }
}
