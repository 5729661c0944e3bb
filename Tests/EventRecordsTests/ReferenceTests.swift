import RecordCommands
import EventValues
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import Testing

/// What others refer to, with an identity.
private struct Shelf: Record {
  var title = ""
  var uuid = UniqueID.none
  static let fields = Fields<Self>("shelf", several: "shelves")
    .field("title", \.title)
    .identity("uuid", \.uuid)
}

/// What refers to it, and has none.
private struct Jar: Record {
  var title = ""
  var shelf = Reference<Shelf>()
  var next: Reference<Jar>?
  var lid: Reference<Lid>?
  static let fields = Fields<Self>("jar", several: "jars")
    .field("title", \.title)
    .reference("shelf", \.shelf, onRemoval: .restrict)
    .reference("next", \.next, onRemoval: .cascade)
    .reference("lid", \.lid, onRemoval: .clear)
}

/// What a jar can lack.
private struct Lid: Record {
  var title = ""
  static let fields = Fields<Self>("lid").field("title", \.title)
}

/// References: true in whatever way records are written, removed and brought back.
@Suite(.hangLimit) struct ReferenceTests {
  private let store: FreshRecords
  private let process: AppContext

  init() throws {
    store = try FreshRecords()
    process = Self.process(on: store)
  }

  private static func process(on store: FreshRecords) -> AppContext {
    let context = AppContext()
    context.add(
      RecordServer(
        store.database(),
        [Shelf.self, Jar.self, Lid.self],
        watchesExternalChanges: false
      )
    )
    return context
  }

  @discardableResult
  private func write<R: Record>(_ writes: RecordWrite<R>...) throws -> [RecordTransition<R>] {
    try process.ask(RequestWriteRecords(writes))
  }

  private func jars() throws -> [Kept<Jar>] { try process.ask(RequestRecords<Jar>()) }

  private func jar(_ title: String, on shelf: Int, after jar: Int? = nil) -> RecordWrite<Jar> {
    .add(
      Jar(
        title: title,
        shelf: Reference(.number(shelf)),
        next: jar.map { Reference(.number($0)) }
      )
    )
  }

  @Test func `it is stored by the identity, and read with the number and the title`() throws {
    let shelf = try #require(try write(.add(Shelf(title: "S")))[0].kept)
    let written = try #require(try write(jar("A", on: 1))[0].after)
    for jar in [written, try jars()[0].value, try jars().map(\.value)[0]] {
      #expect(jar.shelf == Reference(shelf))
      #expect(jar.shelf.number == 1)
      #expect(jar.shelf.title == "S")
    }
    let found = RequestRecords(Query<Jar>().where(.equals(\.shelf, Reference(.number(1)))))
    #expect(try process.ask(found).map(\.number) == [2])
    let counted = RequestRecordCounts<Jar>([
      .equals(\.shelf, Reference(shelf)), .isNil(\.lid), .not(.isNil(\.next)),
    ])
    #expect(try process.ask(counted) == [1, 1, 0])
    // What it refers to may be called otherwise later.
    try write(.put(1, Shelf(title: "T", uuid: shelf.value.uuid), seen: shelf.revision))
    #expect(try jars()[0].value.shelf.title == "T")
  }

  @Test func `in JSON it is an object, and is read from that, a number or a text`() throws {
    let shelf = try #require(try write(.add(Shelf(title: "S")))[0].kept)
    try write(jar("A", on: 1))
    let jar = try jars()[0]
    let uuid = shelf.value.uuid.text
    var json = JSONWriter()
    try RecordView(jar).write(to: &json)
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"id":2,"title":"A","shelf":{"id":1,"title":"S","uuid":"\#(uuid)"},"#
        + #""next":null,"lid":null,"revision":2}"#
    )
    for text in [#"{"id":1}"#, #"{"id":1,"title":null,"uuid":"\#(uuid)"}"#, "1", "\"#1\""] {
      let read = try Reference<Shelf>(json: JSON(parsing: text))
      #expect(read.reference == (text.contains("uuid") ? .identity(uuid) : .number(1)))
    }
    #expect(throws: (any Error).self) { try Reference<Shelf>(json: JSON(parsing: "{}")) }
    #expect(throws: (any Error).self) { try Reference<Shelf>(json: JSON(parsing: "[1]")) }
  }

  @Test func `it refers to what is there, and a failure names its field`() throws {
    try write(.add(Shelf(title: "S")))
    func refusal(_ jar: Jar) -> Failure? {
      do {
        try write(.add(jar))
        return nil
      } catch {
        return error as? Failure
      }
    }
    #expect(
      refusal(Jar()) == Failure(.validation, "A jar needs a shelf; say which.", field: "shelf")
    )
    #expect(
      refusal(Jar(shelf: Reference(.number(9))))
        == Failure(.notFound, "There is no shelf #9.", field: "shelf", id: 9)
    )
    #expect(
      refusal(Jar(shelf: Reference(.number(1)), lid: Reference(.number(1))))
        == Failure(.notFound, "#1 is a shelf, not a lid.", field: "lid", id: 1)
    )
    #expect(try jars().isEmpty)
  }

  @Test func `what is referred to stays, unless what refers to it goes in the same command`() throws
  {
    try write(.add(Shelf(title: "S")))
    try write(jar("A", on: 1))
    let refusal = Failure(
      .conflict,
      "The shelf #1 can't be removed: the jar #2 refers to it.",
      field: "id",
      id: 1
    )
    #expect(throws: refusal) { try write(RecordWrite<Shelf>.remove(1)) }
    #expect(try process.ask(RequestRecords<Shelf>()).count == 1)
    try write(RecordWrite<Jar>.remove(2))
    try write(RecordWrite<Shelf>.remove(1))
    #expect(try process.ask(RequestRecords<Shelf>()).isEmpty)
  }

  @Test func `a removal takes along, in chains and circles, and clears; one step brings all back`()
    throws
  {
    try write(.add(Shelf(title: "S")))
    let lid = try #require(try write(.add(Lid(title: "L")))[0].kept)
    try write(jar("A", on: 1), jar("B", on: 1, after: 3), jar("C", on: 1, after: 4))
    // The first one stands after the last one.
    var first = try jars()[0]
    first.value.next = Reference(.number(5))
    first.value.lid = Reference(lid)
    try write(.put(3, first.value, seen: first.revision))
    try write(RecordWrite<Lid>.remove(2))
    #expect(try jars().map(\.value.lid) == [nil, nil, nil])
    _ = try process.undo()
    #expect(try jars().map(\.value.lid?.title) == ["L", nil, nil])
    let removed = try write(RecordWrite<Jar>.remove(4), .remove(3))
    #expect(removed.map(\.number) == [4, 3])
    #expect(removed.map(\.after) == [nil, nil])
    #expect(try jars().isEmpty)
    let back = try process.undo()
    #expect(Set(back.changes.map(\.id)) == [3, 4, 5])
    #expect(try jars().map(\.value.next?.number) == [5, 3, 4])
  }

  @Test func `an undo that would leave a reference to nothing is a conflict that says which`()
    throws
  {
    try write(.add(Shelf(title: "S")))
    let adding = try process.ask(RequestJournal(.newest(1)))[0].step
    try write(jar("A", on: 1))
    try write(RecordWrite<Jar>.remove(2))
    let removing = try process.ask(RequestJournal(.newest(1)))[0].step
    try write(jar("B", on: 1))
    let stays = Failure(
      .conflict,
      "The shelf #1 can't be removed: the jar #3 refers to it.",
      field: "id",
      id: 1
    )
    #expect(throws: stays) {
      try process.ask(RequestReversal(.number(adding.number), conflicts: .skip))
    }
    try write(RecordWrite<Jar>.remove(3))
    try write(RecordWrite<Shelf>.remove(1))
    let gone = Failure(
      .conflict,
      "The jar #2 can't come back: what its 'shelf' refers to is no longer there.",
      field: "shelf",
      id: 2
    )
    #expect(throws: gone) {
      try process.ask(RequestReversal(.number(removing.number), conflicts: .overwrite))
    }
    #expect(try jars().isEmpty)
  }

  @Test func `a chain of thousands goes without a deep stack, and a longer one is refused`() throws
  {
    try write(.add(Shelf(title: "S")))
    var jars: [RecordWrite<Jar>] = [jar("0", on: 1)]
    for number in 2...3_000 { jars.append(jar("n", on: 1, after: number)) }
    _ = try process.ask(RequestWriteRecords(jars))
    try write(RecordWrite<Jar>.remove(2))
    #expect(try self.jars().isEmpty)
    jars = [jar("0", on: 1)]
    for _ in 1...10_001 { jars.append(jar("n", on: 1, after: 3_002)) }
    _ = try process.ask(RequestWriteRecords(jars))
    #expect(
      throws: Failure(
        .validation,
        "Nothing was removed: more than 10000 others refer to it, or to what goes with it."
      )
    ) { try write(RecordWrite<Jar>.remove(3_002)) }
    #expect(try self.jars().count == 10_002)
  }

  @Test func `a reference that was made false from outside is found by an examination`() throws {
    try write(.add(Shelf(title: "S")))
    try write(jar("A", on: 1))
    try store.execute("DELETE FROM record_shelf")
    var page = Page()
    try process.ask(RequestDoctor()).show(on: &page)
    #expect(page.text.contains("error: jar #2 refers in 'shelf' to a shelf that is not there\n"))
    #expect(try jars()[0].value.shelf.title == nil)
  }

  @Test func `a recording of a read has what is known of the record`() throws {
    try write(.add(Shelf(title: "S")))
    try write(jar("A", on: 1))
    let jar = try jars()[0].value
    let read = try BodyDecoder().read(Jar.self, from: JSON(parsing: BodyEncoder().value(jar)))
    #expect(read == jar)
    #expect(read.shelf.number == 1)
    #expect(read.shelf.title == "S")
  }
}
