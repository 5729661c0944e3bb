import EventMVVM
import EventMVVMTesting
import Testing

@testable import EventServing

/// What of the events can be read, and what is known of those that can't any more.
@Suite(.hangLimit) struct EventLogTests {
  private static let script = Root(session: 1, number: 1)
  private static let other = Root(session: 1, number: 9)

  private func entry(
    _ number: UInt64,
    _ type: String = "a",
    of root: Root = other,
    bytes: Int = 1
  ) -> EventLog.Entry {
    .init(sequence: number, type: type, root: root, json: [UInt8](repeating: 0x30, count: bytes))
  }

  private func numbers(_ log: EventLog, from number: UInt64 = 0) -> [UInt64] {
    log.read(from: number, limit: 1000, bytes: 1 << 20).entries.map(\.sequence)
  }

  @Test func `what happens in a unit is read once it is kept`() {
    let log = EventLog()
    log.append(entry(1))
    log.hide(Self.script)
    log.append(entry(2, of: Self.script))
    log.append(entry(3))
    #expect(numbers(log) == [1])
    #expect(log.head == 1)
    #expect(log.count(from: 0) == 1)
    log.show(Self.script, isCommitted: true)
    #expect(numbers(log, from: 2) == [2, 3])
    #expect(log.head == 3)
  }

  @Test func `what happened in a unit that is taken back is never read, and the rest is`() {
    let log = EventLog()
    log.hide(Self.script)
    log.append(entry(1, of: Self.script))
    log.append(entry(2))
    log.append(entry(3, of: Self.script))
    log.show(Self.script, isCommitted: false)
    #expect(numbers(log) == [2])
    log.append(entry(4))
    #expect(numbers(log) == [2, 4])
  }

  @Test func `the end of a unit that began before the log does is nothing`() {
    let log = EventLog()
    log.append(entry(1, of: Self.script))
    log.show(Self.script, isCommitted: false)
    #expect(numbers(log) == [1])
  }

  @Test func `what is let go of is counted by its type`() {
    let log = EventLog()
    for number in 1...70_000 { log.append(entry(UInt64(number), number % 2 == 0 ? "even" : "odd")) }
    let slice = log.read(from: 1, ["even"], limit: 1, bytes: 1)
    #expect(slice.isMissing)
    #expect(slice.dropped == (70_000 - EventLog.mostEntries) / 2)
    #expect(log.first == UInt64(70_000 - EventLog.mostEntries + 1))
    #expect(log.count(before: 69_999, ["even"]) == 34_999)
    #expect(log.count(before: 0, nil) == 0)
    #expect(log.count(before: 2, nil) == nil)
  }

  @Test
  func `what a unit that is taken back has driven out is missing, what it drove out of itself not`()
  {
    let log = EventLog()
    log.append(entry(1, bytes: 10))
    log.hide(Self.script)
    for number in 2...5 {
      log.append(entry(UInt64(number), of: Self.script, bytes: EventLog.mostBytes / 2))
    }
    log.show(Self.script, isCommitted: false)
    #expect(log.read(from: 1, limit: 1, bytes: 1).dropped == 1)
    #expect(log.read(from: 2, limit: 1, bytes: 1).isMissing == false)
    log.append(entry(6))
    #expect(numbers(log, from: 2) == [6])
  }
}
