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
    let stays = "The shelf #1 can't be removed: the jar #3 refers to it."
    func reverse(_ step: Step, _ conflicts: RequestReversal.Conflicts) throws -> ReversedStep {
      try #require(try process.ask(RequestReversal(.number(step.number), conflicts: conflicts)))
    }
    for way in [RequestReversal.Conflicts.refuse, .skip] {
      let reversed = try reverse(adding, way)
      #expect(reversed.conflicts.map(\.reason) == [stays])
      #expect(reversed.changes.isEmpty)
    }
    #expect(throws: Failure(.conflict, stays, field: "id", id: 1)) {
      try reverse(adding, .overwrite)
    }
    try write(RecordWrite<Jar>.remove(3))
    try write(RecordWrite<Shelf>.remove(1))
    let gone = Failure(
      .conflict,
      "The jar #2 would refer in 'shelf' to what is no longer there.",
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

  @Test func `none in an optional is none, and a name or a number finds it everywhere`() throws {
    try write(.add(Shelf(title: "S")))
    try write(
      .add(Jar(title: "A", shelf: Reference(.number(1)), next: Reference(), lid: Reference()))
    )
    let jar = try #require(try jars().first)
    #expect(jar.value.next == nil)
    #expect(jar.value.lid == nil)
    process.stream.transaction(RequestProbe.self) { _, store in
      // Its session has changed a shelf last.
      try store.add(Jar(title: "B", shelf: Reference(.last)))
      let found = try store.count(where: .equals(\Jar.shelf, Reference(.last)))
      let none = try store.count(where: .equals(\Jar.lid, Reference()))
      return Message("\(found) \(none)")
    }
    #expect(try process.ask(RequestProbe()).text == "2 2")
  }

  @Test func `a change of something else needs no reference that has gone meanwhile`() throws {
    let lid = try #require(try write(.add(Lid(title: "L")))[0].kept)
    try write(.add(Shelf(title: "S")))
    let written = try write(
      .add(Jar(title: "A", shelf: Reference(.number(2)), lid: Reference(lid)))
    )
    var seen = try #require(written[0].kept)
    try write(RecordWrite<Lid>.remove(1))
    seen.value.title = "B"
    let changed = try #require(
      try write(.put(3, seen.value, seen: seen.revision))[0].after
    )
    #expect(changed.title == "B")
    #expect(changed.lid == nil)
    #expect(changed.shelf.title == "S")
    // An earlier state is read, too.
    let earlier = RequestRecords<Jar>(RecordReference.number(3), at: seen.revision)
    #expect(try process.ask(earlier)[0].value.lid?.reference == .number(1))
  }

  @Test func `a record without its identity is referred to by its number`() throws {
    try write(.add(Shelf(title: "S")))
    try store.execute("UPDATE record_shelf SET uuid = '\(UniqueID.none.text)'")
    try write(jar("A", on: 1))
    let jar = try jars()[0]
    #expect(jar.value.shelf.reference == .number(1))
    #expect(jar.value.shelf.title == "S")
    #expect(throws: Failure.self) { try write(RecordWrite<Shelf>.remove(1)) }
    #expect(try process.ask(RequestRecords<Shelf>()).count == 1)
  }

  @Test func `what a rule has given another reference does not go along`() throws {
    process.stream.onWrite(of: Jar.self) { change, store in
      guard change.after == nil, change.before?.title == "B" else { return }
      try store.change(store.record(4, of: Jar.self)) { $0.next = nil }
    }
    try write(.add(Shelf(title: "S")))
    try write(jar("A", on: 1), jar("B", on: 1, after: 2), jar("C", on: 1, after: 2))
    try write(RecordWrite<Jar>.remove(2))
    #expect(try jars().map(\.value.title) == ["C"])
  }

  @Test func `what fails after a part of it can't be stored, even where a body goes on`() throws {
    process.stream.transaction(RequestProbe.self) { _, store in
      let shelf = try store.add(Shelf(title: "S"))
      try store.add(Jar(title: "A", shelf: Reference(shelf)))
      try? store.remove(shelf)
      return Message("done")
    }
    let refusal = Failure(
      .conflict,
      "The shelf #1 can't be removed: the jar #2 refers to it.",
      field: "id",
      id: 1
    )
    #expect(throws: refusal) { try process.ask(RequestProbe()) }
    #expect(try jars().isEmpty)
  }
}

/// A team; deletion marks it.
private struct Team: Record {
  var title = ""
  var isGone = false
  static let fields = Fields<Self>("team", several: "teams")
    .field("title", \.title)
    .field("isGone", \.isGone, .marksDeletion)
}

/// A player, who goes with the team.
private struct Player: Record {
  var title = ""
  var team = Reference<Team>()
  var isGone = false
  var uuid = UniqueID.none
  static let fields = Fields<Self>("player", several: "players")
    .field("title", \.title)
    .reference("team", \.team, onRemoval: .cascade)
    .field("isGone", \.isGone, .marksDeletion)
    .identity("uuid", \.uuid)
}

/// What a player has, or has lent.
private struct Shirt: Record {
  var title = ""
  var owner: Reference<Player>?
  var lender: Reference<Player>?
  static let fields = Fields<Self>("shirt", several: "shirts")
    .field("title", \.title)
    .reference("owner", \.owner, onRemoval: .restrict)
    .reference("lender", \.lender, onRemoval: .clear)
}

/// References to what deletion only marks.
@Suite(.hangLimit) struct MarkedReferenceTests {
  private let store: FreshRecords
  private let process: AppContext

  init() throws {
    store = try FreshRecords()
    process = AppContext()
    process.add(
      RecordServer(
        store.database(),
        [Team.self, Player.self, Shirt.self],
        watchesExternalChanges: false
      )
    )
  }

  @discardableResult
  private func add<R: Record>(_ record: R) throws -> Kept<R> {
    try #require(try process.ask(RequestWriteRecords([.add(record)]))[0].kept)
  }

  private func mark(_ number: Int, _ isGone: Bool = true) throws {
    var team = try process.ask(RequestRecords<Team>([number]))[0]
    team.value.isGone = isGone
    _ = try process.ask(RequestWriteRecords([.put(number, team.value, seen: team.revision)]))
  }

  private var players: [Bool] {
    get throws { try process.ask(RequestRecords<Player>()).map(\.value.isGone) }
  }

  private var shirts: [Shirt] {
    get throws { try process.ask(RequestRecords<Shirt>()).map(\.value) }
  }

  @Test func `a mark takes along what a removal would, by marks, and an undo brings all back`()
    throws
  {
    let team = try add(Team(title: "T"))
    let player = try add(Player(title: "P", team: Reference(team)))
    try add(Player(title: "Q", team: Reference(team)))
    try add(Shirt(title: "S", lender: Reference(player)))
    try mark(1)
    #expect(try players == [true, true])
    #expect(try shirts[0].lender == nil)
    _ = try process.undo()
    #expect(try players == [false, false])
    #expect(try shirts[0].lender?.title == "P")
    // What is restored alone comes alone.
    try mark(1)
    try mark(1, false)
    #expect(try players == [true, true])
  }

  @Test func `what something refers to can't be marked, and what is marked can't be referred to`()
    throws
  {
    let team = try add(Team(title: "T"))
    let player = try add(Player(title: "P", team: Reference(team)))
    try add(Shirt(title: "S", owner: Reference(player)))
    let refusal = Failure(
      .conflict,
      "The player #2 can't be removed: the shirt #3 refers to it.",
      field: "id",
      id: 2
    )
    #expect(throws: refusal) { try mark(1) }
    #expect(try players == [false])
    let lonely = try add(Team(title: "U"))
    try mark(lonely.number)
    let deleted = Failure(.validation, "The team #4 is deleted.", field: "team", id: 4)
    #expect(throws: deleted) { try add(Player(title: "Q", team: Reference(lonely))) }
  }

  @Test func `what refers to the deleted is not restored before that is`() throws {
    let team = try add(Team(title: "T"))
    let player = try add(Player(title: "P", team: Reference(team)))
    try mark(1)
    var marked = try process.ask(RequestRecords<Player>([player.number]))[0]
    marked.value.isGone = false
    let restore = RequestWriteRecords([.put(marked.number, marked.value, seen: marked.revision)])
    let refusal = Failure(
      .conflict,
      "The player #2 would refer in 'team' to what is no longer there.",
      field: "team",
      id: 2
    )
    #expect(throws: refusal) { try process.ask(restore) }
    try mark(1, false)
    _ = try process.ask(restore)
    #expect(try players == [false])
  }
}
