import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

/// A stored page of a book.
private struct Leaf: Record {
  var title = ""
  var place: ManualPlace?
  var tags: [String] = []
  static let fields = Fields<Self>("leaf", several: "leaves")
    .field("title", \.title)
    .field("place", \.place, .indexed)
    .set("tags", \.tags)
}

/// Leaves, a line each.
private struct LeavesView: RecordResult {
  let records: [RecordView<Leaf>]
  let isList: Bool
  var suggestions: [String] = []

  init(records: [RecordView<Leaf>], isList: Bool) {
    (self.records, self.isList) = (records, isList)
  }

  func show(on page: inout Page) {
    for leaf in records {
      page.write(user: leaf.value.title)
      page.endLine()
    }
  }
}

private struct RequestAddLeaf: RecordAdd {
  typealias Reply = ResponseView<LeavesView>
  var title = ""
  var tags: [String] = []
  var alias: String?
  static let command = CommandSpec<Self>("add", "Adds a leaf.")
    .text(\.title, "Its title")
    .alias(\.alias, "Its name")
    .unlisted(\.tags)

  func record(_ turn: borrowing Turn) -> Leaf {
    var leaf = Leaf()
    (leaf.title, leaf.tags) = (title, tags)
    return leaf
  }
}

private struct RequestShowLeaves: RecordShow {
  typealias Reply = ResponseView<LeavesView>
  var id = Target<Leaf>()
  static let command = CommandSpec<Self>("show", "Shows leaves.").records(\.id)
}

private struct RequestTurnLeaf: RecordEdit {
  typealias Reply = ResponseView<LeavesView>
  var id = Target<Leaf>()
  var title = ""
  static let command = CommandSpec<Self>("turn", "Turns a leaf.")
    .record(\.id)
    .text(\.title, "What it is from now on")
    .revision(of: \.id)

  func change(_ leaf: inout Leaf, seen: Leaf, _ turn: borrowing Turn) { leaf.title = title }
}

private struct RequestRemoveLeaves: RecordRemove {
  typealias Reply = ResponseView<LeavesView>
  var id = Target<Leaf>()
  static let command = CommandSpec<Self>("remove", "Removes leaves.").records(\.id)
}

/// What nobody answers: it says how records are shown, and not what is written.
private struct RequestNothing: RecordChanging {
  typealias Reply = ResponseView<LeavesView>
  typealias Kind = Leaf
  static let command = CommandSpec<Self>("nothing", "Does nothing.")
}

private struct RequestPlaceLeaf: RecordWriting {
  typealias Reply = ResponseView<LeavesView>
  var id = RecordReference.last
  var side = ManualSide.before
  var other = RecordReference.last
  static let command = CommandSpec<Self>("place", "Places a leaf.")
    .word(\.id, "Which")
    .word(\.side, "On which side")
    .word(\.other, "Of which")

  func writes(_ turn: borrowing Turn) -> [RecordWrite<Leaf>] {
    [.move(id, side, of: other, in: \.place)]
  }
}

private struct RequestLeaves: RecordList {
  typealias View = LeavesView
  var tag: String?
  var extent = ListExtent<Leaf>.all
  static let command = CommandSpec<Self>("list", "Lists leaves.")
    .option(\.tag, "With this label", flag: "--tag")
    .unlisted(\.extent)
  var suggestedField: String? { tag == nil ? nil : "tags" }

  func query(_ turn: borrowing Turn) -> Query<Leaf> {
    let query = Query<Leaf>().sorted(manuallyBy: \.place, descending: true)
    return tag.map { query.where(.has(\.tags, $0)) } ?? query
  }

  func result(suggesting values: [String], _ turn: borrowing Turn) -> LeavesView {
    var view = LeavesView(records: [], isList: true)
    view.suggestions = values
    return view
  }
}

private struct RequestReturnLeaves: RecordEdit {
  typealias Reply = ResponseView<LeavesView>
  var id = Target<Leaf>()
  static let command = CommandSpec<Self>("return", "Returns leaves.").records(\.id)
    .revision(of: \.id)

  func change(_ leaf: inout Leaf, seen: Leaf, _ turn: borrowing Turn) {
    leaf.title = seen.title + " back"
  }
}

/// Commands on records that no server answers.
@Suite(.hangLimit) struct RecordCommandTests {
  private let store: FreshRecords
  private let process: AppContext
  private let catalogue: Catalogue

  init() throws {
    store = try FreshRecords()
    process = AppContext(environment: Environment())
    process.add(RecordServer(store.database(), [Leaf.self], watchesExternalChanges: false))
    var catalogue = Catalogue()
    catalogue.add(
      "leaf",
      [
        RequestAddLeaf.self, RequestShowLeaves.self, RequestTurnLeaf.self, RequestPlaceLeaf.self,
        RequestLeaves.self, RequestRemoveLeaves.self,
      ]
    )
    self.catalogue = catalogue
    process.add(CatalogueServer(catalogue) { [] })
  }

  private func json(_ line: String) throws -> String {
    func run<C: Command>(_ command: C) throws -> String {
      var json = JSONWriter()
      try process.ask(command).write(to: &json)
      return String(decoding: json.bytes, as: UTF8.self)
    }
    let command = try #require(try catalogue.read(line: line))
    return try run(command)
  }

  private func add(_ titles: String...) throws {
    for title in titles { _ = try process.ask(RequestAddLeaf(title: title)) }
  }

  @Test func `the catalogue answers them, and who forgets one learns it`() throws {
    try process.check(catalogue)
    var other = catalogue
    other.add("other", [RequestNothing.self])
    #expect(throws: ConfigurationError(problems: ["nobody answers RequestNothing"])) {
      try process.check(other)
    }
  }

  @Test func `a command is answered once, by who is first`() throws {
    process.stream.answer(catalogue.commands)
    try process.check(catalogue)
    #expect(try process.ask(RequestAddLeaf(title: "A")).records.map(\.number) == [1])
    #expect(try process.ask(RequestLeaves()).records.count == 1)
  }

  @Test func `one record is an object, several are an array`() throws {
    let a = #"{"id":1,"title":"A","place":null,"tags":[],"revision":1}"#
    let b = #"{"id":2,"title":"B","place":null,"tags":[],"revision":2}"#
    #expect(try json("add A") == a)
    #expect(try json("add B") == b)
    #expect(try json("show 2") == b)
    #expect(try json("show 2,1") == "[\(b),\(a)]")
    #expect(try json("show 1-1") == "[\(a)]")
    #expect(try json("list") == "[\(b),\(a)]")
  }

  @Test func `other words follow one record`() throws {
    try add("A", "B")
    #expect(try json("turn 1 over a new leaf").contains(#""title":"over a new leaf""#))
    #expect(throws: (any Error).self) { try json("turn 1,2 over") }
    #expect(throws: (any Error).self) { try json("turn over 1") }
  }

  @Test func `S71 a field that was changed since it was seen is a conflict`() throws {
    try add("A")
    _ = try json("turn 1 over")
    #expect(throws: Failure.self) { try json("turn 1 again --expected-revision 1") }
    _ = try json("turn 1 again --expected-revision 2")
  }

  @Test func `S71 of a range only what it has is compared with what was seen`() throws {
    try add("A", "B", "C")
    _ = try json("remove 1")
    var request = RequestReturnLeaves()
    request.id.references = [.numbers(1...3)]
    request.id.seen = 3
    process.stream.answer([RequestReturnLeaves.self])
    #expect(try process.ask(request).records.map(\.value.title) == ["B back", "C back"])
  }

  @Test func `what is removed is the result as it was, of a range what there is`() throws {
    try add("A", "B", "C", "D")
    #expect(try json("remove 2").hasPrefix(#"{"id":2,"title":"B""#))
    #expect(throws: Failure(.notFound, "There is no leaf #2.", field: "id", id: 2)) {
      try json("remove 2")
    }
    let both = try process.ask(RequestRemoveLeaves(id: Target(.numbers(1...3), .number(3))))
    #expect(both.records.map(\.value.title) == ["A", "C"])
    #expect(both.isList)
    #expect(throws: Failure.self) { try json("remove 1-3") }
    _ = try process.undo()
    #expect(try process.ask(RequestLeaves()).records.map(\.value.title) == ["D", "C", "A"])
  }

  @Test func `a property that no line lists is found beside a revision`() {
    #expect(RequestTurnLeaf.command.forgotten(in: RequestTurnLeaf()) == [])
    let spec = CommandSpec<RequestTurnLeaf>("turn", "Turns.").record(\.id).revision(of: \.id)
    #expect(spec.forgotten(in: RequestTurnLeaf()) == ["title"])
  }

  // MARK: Targets

  private func target(_ json: JSON, _ name: String = "id") throws -> Target<Leaf> {
    var target = Target<Leaf>()
    try target.take(json: json, named: name)
    return target
  }

  @Test func `in JSON it is a number, a text or an array, and ids is an array`() throws {
    #expect(try target(3) == Target(.number(3)))
    #expect(try target("@last") == Target(.last))
    #expect(try target("1-3") == Target(.numbers(1...3)))
    #expect(try target([1, "2-3"]).references == [.number(1), .numbers(2...3)])
    #expect(try target([1], "ids").isList)
    for (json, name, message, path) in [
      ("milk", "id", "'milk' is no leaf; write its number, as lists show it", ""),
      ([1, "x"], "ids", "'x' is no leaf; write its number, as lists show it", "/1"),
      (3, "ids", "expected an array, found an integer", ""),
      ([], "ids", "expected at least one leaf", ""),
    ] as [(JSON, String, String, String)] {
      #expect(throws: ValueError(message, path: path)) { try target(json, name) }
    }
  }

  @Test func `a list is requested in parts, all from one snapshot`() throws {
    try add("A", "B", "C")
    var titles: [String] = []
    var next: RequestLeaves? = RequestLeaves().inParts(of: 2)
    while let request = next {
      let reply = try process.response(to: request)
      titles += try reply.result.get().records.map(\.value.title)
      next = reply.rest
      try add("D")
    }
    #expect(titles == ["C", "B", "A"])
  }

  @Test func `where nothing is found the labels are suggested`() throws {
    _ = try process.ask(RequestAddLeaf(title: "A", tags: ["green", "gold"]))
    #expect(try process.ask(RequestLeaves(tag: "gold")).suggestions == [])
    #expect(try process.ask(RequestLeaves(tag: "red")).suggestions == ["gold", "green"])
  }

  @Test func `a record is moved, and the others that make room are not in the result`() throws {
    try add("A", "B", "C")
    #expect(try json("place 1 before 3").contains(#""title":"A""#))
    #expect(try process.ask(RequestLeaves()).records.map(\.value.title) == ["A", "C", "B"])
  }

  @Test(arguments: [
    ("last", "@last is what was added or changed last; choose another name."),
    ("", "A leaf's name is not empty, and has no blanks and no control characters."),
    ("a b", "A leaf's name is not empty, and has no blanks and no control characters."),
    (
      String(repeating: "a", count: 257),
      "A leaf's name has at most 256 bytes of UTF-8; this one has 257."
    ),
  ])
  func `what is no name is refused before a record is added`(
    name: String,
    message: String
  ) throws {
    #expect(throws: Failure(.validation, message, field: "alias")) {
      try process.ask(RequestAddLeaf(title: "A", alias: name))
    }
    #expect(try process.ask(RequestLeaves()).records.isEmpty)
  }
}
