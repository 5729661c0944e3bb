import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

enum Stage: String, Choice, FieldOption { case sent, lost, there }

/// Something with fields of all sorts that a command can give.
struct Parcel: Record {
  var title = ""
  var status = Stage.sent
  var due: CivilTime?
  var weight = 1.0
  var pieces: Int?
  var isFragile = false
  var price = Amount(hundredths: 0)
  var stations: [String] = []
  var days: [CivilTime] = []
  var tags: [String] = []

  static let fields = Fields<Self>("parcel")
    .field("title", \.title, .searched, "What is in it")
    .field("status", \.status, .indexed, "Where it is")
    .field("due", \.due, "When it is to arrive; empty clears")
    .field("weight", \.weight, "In kilogrammes")
    .field("pieces", \.pieces)
    .field("isFragile", \.isFragile, "Whether it breaks")
    .field("price", \.price)
    .field("stations", \.stations, "Where it was")
    .field("days", \.days)
    .set("tags", \.tags, "A label (repeatable)", one: "tag")
}

struct RequestAddParcel: RecordAdd, Codable {
  typealias Reply = ResponseView<Message>
  var parcel = RecordEdits<Parcel>()
  static let command = CommandSpec<Self>("add", "Takes a parcel.")
    .text(of: \.parcel, \.title)
    .options(of: \.parcel)

  func record(_ turn: borrowing Turn) throws -> Parcel { try Parcel(parcel, turn) }

  func result(_ written: [RecordTransition<Parcel>], _ turn: borrowing Turn) -> Message {
    Message("\(written[0].number)")
  }
}

struct RequestEditParcel: RecordEdit, Codable {
  typealias Reply = ResponseView<Message>
  var id = Target<Parcel>()
  var parcel = RecordEdits<Parcel>()
  static let command = CommandSpec<Self>("edit", "Changes a parcel.")
    .record(\.id, "Which")
    .option(of: \.parcel, \.title)
    .option(of: \.parcel, \.status)
    .option(of: \.parcel, \.due)
    .option(of: \.parcel, \.tags)
    .option(of: \.parcel, \.weight)
    .option(of: \.parcel, \.pieces)
    .option(of: \.parcel, \.isFragile)
    .option(of: \.parcel, \.price)
    .option(of: \.parcel, \.stations)
    .option(of: \.parcel, \.days)
    .option(removingFrom: \.parcel, \.tags, "A label to remove")
    .option(removingFrom: \.parcel, \.days)
    .needingOption()

  func change(_ parcel: inout Parcel, seen: Parcel, _ turn: borrowing Turn) throws {
    try self.parcel.apply(to: &parcel, turn)
  }

  func result(_ written: [RecordTransition<Parcel>], _ turn: borrowing Turn) -> Message {
    Message("changed")
  }
}

/// Edits a parcel as it was seen.
private struct RequestReviseParcel: RecordEdit {
  typealias Reply = ResponseView<Message>
  var id = Target<Parcel>()
  var parcel = RecordEdits<Parcel>()
  static let command = CommandSpec<Self>("revise", "Edits a parcel.").records(\.id)
    .revision(of: \.id)

  func change(_ parcel: inout Parcel, seen: Parcel, _ turn: borrowing Turn) throws {
    try self.parcel.apply(to: &parcel, seen: seen, turn)
  }

  func result(_ written: [RecordTransition<Parcel>], _ turn: borrowing Turn) -> Message {
    Message(written.map { $0.after?.tags.joined(separator: " ") ?? "" }.joined())
  }
}

/// Fields are listed once: for what is kept, and for what is said.
@Suite(.hangLimit)
struct RecordEditsTests {
  @Test func `all fields that say what they are can be listed at once`() {
    var spec: CommandSpec<RequestAddParcel> { CommandSpec("add", "Takes a parcel.") }
    let each: Set = [
      "--title", "--status", "--due", "--weight", "--is-fragile", "--stations", "--tag",
    ]
    #expect(Set(spec.options(of: \.parcel).flags) == each)
    let others = spec.options(of: \.parcel, excluding: \.title).flags
    #expect(Set(others) == each.subtracting(["--title"]))
  }

  private let file: FreshRecords
  private let process: AppContext
  private let catalogue: Catalogue

  init() throws {
    file = try FreshRecords()
    var environment = Environment()
    environment.now = { Instant(milliseconds: 1_800_000_000_000) }
    process = AppContext(environment: environment)
    process.add(
      RecordServer(file.database(), [Parcel.self], watchesExternalChanges: false)
    )
    process.stream.answer([
      RequestAddParcel.self, RequestEditParcel.self, RequestReviseParcel.self,
    ])
    var catalogue = Catalogue()
    catalogue.add("parcel", [RequestAddParcel.self, RequestEditParcel.self])
    self.catalogue = catalogue
  }

  @Test func `S71 a set that is replaced keeps what others have added since it was seen`() throws {
    try add("A", "--tag", "a", "--tag", "b")
    let known = try process.ask(RequestRecords<Parcel>(1))[0]
    var theirs = known.value
    theirs.tags.append("c")
    _ = try process.ask(RequestWriteRecords<Parcel>([.put(1, theirs, seen: nil)]))
    var edits = RecordEdits<Parcel>()
    try edits.set(\.tags, to: ["a", "d"])
    func tags(seen: Int?) throws -> String {
      try process.ask(RequestReviseParcel(id: Target(.number(1), seen: seen), parcel: edits)).text
    }
    #expect(try tags(seen: known.revision) == "a c d")
    #expect(try tags(seen: nil) == "a d")
  }

  private func add(_ words: String...) throws {
    _ = try process.ask(
      RequestAddParcel._read(words.map { Word(text: $0, offset: 0, isBare: true) }, other: nil)
    )
  }

  private func edit(_ words: String...) throws {
    _ = try process.ask(
      RequestEditParcel._read(words.map { Word(text: $0, offset: 0, isBare: true) }, other: nil)
    )
  }

  private func edit(json: JSON) throws {
    var request = RequestEditParcel()
    try RequestEditParcel.command.read(json, into: &request)
    _ = try process.ask(request)
  }

  private var first: Parcel {
    get throws { try process.ask(RequestRecords<Parcel>(1))[0].value }
  }

  @Test func `an option is what the field declares`() throws {
    #expect(
      RequestEditParcel.command.flags.sorted() == [
        "--days", "--due", "--is-fragile", "--pieces", "--price", "--stations", "--status", "--tag",
        "--title", "--undays", "--untag", "--weight",
      ]
    )
    #expect(RequestEditParcel.command.forgotten(in: RequestEditParcel()) == [])
    #expect(RequestAddParcel.command.forgotten(in: RequestAddParcel()) == [])
    let schema = RequestEditParcel.command.schema["properties"]
    #expect(
      schema?["status"]
        == [
          "anyOf": [["type": "string", "enum": ["sent", "lost", "there"]], ["type": "null"]],
          "description": "Where it is",
        ]
    )
    #expect(schema?["tags"]?["type"] == "array")
    #expect(schema?["untags"]?["type"] == "array")
    #expect(schema?["untags"]?["description"] == "A label to remove")
    #expect(schema?["weight"]?["anyOf"] == [["type": "number"], ["type": "null"]])
    #expect(schema?["pieces"]?["anyOf"] == [["type": "integer"], ["type": "null"]])
  }

  @Test func `words become values`() throws {
    try add(
      "add",
      "A",
      "kettle",
      "--due",
      "tomorrow",
      "--tag",
      "home",
      "--tag",
      "shop",
      "--tag",
      "home"
    )
    var expected = Parcel(title: "A kettle", due: CivilTime("2027-01-16"), tags: ["home", "shop"])
    #expect(try first == expected)
    try edit(
      "edit",
      "1",
      "--status",
      "lost",
      "--weight",
      "2.5",
      "--pieces",
      "3",
      "--is-fragile",
      "true",
      "--price",
      "4.20",
      "--untag",
      "home",
      "--tag",
      "new",
      "--stations",
      "Rome",
      "--stations",
      "Oslo"
    )
    expected.status = .lost
    expected.weight = 2.5
    expected.pieces = 3
    expected.isFragile = true
    expected.price = Amount(hundredths: 420)
    expected.tags = ["shop", "new"]
    expected.stations = ["Rome", "Oslo"]
    #expect(try first == expected)
    try edit(
      "edit",
      "1",
      "--due",
      "",
      "--pieces",
      "",
      "--status",
      "",
      "--title",
      "",
      "--is-fragile",
      ""
    )
    expected.due = nil
    expected.pieces = nil
    expected.status = .sent
    expected.title = ""
    expected.isFragile = false
    #expect(try first == expected)
  }

  @Test func `JSON values become values`() throws {
    try add("add", "A", "--tag", "home")
    try edit(
      json: [
        "id": 1, "title": "B", "status": "there", "due": "2027-02-03", "weight": 3, "pieces": 7,
        "isFragile": true, "price": "1.00", "tags": ["x", "y", "x"],
      ]
    )
    var expected = Parcel(title: "B", status: .there, due: CivilTime("2027-02-03"), weight: 3)
    (expected.pieces, expected.isFragile) = (7, true)
    (expected.price, expected.tags) = (Amount(hundredths: 100), ["x", "y"])
    #expect(try first == expected)
    try edit(json: ["id": 1, "due": nil, "pieces": nil, "status": nil, "tags": nil, "title": ""])
    (expected.due, expected.pieces, expected.status) = (nil, nil, .sent)
    (expected.tags, expected.title) = ([], "")
    #expect(try first == expected)
    try edit(json: ["id": 1, "tags": ["a", "b"], "untags": ["a"]])
    #expect(try first.tags == ["b"])
    // In whatever order they come.
    try edit(json: ["id": 1, "untags": ["c", "a"], "tags": ["a", "c", "d"]])
    #expect(try first.tags == ["d"])
    try edit(json: ["id": 1, "untags": ["d"]])
    #expect(try first.tags == [])
  }

  @Test func `a list is no set`() throws {
    try add("add", "A")
    try edit("edit", "1", "--stations", "Rome", "--stations", "Rome", "--days", "2027-02-03")
    try edit("edit", "1", "--stations", "Rome", "--days", "tomorrow", "--days", "2027-02-03")
    #expect(try first.stations == ["Rome", "Rome", "Rome"])
    let days = ["2027-02-03", "2027-01-16", "2027-02-03"].compactMap { CivilTime($0) }
    #expect(try first.days == days)
    // What is said otherwise is the same day.
    try edit("edit", "1", "--undays", "+1d")
    #expect(try first.days == [days[0], days[2]])
    try edit(json: ["id": 1, "undays": ["2027-02-03"], "days": ["2027-02-03", "2027-02-04"]])
    #expect(try first.days == [CivilTime("2027-02-04")])
    try edit(json: ["id": 1, "days": nil])
    #expect(try first.days == [])
  }

  @Test func `all the fields of a property exclude another one`() throws {
    struct RequestEither: Command, Codable {
      typealias Reply = ResponseView<Message>
      var parcel = RecordEdits<Parcel>()
      var isAll = false
      static let command = CommandSpec<Self>("either", "Either or.")
        .option(of: \.parcel, \.title)
        .option(of: \.parcel, \.weight)
        .option(\.isAll, "All of them", flag: "--all")
        .exclusive(\.parcel, \.isAll)
        .needingOption(excluding: \.parcel)
    }
    func read(_ words: String...) throws {
      _ = try RequestEither._read(
        (["either"] + words).map { Word(text: $0, offset: 0, isBare: true) },
        other: nil
      )
    }
    try read("--all")
    #expect(throws: CommandError.self) { try read("--all", "--weight", "3") }
    #expect(throws: CommandError.self) { try read("--weight", "3", "--title", "A") }
    func read(json: JSON) throws {
      var request = RequestEither()
      try RequestEither.command.read(json, into: &request)
    }
    try read(json: ["isAll": true])
    #expect(throws: CommandError.self) { try read(json: ["isAll": true, "weight": 3]) }
  }

  @Test func `what can't be read is refused before anything is done`() throws {
    for words in [
      ["--status", "gone"], ["--due", "someday"], ["--weight", "x"], ["--pieces", "1.5"],
      ["--is-fragile", "perhaps"], ["--price", "x"],
    ] {
      #expect(throws: CommandError.self) {
        _ = try RequestEditParcel._read(
          (["edit", "1"] + words).map { Word(text: $0, offset: 0, isBare: true) },
          other: nil
        )
      }
    }
    for json: JSON in [
      ["id": 1, "status": "gone"], ["id": 1, "weight": true], ["id": 1, "tags": "a"],
      ["id": 1, "tags": [1]], ["id": 1, "pieces": 1.5], ["id": 1, "untags": "a"], ["id": 1],
    ] {
      #expect(throws: CommandError.self) {
        var request = RequestEditParcel()
        try RequestEditParcel.command.read(json, into: &request)
      }
    }
    // A day that is none only when it is asked for.
    try add("add", "A")
    let failure = Failure(.validation, "The date is outside the years 1 to 9999.", field: "due")
    #expect(throws: failure) { try edit("edit", "1", "--due", "+3999999d") }
  }

  @Test func `what was said is kept as it was said`() throws {
    var edits = RecordEdits<Parcel>()
    #expect(edits.isEmpty)
    #expect(throws: ValueError.self) { try edits.set(\.price, to: Amount(hundredths: -1)) }
    #expect(edits.isEmpty)
    try edits.set(\.title, to: "A")
    try edits.set(\.due, to: CivilTime("2027-02-03"))
    try edits.set(\.tags, to: ["x"])
    let text = try BodyEncoder().value(edits)
    let json = try JSON(parsing: text)
    #expect(json == ["title": "A", "due": "2027-02-03", "tags": ["x"]])
    #expect(try BodyDecoder().read(RecordEdits<Parcel>.self, from: json) == edits)
    _ = try process.ask(RequestAddParcel(parcel: edits))
    #expect(try first == Parcel(title: "A", due: CivilTime("2027-02-03"), tags: ["x"]))
    var request = RequestEditParcel()
    try RequestEditParcel.command.read(["id": 1, "due": "tomorrow"], into: &request)
    #expect(try JSON(parsing: BodyEncoder().value(request))["parcel"] == ["due": "tomorrow"])
  }
}
