import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import Testing

/// The verb `done`.
private enum Done: VerbName {}

/// A chore, with all that a declaration can say of its commands.
private struct Chore: CommandRecord {
  var title = ""
  var notes = ""
  var effort = Effort.small
  var due: CivilTime?
  var rooms: [String] = []
  var isShared = false
  var price: Amount?
  var doneAt: Instant?
  var createdAt = Instant(milliseconds: 0)
  var isDeleted = false

  enum Effort: String, Choice, RankedValue, FieldOption, Codable { case small, large }

  static let fields = Fields<Self>("chore", several: "chores")
    .field("title", \.title, .searched, "What is to be done")
    .field("notes", \.notes, .searched, "More about it")
    .field("effort", \.effort, .indexed, "How much it takes")
    .field("due", \.due, .indexed, "When it is to be done")
    .set("rooms", \.rooms, "A room (repeatable)", one: "room")
    .field("isShared", \.isShared, "Whether all help")
    .field("price", \.price, "What it costs")
    .field("doneAt", \.doneAt, .stamp)
    .field("createdAt", \.createdAt, .fixed)
    .field("isDeleted", \.isDeleted, [.hidden, .marksDeletion])

  static let commands = RecordCommands<Self>()
    .ordered { $0.sorted(by: \.due) }
    .hides(.not(.isNil(\.doneAt)))
    .preparing { chore, before, turn in if before == nil { chore.createdAt = turn.time } }
    .verb("done", "Completes chores.", "Completed", as: Done.self, for: .isNil(\.doneAt)) {
      chore,
      turn in
      chore.doneAt = chore.doneAt ?? turn.time
    }
    .verb("enlarge", "Says that chores take longer.", "Enlarged") { chore, _ in
      guard chore.effort == .small else { throw Failure(.validation, "It is large already.") }
      chore.effort = .large
    }
}

/// A record without a text that people give.
private struct Loan: CommandRecord {
  var book = 0
  var title: String { "loan of \(book)" }
  static let fields = Fields<Self>("loan", several: "loans").field("book", \.book, "Which book")
  static let commands = RecordCommands<Self>(suffix: "loan").without(.edit, .count)
    .replacing(.show, with: RequestPeek.self)
}

private struct RequestPeek: RecordShow, Codable {
  typealias Kind = Loan
  typealias Reply = ResponseView<RecordGroup<Loan>>
  var id = Target<Loan>()
  static let command = CommandSpec<Self>("peek", "Looks at loans.").records(\.id)

  func result(_ records: [Kept<Loan>], _ turn: borrowing Turn) throws -> RecordGroup<Loan> {
    throw Failure(.validation, "Only looked.")
  }
}

/// The commands that follow from a record's declaration.
@Suite(.hangLimit) struct DerivedCommandsTests {
  private let chores = CommandLineRig<Chore>()

  private func expect(
    _ line: String,
    _ said: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try chores.said(line)
    #expect(found == said + "\n", sourceLocation: sourceLocation)
  }

  private let others = "With --all, what a list leaves out is looked at, too."

  @Test func `they are those of the declaration, in the order of help`() {
    #expect(
      chores.catalogue.commands.map { $0.verb }
        == [
          "add", "list", "show", "edit", "done", "enlarge", "delete", "restore", "count", "rooms",
        ]
    )
    #expect(
      chores.catalogue.commands.map { chores.catalogue.method(of: $0) }.prefix(2)
        == ["chore/add", "chore/list"]
    )
    #expect(
      chores.catalogue.commands.map { $0.name } == [
        "RequestAddChore", "RequestChoreList", "RequestChore", "RequestEditChore",
        "RequestDoneChore", "RequestEnlargeChore", "RequestDeleteChore", "RequestRestoreChore",
        "RequestChoreCount", "RequestChoreRooms",
      ]
    )
  }

  @Test func `a kind among several has its name in those of its commands`() throws {
    let loans = CommandLineRig<Loan>()
    #expect(
      loans.catalogue.commands.map { $0.verb } == ["add-loan", "list-loan", "peek", "delete-loan"]
    )
    #expect(try loans.said("list-loan") == "There are no loans.\n")
    #expect(try loans.said("add-loan --book 7") == "Added #1 loan of 7  book 7\n")
    #expect(try loans.said("peek 1") == "error: Only looked.\n")
    #expect(try loans.said("delete-loan 1") == "Deleted #1 loan of 7\n")
    #expect(try loans.said("delete-loan 1") == "error: There is no loan #1.\n")
  }

  @Test func `a record is added with its fields, and said as it was understood`() throws {
    try expect(
      "add '  Sweep ' --room hall,stairs --due tomorrow --effort large --price 4 --is-shared true",
      "Added #1 Sweep  effort large  due tomorrow  +hall +stairs  is shared  price 4.00"
    )
    #expect(
      try chores.json(["show", "1"])
        == JSON(
          parsing:
            #"{"id":1,"title":"Sweep","notes":"","effort":"large","due":"2026-11-28","rooms":["hall","stairs"],"#
            + #""isShared":true,"price":"4.00","doneAt":null,"createdAt":"2026-11-27T12:00:00.000Z","revision":1}"#
        )
    )
    try expect("add", "error: A chore needs a title; please add one.")
    try expect("add 'a\nb'", "error: The title of a chore is one line.")
    try expect("add --title 'By name' as @it", "Added #2 By name")
    try expect("edit @it --notes more", "Changed #2: notes none → more")
  }

  @Test func `all of a record is shown, a line for each field that has a value`() throws {
    _ = try chores.said("add Sweep --notes 'first\nsecond' --room hall --due 'fri 9am'")
    try expect(
      "show 1",
      """
      #1 Sweep
        notes
          first
          second
        effort     small
        due        Fri 4 Dec 09:00
        rooms      hall
        is shared  no
        created    today 12:00
      """
    )
  }

  @Test func `a list asks for what the fields have, and leaves out what is hidden`() throws {
    try expect(
      "list",
      "No chore is left; 'add TITLE' makes one, 'list --all' shows all."
    )
    _ = try chores.said("add Sweep --room hall --due +1d")
    _ = try chores.said("add Wash --room hall,bath --notes linen --price 2")
    _ = try chores.said("add Paint --due fri --effort large")
    let (sweep, wash, paint) = (
      "#1 Sweep  due tomorrow  +hall", "#2 Wash  +hall +bath  price 2.00",
      "#3 Paint  effort large  due Fri 4 Dec"
    )
    try expect("list", [sweep, paint, wash].joined(separator: "\n"))
    try expect("list linen", wash)
    try expect("list --room hall", [sweep, wash].joined(separator: "\n"))
    try expect("list --room hall --room bath", wash)
    try expect("list --effort large", paint)
    try expect("list --price 2.00", wash)
    try expect("list --no-price --no-due", "No chore matches --no-price --no-due.\n\(others)")
    try expect("list --due 'this week'", sweep)
    try expect("list --due-after tomorrow", paint)
    try expect("list --due-before fri", sweep)
    try expect("list --sort -title --limit 2", [wash, sweep].joined(separator: "\n"))
    try expect("list --due today 'a b'", "No chore matches \"a b\" --due today.\n\(others)")
    try expect(
      "list --room kitchen",
      "No chore matches --room kitchen; rooms are bath, hall.\n\(others)"
    )
    try expect("done 2,3", "Completed #2 Wash\nCompleted #3 Paint")
    try expect("list", sweep)
    try expect("list --all --sort effort --effort large", paint)
    try expect("count", "1 chore")
    try expect("count --all", "3 chores")
    #expect(try chores.json(["count", "--room", "hall", "--all"]) == ["count": 2])
  }

  @Test func `a verb changes all of its records, or none, and can be refused`() throws {
    for title in ["A", "B", "C"] { _ = try chores.said("add \(title)") }
    try expect("enlarge 2", "Enlarged #2 B")
    try expect("enlarge 1-3", "error: It is large already.")
    try expect("list --effort large", "#2 B  effort large")
    try expect("done 1", "Completed #1 A")
    // A range is of those alone that it is for; one that is named and done stays as it is.
    try expect("done 1-3", "Completed #2 B\nCompleted #3 C")
    try expect("done 1", "Unchanged #1 A")
    try expect("edit 1 --title X", "Changed #1: title A → X")
    try expect(
      "edit 1 --title Y --expected-revision 1",
      "error: Somebody changed the title of #1 meanwhile: you saw 'A', now it is 'X'."
    )
  }

  @Test func `what is deleted is only marked, and comes back`() throws {
    for title in ["A", "B"] { _ = try chores.said("add \(title)") }
    try expect("delete 2", "Deleted #2 B")
    try expect("list", "#1 A")
    try expect("list --deleted", "#2 B  (deleted)")
    try expect("edit 2 --notes x", "error: #2 is deleted; 'restore 2' brings it back.")
    try expect("done 2", "error: #2 is deleted; 'restore 2' brings it back.")
    try expect("restore 2", "Restored #2 B")
    try expect("count", "2 chores")
  }

  @Test func `a person is asked before many are deleted`() throws {
    func question(_ line: String) throws -> String? {
      try chores.catalogue.read(line: line)?.question
    }
    #expect(try question("delete 1-3") == nil)
    #expect(try question("delete 1,2,3,5") == "Delete 4 chores?")
    #expect(try question("delete 1-5") == "Delete what there is of 1-5?")
  }

  @Test func `they are requests on the stream, with records as results`() throws {
    let test = chores.test
    let added = try test.value(of: RequestAdd(Chore(title: "Sweep", rooms: ["hall"])))
    #expect(added.records.map(\.number) == [1])
    #expect(added.records.map(\.value.createdAt) == [test.now])
    let edit = try RequestEdit<Chore>(Target(.number(1))) { try $0.set(\.effort, to: .large) }
    #expect(try test.value(of: edit).records.map(\.value.effort) == [.large])
    let done = RequestVerb<Chore, Done>(Target(.number(1)))
    #expect(try test.value(of: done).records.map(\.value.doneAt) == [test.now])
    #expect(try test.value(of: RequestShow<Chore>(Target(.number(1)))).details.count == 1)
    // What is hidden is so for a person who asks for nothing else.
    #expect(try test.value(of: RequestList<Chore>()).records.map(\.number) == [1])
    var left = RequestCount<Chore>()
    left.filter.hides = true
    #expect(try test.value(of: left).number == 0)
    // A field that no option sets can't be given.
    #expect(throws: ValueError.self) { try RequestAdd(Chore(title: "Sweep", doneAt: test.now)) }
  }

  @Test func `of a range what is deleted is left out, also of the check before a person is asked`()
    throws
  {
    for title in ["A", "B", "C", "D", "E"] { _ = try chores.said("add \(title)") }
    try expect("delete 3", "Deleted #3 C")
    let command = try #require(try chores.catalogue.read(line: "delete 1-5"))
    let check = try #require(command.check as? RequestTargetCheck<Chore>)
    #expect(try chores.test.value(of: check) == true)
    try expect("delete 1-5", "Deleted #1 A\nDeleted #2 B\nDeleted #4 D\nDeleted #5 E")
    let missing = RequestTargetCheck(Target<Chore>(.number(3)))
    #expect(
      throws: Failure(.notFound, "#3 is deleted; 'restore 3' brings it back.", field: "id", id: 3)
    ) {
      try chores.test.value(of: missing)
    }
  }

  @Test func `a rule of a record is for real ones alone`() throws {
    let bills = CommandLineRig<Bill>()
    #expect(try bills.said("add Gas") == "error: A bill has an amount.\n")
    #expect(try bills.said("add Gas --amount 4") == "Added #1 Gas  amount 4.00\n")
    #expect(try bills.said("edit 1 --title Power") == "Changed #1: title Gas → Power\n")
    #expect(try bills.said("delete 1") == "Deleted #1 Power\n")
    let delete = try bills.catalogue.command(Word(text: "delete", offset: 0, isBare: true))
    #expect(delete.flags == ["--where"])
  }

  @Test func `a name is one line, and what is asked for has its schema`() throws {
    try expect("add A --room 'a\nb'", "error: A room is one line and not empty.")
    try expect(
      "add A --room \(String(repeating: "x", count: 257))",
      "error: A room has at most 256 bytes of UTF-8; this one has 257."
    )
    try expect("list --room ''", "error: A room is one line and not empty.")
    let schema = RequestList<Chore>.command.schema
    #expect(schema["properties"]?["words"]?["type"] == "array")
    #expect("\(schema)".contains(#""enum":["title","effort","due""#))
    _ = try chores.said("add A --room hall --due fri")
    let both = try chores.json("edit", ["id": 1, "due": "none"])
    #expect(both["due"] == .null)
  }
}

/// A record with a rule that a new one breaks.
private struct Bill: CommandRecord {
  var title = ""
  var amount: Amount?
  static let fields = Fields<Self>("bill", several: "bills")
    .field("title", \.title, "What it is for")
    .field("amount", \.amount, "How much it is")
  static let commands = RecordCommands<Self>()
    .preparing { bill, _, _ in
      guard bill.amount != nil else { throw Failure(.validation, "A bill has an amount.") }
    }
}
