import EventMVVM
import EventMVVMTesting
import Testing

@Suite(.hangLimit) struct TestClockTests {
  private let clock = TestClock()
  private let executor = DrainExecutor()
  private let log = Locked<[String]>([])

  private func sleep(_ name: String, _ duration: Duration) -> Task<Void, Never> {
    let task = Task(executorPreference: executor) { [clock, log] in
      do {
        try await clock.sleep(for: duration)
        log.withLock { $0.append(name) }
      } catch {
        log.withLock { $0.append("\(name): \(error)") }
      }
    }
    executor.drain()
    return task
  }

  @Test func `who sleeps wakes when the time has come, the earliest first`() {
    _ = sleep("four", .seconds(4))
    _ = sleep("one", .seconds(1))
    #expect(clock.sleeperCount == 2)
    clock.advance(by: .milliseconds(999))
    executor.drain()
    #expect(log.withLock { $0 } == [])
    clock.advance(by: .seconds(10))
    executor.drain()
    #expect(log.withLock { $0 } == ["one", "four"])
    #expect(clock.now.offset == .milliseconds(10_999))
  }

  @Test func `who sleeps no time at all is not kept`() {
    _ = sleep("now", .zero)
    #expect(log.withLock { $0 } == ["now"])
  }

  @Test func `who is cancelled wakes at once`() {
    sleep("cancelled", .seconds(1)).cancel()
    executor.drain()
    #expect(log.withLock { $0 } == ["cancelled: CancellationError()"])
    #expect(clock.sleeperCount == 0)
  }
}
