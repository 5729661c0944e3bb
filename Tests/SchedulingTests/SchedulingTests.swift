import Completing
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
@testable import RecordCommands
import SQLiteEngine
import Scheduling
import Testing

/// A task that can wait.
private struct Task: CommandRecord {
  var title = ""
  var doneAt: Instant?
  var wait: CivilTime?
  var until: CivilTime?
  var begin: CivilTime?

  static let fields = Fields<Self>("task", several: "tasks")
    .field("title", \.title, .searched, "What is to be done")
    .field("doneAt", \.doneAt, .stamp)
    .field("wait", \.wait, "Until when it is out of lists")
    .field("until", \.until, "Until when it is of use")
    .field("begin", \.begin, "When it is to be begun")
    .role(.completion, \.doneAt)
    .role(.wait, \.wait)
    .role(.until, \.until)
    .role(.scheduled, \.begin)
  static let commands = RecordCommands<Self>().with(Completing()).with(Scheduling())
}

@Suite(.hangLimit) struct SchedulingTests {
  private let test: TestContext
  private let catalogue: Catalogue

  /// Tasks that wait for a day, a minute and nothing, on a Friday at noon.
  init() throws {
    var catalogue = Catalogue()
    catalogue.add(Task.self)
    self.catalogue = catalogue
    test = TestContext()
    test.now = Instant(iso8601: "2026-11-27T12:00:00.000Z") ?? test.now
    test.add(RecordServer(MemoryDatabase(), [Task.self], watchesExternalChanges: false))
    test.add(CatalogueServer(catalogue) { [] })
    for line in [
      "add Day wait:2026-11-28", "add Minute wait:2026-11-27T15:00", "add Now wait:2026-11-27",
      "add Offer until:2026-11-27", "add Over until:2026-11-26", "add Later begin:2026-11-30",
    ] {
      _ = try said(line)
    }
  }

  private func said(_ line: String) throws -> String {
    guard let command = try catalogue.read(line: line) else { return "" }
    do {
      return try said(command)
    } catch let failure as Failure {
      return "error: \(failure.message)\n"
    }
  }

  private func said<C: Command>(_ command: C) throws -> String {
    var page = Page(clock: ReaderClock(test.now, in: .utc))
    command.show(try test.value(of: command), on: &page)
    return page.text
  }

  /// The titles of a list.
  private func titles(_ line: String) throws -> [String] {
    try said(line).split(separator: "\n")
      .map { line in
        String(line.split(separator: "] ")[1].prefix { $0 != " " })
      }
  }

  @Test func `what waits is out of lists until its time begins`() throws {
    #expect(try titles("list") == ["Now", "Offer", "Later"])
    #expect(try said("count") == "3 tasks\n")
    #expect(try titles("list is:waiting") == ["Day", "Minute"])
    #expect(try titles("list wait:..sat") == ["Day", "Minute", "Now"])
    test.now = Instant(iso8601: "2026-11-27T15:00:00.000Z") ?? test.now
    #expect(try titles("list is:waiting") == ["Day"])
    test.now = Instant(iso8601: "2026-11-28T00:00:00.000Z") ?? test.now
    #expect(try titles("list is:waiting") == [])
    #expect(try titles("list") == ["Day", "Minute", "Now", "Later"])
  }

  @Test func `a list that goes on follows the time`() throws {
    let told = Locked<(lines: [String], root: Root?)>(([], nil))
    test.stream.on(ResponseFollowedLines.self) { event, _ in
      told.withLock { $0 = ($0.lines + event.lines, event.root) }
    }
    let command = try #require(try catalogue.read(line: "list --follow --fields title"))
    func begin<C: Command>(_ command: C) { test.stream.request(command) { _, _ in } }
    begin(command)
    test.stream.deliver()
    let root = try #require(told.withLock(\.root))
    func lines(at time: String) -> [String] {
      told.withLock { $0.lines = [] }
      test.now = Instant(iso8601: time) ?? test.now
      test.stream.send(ResponsePassedMinute(root: root))
      test.stream.deliver()
      return told.withLock { $0.lines }
    }
    #expect(told.withLock { $0.lines.count } == 4)
    #expect(lines(at: "2026-11-27T14:59:00.000Z") == [])
    #expect(
      lines(at: "2026-11-27T15:00:00.000Z") == [
        #"{"kind":"row","record":{"id":2,"title":"Minute","revision":2},"after":null}"#,
        #"{"kind":"head","revision":6}"#,
      ]
    )
    #expect(
      lines(at: "2026-11-28T00:00:00.000Z") == [
        #"{"kind":"gone","id":4}"#,
        #"{"kind":"row","record":{"id":1,"title":"Day","revision":1},"after":null}"#,
        #"{"kind":"head","revision":6}"#,
      ]
    )
    test.skip()
  }

  @Test func `what is over is closed without a command`() throws {
    #expect(try titles("list is:expired") == ["Over"])
    test.now = Instant(iso8601: "2026-11-28T00:00:00.000Z") ?? test.now
    #expect(try titles("list is:expired") == ["Offer", "Over"])
    #expect(try titles("list --all").count == 6)
    #expect(try said("done 5") == "Completed #5 Over\n")
    #expect(try titles("list is:done") == [])
    #expect(try titles("list is:done or is:expired") == ["Offer", "Over"])
  }

  @Test func `what can be begun is open, and waits for nothing`() throws {
    #expect(try titles("list is:ready") == ["Now", "Offer"])
    test.now = Instant(iso8601: "2026-11-30T00:00:00.000Z") ?? test.now
    #expect(try titles("list is:ready") == ["Day", "Minute", "Now", "Later"])
  }

  @Test func `a command finds what a list does, and a number means any`() throws {
    #expect(try said("edit begin:none to begin:mon").split(separator: "\n").count == 2)
    #expect(try said("edit 1 wait:") == "Changed #1: wait tomorrow → none\n")
    #expect(try titles("list") == ["Day", "Now", "Offer", "Later"])
    #expect(try said("edit is:waiting to wait:") == "Changed #2: wait today 15:00 → none\n")
  }

  @Test func `numbers of a prompt are those of the list`() throws {
    let status = try test.value(of: RequestOpenCounts<Task>())
    #expect((status.open, status.overdue) == (3, 0))
  }

  @Test func `an end before the beginning is an error, and changes nothing`() throws {
    #expect(
      try said("add No wait:2026-12-10 until:2026-12-09")
        == "error: It would be over on 2026-12-09, before it stops waiting on 2026-12-10.\n"
    )
    #expect(try said("add Yes wait:2026-12-10 until:2026-12-10").hasPrefix("Added #7 Yes"))
    #expect(try said("edit 7 until:2026-12-09").hasPrefix("error: It would be over on 2026-12-09"))
    #expect(try said("add Last wait:9999-12-31 until:9999-12-31").hasPrefix("Added #8 Last"))
  }

  @Test func `by the rules of before a list leaves nothing out by the time`() throws {
    let before = TestContext(now: test.now, rules: 0)
    before.add(RecordServer(MemoryDatabase(), [Task.self], watchesExternalChanges: false))
    before.add(CatalogueServer(catalogue) { [] })
    var task = Task()
    (task.title, task.wait) = ("Day", .day(try #require(CivilDay("2026-11-28"))))
    _ = try before.value(of: RequestWriteRecords([.add(task)]))
    let list = try #require(try catalogue.read(line: "list") as? RequestList<Task>)
    #expect(try before.value(of: list).records.map(\.value.title) == ["Day"])
  }
}
