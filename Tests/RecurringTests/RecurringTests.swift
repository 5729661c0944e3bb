import Completing
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import Recurring
import SQLiteEngine
import Testing
import UndoHistory

/// A task that can come again.
private struct Task: CommandRecord {
  var uuid = UniqueID.none
  var title = ""
  var doneAt: Instant?
  var madeAt = Instant(milliseconds: 0)
  var isDeleted = false
  var due: CivilTime?
  var wait: CivilTime?
  var until: CivilTime?
  var again: Recurrence?

  static let fields = Fields<Self>("task", several: "tasks")
    .identity("uuid", \.uuid)
    .field("title", \.title, .searched, "What is to be done")
    .field("doneAt", \.doneAt, .stamp)
    .field("madeAt", \.madeAt, .fixed)
    .field("isDeleted", \.isDeleted, .marksDeletion)
    .field("due", \.due, .indexed, "When it is due")
    .field("wait", \.wait, "Until when it waits")
    .field("until", \.until, "Until when it is of use")
    .field("again", \.again, "How it comes again")
    .role(.completion, \.doneAt)
    .role(.due, \.due)
    .role(.wait, \.wait)
    .role(.until, \.until)
    .role(.recurrence, \.again)
  static let commands = RecordCommands<Self>()
    .with(Completing())
    .with(Recurring())
    .preparing { task, before, turn in if before == nil { task.madeAt = turn.time } }
}

/// A chore whose mark has no time, which is removed for good, and which has a day on which it is begun.
private struct Chore: CommandRecord {
  var uuid = UniqueID.none
  var title = ""
  var isDone = false
  var begin: CivilTime?
  var again: Recurrence?

  static let fields = Fields<Self>("chore", several: "chores")
    .identity("uuid", \.uuid)
    .field("title", \.title, .searched, "What is to be done")
    .field("isDone", \.isDone)
    .field("begin", \.begin, "When it is to be begun")
    .field("again", \.again, "How it comes again")
    .role(.completion, \.isDone)
    .role(.scheduled, \.begin)
    .role(.recurrence, \.again)
  static let commands = RecordCommands<Self>(suffix: "chore").with(Completing()).with(Recurring())
}

@Suite(.hangLimit) struct RecurringTests {
  private let test: TestContext
  private let catalogue: Catalogue

  /// A Friday at noon.
  init() throws {
    var catalogue = Catalogue()
    catalogue.add(Task.self)
    catalogue.add(Chore.self)
    catalogue.add("history", UndoHistory().commands)
    self.catalogue = catalogue
    test = TestContext()
    test.now = Instant(iso8601: "2026-11-27T12:00:00.000Z") ?? test.now
    test.add(
      RecordServer(MemoryDatabase(), [Task.self, Chore.self], watchesExternalChanges: false)
    )
    test.add(CatalogueServer(catalogue) { [] }, UndoHistory())
  }

  private func said(_ line: String) throws -> String {
    func said<C: Command>(_ command: C) throws -> String {
      var page = Page(clock: ReaderClock(test.now, in: .utc))
      let value = try test.value(of: command)
      command.show(value, on: &page)
      return page.text
    }
    do {
      return try catalogue.read(line: line).map { try said($0) } ?? ""
    } catch let failure as Failure {
      return "error: \(failure.message)\n"
    } catch let error as CommandError {
      return "error: \(error.message)\n"
    }
  }

  private func tasks() throws -> [Kept<Task>] {
    try test.value(of: RequestRecords<Task>(Query())).filter { !$0.value.isDeleted }
  }

  /// What is open, with its date: `2 Rent 2026-12-31`.
  private func open() throws -> [String] {
    try tasks().filter { $0.value.doneAt == nil }
      .map { "\($0.number) \($0.value.title) \($0.value.due?.text ?? "none")" }
  }

  @Test func `what is done comes again, with its other times`() throws {
    #expect(
      try said("add Rent due:2026-12-31 wait:2026-12-28 until:2027-01-10 every:month") == """
        Added #1 Rent  due Thu 31 Dec  wait Mon 28 Dec  until Sun 10 Jan 2027  ↻
          #1 comes every month on the 31st, or its last day: Thu 31 Dec, then Sun 31 Jan 2027

        """
    )
    #expect(
      try said("done 1") == """
        Completed #1 Rent
          #1 comes again as #2 on Sun 31 Jan 2027

        """
    )
    let next = try #require(try tasks().last?.value)
    #expect(next.wait?.text == "2027-01-28")
    #expect(next.until?.text == "2027-02-10")
    #expect(next.doneAt == nil)
    #expect(next.madeAt == test.now)
    let first = try tasks()[0].value
    #expect(next.uuid == UniqueID(in: Recurring.namespace, name: first.uuid.text))
    test.now = try #require(Instant(iso8601: "2027-01-31T12:00:00.000Z"))
    _ = try said("done 2")
    #expect(try open() == ["3 Rent 2027-02-28"])
    test.now = try #require(Instant(iso8601: "2027-02-28T12:00:00.000Z"))
    _ = try said("done 3")
    #expect(try open() == ["4 Rent 2027-03-31"])
  }

  @Test func `a series without a date begins with its first day`() throws {
    #expect(try said("add Bins every:mon,thu").contains("due Mon 30 Nov"))
    #expect(try said("add Standup every:'day 9:00'").contains("due tomorrow, Sat 28 Nov 09:00"))
    #expect(try said("add Water after:3d").contains("#3 comes 3d after it is done"))
    #expect(try open() == ["1 Bins 2026-11-30", "2 Standup 2026-11-28T09:00", "3 Water none"])
    _ = try said("done 3")
    #expect(try open().last == "4 Water 2026-11-30")
  }

  @Test func `it comes again exactly once`() throws {
    _ = try said("add Bins every:thu")
    _ = try said("done 1")
    #expect(try said("done 1").contains("Unchanged"))
    _ = try said("edit 1 --title Dustbins")
    #expect(try tasks().count == 2)
  }

  @Test func `undo reverts both, and redo brings both back`() throws {
    _ = try said("add Bins every:thu")
    _ = try said("done 1")
    #expect(try said("undo").contains("- #2 Bins"))
    #expect(try open() == ["1 Bins 2026-12-03"])
    #expect(try said("redo").contains("+ #2 Bins"))
    #expect(try open() == ["2 Bins 2026-12-10"])
  }

  /// A series in which tasks are done, opened, skipped, deleted, restored, undone and redone in any order.
  private struct Model: Equatable {
    struct One: Equatable {
      var week: Int
      var isDone = false
      var isDeleted = false
    }

    var all: [Int: One] = [1: One(week: 0)]
    var next: [Int: Int] = [:]

    /// Carries out a command; false if it is refused.
    mutating func run(_ verb: String, _ number: Int, adding new: Int) -> Bool {
      guard let one = all[number], one.isDeleted == (verb == "restore") else { return false }
      switch verb {
      case "done" where !one.isDone:
        let other = next[number] ?? new
        // Another one can follow that already.
        if all[other]?.isDone == true, all[other]?.isDeleted == true {
          guard deleteNext(of: other, in: all[other]?.week ?? 0) else { return false }
        }
        if all[other]?.isDeleted ?? true { all[other] = One(week: one.week + 1) }
        next[number] = other
        all[number]?.isDone = true
      case "reopen" where one.isDone:
        guard deleteNext(of: number, in: one.week) else { return false }
        all[number]?.isDone = false
      case "skip":
        if one.isDone { return false }
        all[number]?.week += 1
      case "delete", "restore": all[number]?.isDeleted.toggle()
      default: break
      }
      return true
    }

    /// Deletes what follows one of a week; false if it was changed.
    private mutating func deleteNext(of number: Int, in week: Int) -> Bool {
      guard let other = next[number], let known = all[other], !known.isDeleted else { return true }
      all[other]?.isDeleted = true
      return known == One(week: week + 1)
    }
  }

  @Test(arguments: 1...12) func `any order of commands is as a model has it`(seed: UInt64) throws {
    var chance = Chance(seed)
    var (model, last) = (Model(), 1)
    var (undone, redone): ([Model], [Model]) = ([], [])
    _ = try said("add Bins due:2026-12-03 every:thu")
    for _ in 0..<80 {
      let verbs = ["done", "done", "reopen", "skip", "delete", "restore", "undo", "redo"]
      let verb = verbs.randomElement(using: &chance) ?? "done"
      let number = Int.random(in: 1...last, using: &chance)
      let before = model
      var line = verb
      if verb == "undo" {
        guard let earlier = undone.popLast() else { continue }
        redone.append(model)
        model = earlier
      } else if verb == "redo" {
        guard let later = redone.popLast() else { continue }
        undone.append(model)
        model = later
      } else {
        line = "\(verb) \(number)"
        let isDone = model.run(verb, number, adding: last + 1)
        if isDone, model != before { (undone, redone) = (undone + [before], []) }
        if !isDone { model = before }
      }
      let answer = try said(line)
      last = max(last, model.all.keys.max() ?? 1)
      var found: [Int: Model.One] = [:]
      for task in try test.value(of: RequestRecords<Task>(Query())) {
        let days = try #require(task.value.due).day.daysSinceEpoch - 20_790
        found[task.number] = Model.One(
          week: days / 7,
          isDone: task.value.doneAt != nil,
          isDeleted: task.value.isDeleted
        )
      }
      try #require(found == model.all, "\(line): \(answer)")
    }
  }

  @Test func `what is opened again deletes the next one`() throws {
    _ = try said("add Bins every:thu")
    _ = try said("done 1")
    #expect(try said("reopen 1").contains("#2, which followed it, was deleted again."))
    #expect(try open() == ["1 Bins 2026-12-03"])
    #expect(try said("done 1").contains("#1 comes again as #2 on Thu 10 Dec"))
    #expect(try open() == ["2 Bins 2026-12-10"])
  }

  @Test(arguments: [
    "edit 2 --title Dustbins", "edit 2 to due:fri", "done 2", "skip 2", "edit 2 --every 2w",
  ])
  func `what is opened again keeps a next one that was changed`(change: String) throws {
    _ = try said("add Bins every:thu")
    _ = try said("done 1")
    _ = try said(change)
    let before = try tasks()
    #expect(
      try said("reopen 1")
        == "error: #1 can't be opened again: #2 follows it and was changed since; delete that first.\n"
    )
    #expect(try tasks() == before)
    _ = try said("delete 2")
    #expect(try said("reopen 1") == "Reopened #1 Bins\n")
  }

  @Test func `what is opened again is as it was, whatever it has got since`() throws {
    _ = try said("add Bins every:thu")
    _ = try said("done 1")
    _ = try said("edit 1 --title Dustbins")
    #expect(try said("reopen 1").contains("#2, which followed it, was deleted again"))
    #expect(try open() == ["1 Dustbins 2026-12-03"])
  }

  @Test(arguments: [
    // Its own times alone: the rule says when it is due, and they lie before it.
    ("add Bins every:mon wait:sat", "2026-11-30 2026-11-28", "2026-12-07 2026-12-05"),
    // A rule without days begins with the time that there is.
    ("add Bins every:week wait:2026-12-01", "none 2026-12-01", "none 2026-12-08"),
    ("add Bins every:'day 9:00' due:2026-12-03", "2026-12-03T09:00 none", "2026-12-04T09:00 none"),
    ("add Bins every:'2 weeks on mon'", "2026-11-30 none", "2026-12-14 none"),
    ("add Bins every:'2 months on the 1st'", "2026-12-01 none", "2027-02-01 none"),
    ("add Bins every:'quarter on the last day'", "2026-12-31 none", "2027-03-31 none"),
  ])
  func `how a series begins`(line: String, first: String, second: String) throws {
    func times() throws -> String? {
      try tasks().last { $0.value.doneAt == nil }
        .map {
          "\($0.value.due?.text ?? "none") \($0.value.wait?.text ?? "none")"
        }
    }
    _ = try said(line)
    #expect(try times() == first)
    _ = try said("done 1")
    #expect(try times() == second)
  }

  @Test func `a series goes on from another field`() throws {
    _ = try said("add Bins wait:2026-12-01 every:week")
    _ = try said("edit 1 --due 2026-12-05")
    _ = try said("done 1")
    let next = try #require(try tasks().last?.value)
    #expect(next.due?.text == "2026-12-08")
    #expect(next.wait?.text == "2026-12-04")
  }

  @Test func `days that pile up come one after the other`() throws {
    _ = try said("add Bins due:2026-11-05 every:thu --pile")
    _ = try said("done 1")
    #expect(try open() == ["2 Bins 2026-11-12"])
    // Another rule leaves that as it is, and it can be said alone.
    _ = try said("edit 2 --every fri")
    _ = try said("done 2")
    #expect(try open() == ["3 Bins 2026-11-13"])
    _ = try said("edit 3 to pile:false")
    _ = try said("done 3")
    #expect(try open() == ["4 Bins 2026-11-27"])
    #expect(try said("edit 4 --pile").contains("every week on Friday, each of them"))
  }

  @Test func `what piles up nowhere and clears nothing is left out`() throws {
    for json in [
      #"{"title":"Bins","every":"thu","after":null,"pile":false}"#,
      #"{"title":"Bins","pile":false,"after":"","every":"thu"}"#, #"{"title":"Bins","pile":false}"#,
    ] {
      _ = try test.value(of: RequestAdd<Task>.read(parameters: JSON(parsing: json)))
    }
    let all = try tasks().map { $0.value.again?.words ?? "once" }
    #expect(all == ["every week on Thursday", "every week on Thursday", "once"])
  }

  @Test func `an end is said like any date`() throws {
    #expect(try said("add Bins every:'thu until 31 dec'").contains("until 2026-12-31"))
    #expect(try said("add Pill every:'day till sun'").contains("every day, until 2026-11-29"))
  }

  @Test func `a skip changes nothing else that a person sees`() throws {
    _ = try said("add Bins every:thu")
    _ = try said("skip 1")
    #expect(try !said("undo").contains("again"))
  }

  @Test func `skip goes on without completing`() throws {
    _ = try said("add Bins wait:tue due:2026-12-03 every:thu")
    #expect(try said("skip 1") == "Skipped #1 Bins\n  #1 is on Thu 10 Dec now.\n")
    #expect(try open() == ["1 Bins 2026-12-10"])
    #expect(try tasks()[0].value.wait?.text == "2026-12-08")
    _ = try said("add Once")
    #expect(try said("skip 2") == "error: It does not come again; only what does can be skipped.\n")
    _ = try said("done 1")
    #expect(try said("skip 1") == "error: It is done; only what is open can be skipped.\n")
  }

  @Test func `a rule that is exhausted ends the series`() throws {
    _ = try said("add Pill every:'day 2 times'")
    #expect(try said("done 1").contains("comes again as #2"))
    #expect(try said("skip 2").contains("This is the last one of its series"))
    #expect(
      try said("done 2")
        == "Completed #2 Pill\n  #2 does not come again: it was the last one of its series.\n"
    )
    #expect(try open() == [])
  }

  @Test func `deleting the open one ends the series, and says so`() throws {
    _ = try said("add Bins every:thu")
    _ = try said("done 1")
    #expect(try said("delete 2").contains("#2 does not come again"))
    #expect(try open() == [])
    _ = try said("restore 2")
    _ = try said("done 2")
    #expect(try open() == ["3 Bins 2026-12-17"])
    // Of one that is done nothing is said.
    #expect(try said("delete 1") == "Deleted #1 Bins\n")
  }

  @Test func `a recurrence is changed and cleared`() throws {
    _ = try said("add Bins due:2026-12-03 every:thu")
    #expect(
      try said("edit 1 --every 2w")
        .contains("#1 comes every 2 weeks on Thursday: Thu 3 Dec, then Thu 17 Dec")
    )
    #expect(
      try said("edit 1 --after 5d")
        .contains("again every 2 weeks on Thursday → 5d after it is done")
    )
    #expect(try said("edit 1 to every:none").contains("→ none"))
    _ = try said("done 1")
    #expect(try tasks().count == 1)
  }

  @Test(arguments: [
    ("add Never every:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "It would never come"),
    ("add Over due:2026-12-03 every:'day until 2026-12-01'", "It would never come"),
    ("add Both --every day --after 3d", "not by both"),
    ("add Pile --pile", "'pile' goes with 'every'"),
    ("add Pile --after 3d --pile", "'pile' goes with 'every'"),
    ("add Twice --every day --every 2d", "given twice"),
  ])
  func `what can't come again is refused`(line: String, message: String) throws {
    #expect(try said(line).contains(message))
    #expect(try tasks().isEmpty)
  }

  @Test func `a filter finds what comes again`() throws {
    for line in ["add Bins every:thu", "add Once", "add Water after:3d"] { _ = try said(line) }
    #expect(try said("count is:recurring") == "2 tasks\n")
    #expect(try said("count again:none") == "1 task\n")
    #expect(try said("list --fields again").contains("again every week on Thursday"))
  }

  @Test func `a kind with another mark comes again, too`() throws {
    #expect(try said("add-chore Sweep every:sat").contains("begin tomorrow"))
    #expect(try said("done-chore 1").contains("#1 comes again as #2 on Sat 5 Dec"))
    #expect(try said("reopen-chore 1").contains("#2, which followed it, was deleted again"))
    #expect(try said("count-chore") == "1 chore\n")
    _ = try said("done-chore 1")
    _ = try said("edit-chore 3 --title Mop")
    #expect(try said("reopen-chore 1").contains("#3 follows it and was changed since"))
  }

  @Test func `what is to come stands there on each of its dates`() throws {
    for line in [
      "add Bins every:thu", "add Water after:5d due:sat", "add Once due:2026-12-01",
      "add Far due:2027-02-01",
      "add Pill every:'day 2 times'", "add Done due:tue", "done 6", "add Gone every:day",
      "delete 7",
    ] {
      _ = try said(line)
    }
    let lines = try said("upcoming 2w").split(separator: "\n")
      .map { line in
        line.split(separator: " ").filter { !["[", "]", "due", "↻"].contains($0) }
          .joined(separator: " ")
      }
    #expect(
      lines == [
        "#5 Pill today", "#2 Water tomorrow", "#5 Pill tomorrow", "#3 Once Tue 1 Dec",
        "#1 Bins Thu 3 Dec",
        "#2 Water Thu 3 Dec", "#2 Water Tue 8 Dec", "#1 Bins Thu 10 Dec",
      ]
    )
    #expect(try said("upcoming -3d").contains("no time ahead of today"))
    #expect(try said("upcoming").split(separator: "\n").count == 13)
    #expect(try said("upcoming-chore") == "")
  }

  @Test func `any write that completes is followed`() throws {
    _ = try said("add Bins every:thu")
    let one = try #require(try tasks().first)
    var done = one.value
    done.doneAt = test.now
    _ = try test.value(of: RequestWriteRecords<Task>([.put(1, done, seen: one.revision)]))
    #expect(try open() == ["2 Bins 2026-12-10"])
  }

  @Test func `a record without the roles is told to its developer`() {
    #expect {
      _ = try Recurring().extend(RecordCommands<Lone>())
    } throws: { error in
      (error as? RoleProblem)?.message.contains("'lone' has the role 'recurrence'") ?? false
    }
    #expect {
      _ = try Recurring().extend(RecordCommands<Sole>())
    } throws: { error in
      (error as? RoleProblem)?.message.contains("it has unique fields") ?? false
    }
    #expect {
      _ = try Recurring().extend(RecordCommands<Nameless>())
    } throws: { error in
      (error as? RoleProblem)?.message == "'nameless' declares no identity"
    }
  }
}

private struct Lone: CommandRecord {
  var title = ""
  static let fields = Fields<Self>("lone", several: "lones").field("title", \.title, "What")
  static let commands = RecordCommands<Self>()
}

private struct Nameless: CommandRecord {
  var title = ""
  var isDone = false
  var due: CivilTime?
  var again: Recurrence?
  static let fields = Fields<Self>("nameless", several: "nameless")
    .field("title", \.title, "What")
    .field("isDone", \.isDone)
    .field("due", \.due, "When")
    .field("again", \.again, "How it comes again")
    .role(.completion, \.isDone)
    .role(.due, \.due)
    .role(.recurrence, \.again)
  static let commands = RecordCommands<Self>()
}

private struct Sole: CommandRecord {
  var uuid = UniqueID.none
  var title = ""
  var isDone = false
  var due: CivilTime?
  var again: Recurrence?
  static let fields = Fields<Self>("sole", several: "soles")
    .identity("uuid", \.uuid)
    .field("title", \.title, .unique, "What")
    .field("isDone", \.isDone)
    .field("due", \.due, "When")
    .field("again", \.again, "How it comes again")
    .role(.completion, \.isDone)
    .role(.due, \.due)
    .role(.recurrence, \.again)
  static let commands = RecordCommands<Self>()
}
