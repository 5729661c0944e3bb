import Completing
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

/// A task that is done at a time.
private struct Task: CommandRecord {
  var title = ""
  var doneAt: Instant?
  var due: CivilTime?
  var labels: [String] = []
  var area: String?
  var weight = Weight.light

  enum Weight: String, Choice, RankedValue, FieldOption, Codable { case light, heavy }

  static let fields = Fields<Self>("task", several: "tasks")
    .field("title", \.title, .searched, "What is to be done")
    .field("doneAt", \.doneAt, .stamp)
    .field("due", \.due, .indexed, "When")
    .set("labels", \.labels, "A label (repeatable)", one: "label")
    .field("area", \.area, .indexed, "Of what")
    .field("weight", \.weight, .indexed, "How much it takes")
    .role(.completion, \.doneAt)
    .role(.due, \.due)
    .role(.labels, \.labels)
    .role(.project, \.area)
    .role(.priority, \.weight)
  static let commands = RecordCommands<Self>()
    .with(Completing(toggle: .init("toggle")))
}

/// A thing that is ticked off.
private struct Item: CommandRecord {
  var title = ""
  var ticked = false
  static let fields = Fields<Self>("item", several: "items")
    .field("title", \.title, .searched, "What")
    .field("ticked", \.ticked, .indexed)
    .role(.completion, \.ticked)
  static let commands = RecordCommands<Self>()
    .with(Completing(.init("tick", "Ticks items off.", says: "Ticked")))
}

/// A visit on a day.
private struct Visit: CommandRecord {
  var title = ""
  var made: CivilTime?
  static let fields = Fields<Self>("visit", several: "visits")
    .field("title", \.title, .searched, "Whom")
    .field("made", \.made)
    .role(.completion, \.made)
  static let commands = RecordCommands<Self>().with(Completing())
}

/// A letter, which is done in one of three states.
private struct Letter: CommandRecord {
  var title = ""
  var topics: [String] = []
  var state = State.drafted
  enum State: String, Choice, RankedValue, FieldOption, Codable, CompletionValue {
    case drafted, signed, sent, lost
    static var open: Self { .signed }
    static var done: [Self] { [.sent, .lost] }
  }
  static let fields = Fields<Self>("letter", several: "letters")
    .field("title", \.title, .searched, "To whom")
    .field("state", \.state, .indexed, "How far it is")
    .set("topics", \.topics, "A topic (repeatable)", one: "topic")
    .role(.completion, \.state)
  static let commands = RecordCommands<Self>(suffix: "letter")
    .with(Completing(.init("send", "Sends letters.", says: "Sent", isWhole: true)))
}

/// A kind with the mistakes that a declaration can have.
private struct Stone: CommandRecord {
  var title = ""
  var weighty = false
  var heavy = ""
  static let fields = Fields<Self>("stone", several: "stones")
    .field("title", \.title, .searched, "What")
    .field("weighty", \.weighty)
    .field("heavy", \.heavy, "How heavy")
    .role(.heavy, \.weighty)
    .role(Role<String>("heavy"), \.heavy)
  static let commands = RecordCommands<Self>()
    .with(Completing()).with(Weighing()).with(Naming())
    .verb("weigh", "Weighs them.", "Weighed") { _, _ in }
}

extension Role<Bool> {
  fileprivate static var heavy: Self { Role("heavy") }
}

/// Brings a verb and a condition.
private struct Weighing: RolePlugin {
  let name = "weighing"

  func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R> {
    let heavy = try R.field(for: .heavy)
    return
      commands
      .verb("weigh", "Weighs \(R.several).", "Weighed") { record, _ in heavy.set(true, in: &record)
      }
      .condition("heavy", "Only heavy ones", heavy.equals(true))
  }
}

/// Needs a role of the same name, of other values.
private struct Naming: RolePlugin {
  let name = "naming"

  func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R> {
    _ = try R.field(for: Role<[String]>("heavy"))
    return commands
  }
}

/// A program with a kind.
private final class Rig<R: CommandRecord> {
  let test = TestContext()
  let catalogue: Catalogue

  init() {
    var catalogue = Catalogue()
    catalogue.add(R.self)
    self.catalogue = catalogue
    test.now = Instant(iso8601: "2026-11-27T12:00:00.000Z") ?? test.now
    test.add(RecordServer(MemoryDatabase(), [R.self], watchesExternalChanges: false))
    test.add(CatalogueServer(catalogue) { [] })
  }

  func said(_ lines: String...) throws -> String {
    var last = ""
    for line in lines {
      guard let command = try catalogue.read(line: line) else { continue }
      do {
        last = try said(command)
      } catch let failure as Failure {
        last = "error: \(failure.message)\n"
      }
    }
    return last
  }

  /// The help of a command.
  func help(of verb: String) throws -> String { try said(RequestHelp(topic: [verb])) }

  private func said<C: Command>(_ command: C) throws -> String {
    var page = Page(clock: ReaderClock(test.now, in: .utc))
    command.show(try test.value(of: command), on: &page)
    return page.text
  }

  /// The record with a number.
  func stored(_ number: Int) throws -> R {
    try test.value(of: RequestRecords<R>(RecordReference.number(number)))[0].value
  }
}

@Suite(.hangLimit) struct CompletingTests {
  @Test func `what is done leaves the list, keeps its time, and comes back`() throws {
    let tasks = Rig<Task>()
    _ = try tasks.said("add Sweep due:today", "add Paint due:2026-11-20", "add Old")
    #expect(
      try tasks.said("list")
        == "#1 [ ] Sweep  due today\n#2 [ ] Paint  due Fri 20 Nov, 7 days overdue\n#3 [ ] Old\n"
    )
    #expect(try tasks.said("done 1-2") == "Completed #1 Sweep\nCompleted #2 Paint\n")
    let time = tasks.test.now
    #expect(try tasks.stored(1).doneAt == time)
    tasks.test.now = Instant(milliseconds: time.milliseconds + 60_000)
    #expect(try tasks.said("done 1") == "Unchanged #1 Sweep\n")
    #expect(try tasks.stored(1).doneAt == time)
    #expect(try tasks.said("list") == "#3 [ ] Old\n")
    #expect(
      try tasks.said("list is:done")
        == "#1 [x] Sweep  done today 12:00  due today\n#2 [x] Paint  done today 12:00  due Fri 20 Nov\n"
    )
    #expect(try tasks.said("count --done-since today") == "2 tasks\n")
    #expect(try tasks.said("count is:overdue") == "0 tasks\n")
    #expect(try tasks.said("reopen 2") == "Reopened #2 Paint\n")
    #expect(try tasks.said("count is:overdue") == "1 task\n")
    #expect(try tasks.said("list is:today --all") == "#1 [x] Sweep  due today\n")
    #expect(try tasks.said("toggle 2,1") == "Completed #2 Paint\nReopened #1 Sweep\n")
    #expect(throws: CommandError.self) { try tasks.said("list --open --done") }
  }

  @Test func `lines show what fields mean`() throws {
    let tasks = Rig<Task>()
    #expect(
      try tasks.said("add Sweep due:fri area:House weight:heavy +a +b")
        == "Added #1 Sweep  due Fri 4 Dec  +a +b  area: House  !heavy\n"
    )
  }

  @Test func `a mark, a day and a status say that something is done`() throws {
    let items = Rig<Item>()
    #expect(try items.said("add Milk", "tick 1") == "Ticked #1 Milk\n")
    #expect(try items.said("list --all") == "#1 [x] Milk\n")
    #expect(try items.said("reopen 1", "list") == "#1 [ ] Milk\n")

    let visits = Rig<Visit>()
    _ = try visits.said("add Ann", "done 1")
    #expect(try visits.stored(1).made == CivilTime.day(try #require(CivilDay("2026-11-27"))))
    #expect(try visits.said("count is:done") == "1 visit\n")

    let letters = Rig<Letter>()
    _ = try letters.said(
      "add-letter Ann",
      "add-letter Bob --state signed",
      "add-letter Cid --state lost",
      "send 2"
    )
    #expect(try letters.said("list-letter is:open") == "#1 Ann\n")
    // Of several values that mean done all count, and none is set in place of another.
    #expect(try letters.said("list-letter is:done") == "#2 Bob  state sent\n#3 Cid  state lost\n")
    #expect(try letters.said("send 3") == "Unchanged #3 Cid\n")
    #expect(try letters.said("reopen-letter 2") == "Reopened #2 Bob\n")
    #expect(try letters.stored(2).state == .signed)
    // One that is open in its own way stays so.
    #expect(try letters.said("reopen-letter 1") == "Unchanged #1 Ann\n")
    #expect(
      letters.catalogue.commands.map { $0.name }.filter { $0.hasSuffix("Letter") } == [
        "RequestAddLetter", "RequestLetter", "RequestEditLetter", "RequestSendLetter",
        "RequestReopenLetter", "RequestDeleteLetter",
      ]
    )
  }

  @Test func `each command of a kind among several has one name`() throws {
    let letters = Rig<Letter>()
    let verbs = letters.catalogue.commands.map { $0.verb }
    #expect(verbs.contains("topics-letter") && verbs.contains("send"))
    for verb in verbs where verb.hasSuffix("letter") || verb == "send" {
      let page = try letters.help(of: verb)
      #expect(page.split(separator: "\n")[1].hasPrefix("  \(verb)"), "\(page)")
    }
  }

  @Test func `among several kinds a prompt says of which it is, and nothing of none`() {
    func text(_ status: StatusText) -> String { status.pieces.map(\.text).joined() }
    #expect(text(StatusText(open: 3, overdue: 1)) == "3 open, 1 overdue")
    #expect(text(StatusText(open: 0, overdue: 0)) == "0 open")
    #expect(text(StatusText(open: 3, overdue: 1) { _ in "jobs" }) == "3 jobs open, 1 overdue")
    #expect(StatusText(open: 0, overdue: 0) { _ in "jobs" } == StatusText([]))
  }

  @Test func `a mistake in what is declared is a sentence`() {
    var catalogue = Catalogue()
    catalogue.add(Stone.self)
    #expect(
      catalogue.clashes == [
        "'weigh' is claimed by both 'stone' (RequestWeighStone) and 'stone' (RequestWeighStone)",
        "'stone' gives the role 'heavy' to both 'weighty' and 'heavy': a role has one field",
        "The plugin 'completing' can't be used: no field of 'stone' has the role 'completion'; "
          + "declare it by '.role(_:_:)' after the fields.",
        "The plugin 'naming' can't be used: the field of 'stone' with the role 'heavy' has values "
          + "of another type.",
        "'stone' has the verb 'weigh' twice: two plugins bring it, or a plugin and the domain.",
        "'stone' has a field 'heavy' that people give, and a condition of that name: rename the field.",
      ]
    )
    for kind in [Task.self, Item.self, Visit.self, Letter.self] as [any CommandRecord.Type] {
      var catalogue = Catalogue()
      catalogue.add(kind)
      #expect(catalogue.clashes == [])
    }
  }

  @Test func `a priority is marked where it is above that of a new record`() throws {
    let tasks = Rig<Task>()
    _ = try tasks.said("add Sweep weight:heavy", "add Dust")
    #expect(try tasks.said("list") == "#1 [ ] Sweep  !heavy\n#2 [ ] Dust\n")
    #expect(
      try tasks.said("list --fields weight")
        == "#1 [ ] Sweep  weight heavy\n#2 [ ] Dust  weight light\n"
    )
    let weight = try #require(Task.field(with: .priority))
    #expect(try weight.rank(of: tasks.stored(1)) == 1)
    #expect(weight.atLeast(rank: 1).stored == Condition<Task>.atLeast(\.weight, .heavy).stored)
  }

  @Test func `measures follow from roles`() {
    var before = Task()
    before.labels = ["home"]
    var after = before
    after.doneAt = Instant(milliseconds: 1)
    after.area = "House"
    let time = Instant(milliseconds: 5)
    let home = Measure.Dimension("label", "home")
    #expect(
      Task.measures(from: before, to: after, at: time) == [
        Measure(.count("completed"), 1, at: time, by: [home, .init("area", "House")]),
        Measure(.level("open"), -1, at: time, by: [home]),
      ]
    )
    #expect(
      Task.measures(from: nil, to: before, at: time) == [
        Measure(.count("added"), 1, at: time, by: [home]),
        Measure(.level("open"), 1, at: time, by: [home]),
      ]
    )
    #expect(Task.measures(from: before, to: before, at: time) == [])
    #expect(Stone.measures(from: nil, to: Stone(), at: time) == [])
  }
}
