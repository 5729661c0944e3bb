import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

/// A box as a later version of the program declares it.
private struct LaterBox: Record {
  var title = ""
  var count = 1
  var note: String?
  var colour = "red"
  var tags: [String] = []

  static let fields = Fields<Self>("box")
    .field("title", \.title, [.indexed, .searched])
    .field("count", \.count)
    .field("note", \.note)
    .field("colour", \.colour, .indexed)
    .set("tags", \.tags)
}

/// A box that always has a note.
private struct NotedBox: Record {
  var title = ""
  var note = "none"
  static let fields = Fields<Self>("box").field("title", \.title).field("note", \.note)
}

/// A box whose note is a set of names.
private struct TaggedBox: Record {
  var title = ""
  var note: [String] = []
  static let fields = Fields<Self>("box").field("title", \.title).set("note", \.note)
}

/// What no version knew that has brought the store to its new form.
private struct Crate: Record {
  var title = ""
  static let fields = Fields<Self>("crate").field("title", \.title)
}

/// A box whose title is a number.
private struct NumberedBox: Record {
  var number = 0
  var title: String { "\(number)" }
  static let fields = Fields<Self>("box").field("title", \.number)
}

/// Stores of earlier versions: of the schema, and of what a program declares.
@Suite(.hangLimit) struct RecordUpgradeTests {
  private let store: FreshRecords

  init() throws { store = try FreshRecords() }

  private func process<R: Record>(of type: R.Type) -> AppContext {
    let context = AppContext()
    context.add(RecordServer(store.database(), [type], watchesExternalChanges: false))
    return context
  }

  // MARK: Schema 1

  /// A store as the first schema had it: each record a JSON text, and the log with all fields of
  /// both sides.
  private func makeOldStore() throws {
    // 0x2FF6B8E7 is what names of programs are numbered by, for 'test'.
    let number = "test".utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    try store.execute(
      """
      CREATE TABLE record (number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
        body TEXT NOT NULL, revision INTEGER NOT NULL) STRICT;
      CREATE INDEX recordByKind ON record (kind, number);
      CREATE TABLE change (revision INTEGER PRIMARY KEY, record INTEGER NOT NULL, kind TEXT NOT NULL,
        before TEXT, after TEXT, session INTEGER NOT NULL, root INTEGER NOT NULL, origin TEXT NOT NULL,
        at INTEGER NOT NULL) STRICT;
      CREATE INDEX changeByRecord ON change (record, revision);
      CREATE INDEX changeByRoot ON change (session, root, revision);
      CREATE TABLE step (number INTEGER PRIMARY KEY, session INTEGER NOT NULL, root INTEGER NOT NULL,
        origin TEXT NOT NULL, at INTEGER NOT NULL, kind INTEGER NOT NULL, undoes INTEGER,
        isTakenBack INTEGER NOT NULL, UNIQUE (session, root)) STRICT;
      CREATE INDEX stepByState ON step (kind, isTakenBack);
      CREATE INDEX stepByOrigin ON step (origin, kind, isTakenBack);
      INSERT INTO record VALUES
        (1, 'box', '{"title":"B","count":4}', 3),
        (2, 'box', '{"title":"Other","count":1,"note":"n"}', 2),
        (4, 'box', '{"title":7}', 6),
        (5, 'crate', '{"title":"C"}', 7);
      INSERT INTO change VALUES
        (1, 1, 'box', NULL, '{"title":"A"}', 1, 1, 'repl', 1000),
        (2, 2, 'box', NULL, '{"title":"Other","count":1,"note":"n"}', 1, 2, 'repl', 1001),
        (3, 1, 'box', '{"title":"A"}', '{"title":"B","count":4}', 1, 3, 'repl', 1002),
        (4, 3, 'box', NULL, '{"title":"Gone","count":1}', 1, 4, 'repl', 1003),
        (5, 3, 'box', '{"title":"Gone","count":1}', NULL, 1, 5, 'repl', 1004),
        (6, 4, 'box', NULL, '{"title":7}', 1, 6, 'repl', 1005),
        (7, 5, 'crate', NULL, '{"title":"C"}', 1, 7, 'repl', 1006);
      INSERT INTO step VALUES
        (1, 1, 1, 'repl', 1000, 0, NULL, 0), (2, 1, 2, 'repl', 1001, 0, NULL, 0),
        (3, 1, 3, 'repl', 1002, 0, NULL, 0), (4, 1, 4, 'repl', 1003, 0, NULL, 0),
        (5, 1, 5, 'repl', 1004, 0, NULL, 0), (6, 1, 6, 'repl', 1005, 0, NULL, 0),
        (7, 1, 7, 'repl', 1006, 0, NULL, 0);
      PRAGMA application_id = \(number & 0x7FFF_FFFF);
      PRAGMA user_version = 1;
      """
    )
  }

  @Test func `a store of the first schema is brought up to date once, after a copy`() throws {
    try makeOldStore()
    let process = store.process()
    #expect(
      try process.ask(RequestRecords<Box>()) == [
        Kept(1, Box(title: "B", count: 4), revision: 3),
        Kept(2, Box(title: "Other", note: "n"), revision: 2),
      ]
    )
    #expect(FileManager.default.fileExists(atPath: store.path + ".schema-1"))
    #expect(try store.process().boxes().count == 2)
    #expect(!FileManager.default.fileExists(atPath: store.path + ".schema-1-2"))
    // A number that was ever given is not given again.
    #expect(try process.write(.add(Box(title: "New"))).map(\.number) == [6])
  }

  @Test func `its history is there: undone, merged, and restored`() throws {
    try makeOldStore()
    let process = store.process()
    let entries = try process.ask(RequestSubjectJournal(of: "1", limit: 9))
    #expect(entries.flatMap(\.changes).map(\.kind) == [.changed, .added])
    #expect(
      entries[0].changes[0].fields == [
        FieldChange("title", from: "A", to: "B"), FieldChange("count", from: 1, to: 4),
      ]
    )
    let merged = try process.write(.put(1, Box(title: "A", note: "mine"), seen: 1))
    #expect(merged.first?.after == Box(title: "B", count: 4, note: "mine"))
    _ = try process.revert(3, force: false)
    #expect(try process.boxes()[0] == Box(title: "A", note: "mine"))
    _ = try process.revert(5, force: false)
    #expect(try process.boxes().map(\.title) == ["A", "Other", "Gone"])
  }

  @Test func `what could not be read stays, and is named`() throws {
    try makeOldStore()
    let report = try store.process().ask(RequestDoctor())
    var page = Page()
    report.show(on: &page)
    let hint = "could not be read when the store was brought to its new form; "
    #expect(page.text.contains("  warning: box #4 \(hint)"))
    #expect(page.text.contains("  warning: crate #5 \(hint)"))
  }

  @Test func `a version that knows the kind takes over what was left`() throws {
    try makeOldStore()
    #expect(try store.process().boxes().count == 2)
    let crates = process(of: Crate.self)
    #expect(
      try crates.ask(RequestRecords<Crate>()) == [Kept(5, Crate(title: "C"), revision: 7)]
    )
  }

  // MARK: Declarations

  @Test func `an optional field that is one no more has the value of a new record`() throws {
    _ = try store.process().write(.add(Box(title: "A")), .add(Box(title: "B", note: "n")))
    let later = process(of: NotedBox.self)
    let query = Query<NotedBox>().where(.equals(\.note, "none"))
    #expect(try later.ask(RequestRecords(query)).map(\.number) == [1])
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test func `an older version that removes leaves no name in a set`() throws {
    let later = process(of: LaterBox.self)
    let box = LaterBox(title: "A", tags: ["x", "y"])
    _ = try later.ask(RequestWriteRecords<LaterBox>([.add(box), .add(box)]))
    _ = try store.process().write(.remove(1))
    #expect(
      try later.ask(RequestRecordLabels<LaterBox>("tags")) == [
        RecordLabel("x", count: 1), RecordLabel("y", count: 1),
      ]
    )
  }

  @Test func `what is no list becomes a set without names`() throws {
    _ = try store.process().write(.add(Box(title: "A", note: "home")))
    try store.execute("UPDATE record_box SET note = 'home'")
    let process = process(of: TaggedBox.self)
    #expect(try process.ask(RequestRecordLabels<TaggedBox>("note")) == [])
    #expect(try process.ask(RequestDoctor()).exitStatus != .success)
  }

  @Test
  func `a field that is added later has the value of a new record where it was never written`()
    throws
  {
    _ = try store.process().write(.add(Box(title: "A")))
    let later = process(of: LaterBox.self)
    #expect(try later.ask(RequestRecords<LaterBox>()).map(\.value) == [LaterBox(title: "A")])
    let query = Query<LaterBox>().where(.all(.contains("a"), .equals(\.colour, "red")))
    #expect(try later.ask(RequestRecords<LaterBox>(query)).map(\.number) == [1])
    // What is changed in it says what it was, in the history and where two change it at once.
    let blue = LaterBox(title: "A", colour: "blue", tags: ["x"])
    _ = try later.ask(RequestWriteRecords<LaterBox>([.put(1, blue, seen: 1)]))
    #expect(
      try later.ask(RequestSubjectJournal(of: "1", limit: 1))[0].changes[0].fields == [
        FieldChange("colour", from: "red", to: "blue"),
        FieldChange("tags", from: [], to: ["x"]),
      ]
    )
    let same = try later.ask(
      RequestWriteRecords<LaterBox>([.put(1, LaterBox(title: "B", tags: ["y"]), seen: 1)])
    )
    #expect(same[0].after == LaterBox(title: "B", colour: "blue", tags: ["x", "y"]))
  }

  @Test func `an older version leaves alone what it does not know`() throws {
    _ = try store.process().write(.add(Box(title: "A")))
    let later = process(of: LaterBox.self)
    _ = try later.ask(
      RequestWriteRecords<LaterBox>([.put(1, LaterBox(title: "A", colour: "blue"), seen: nil)])
    )
    let older = store.process()
    _ = try older.write(.put(1, Box(title: "B", count: 3), seen: nil), .add(Box(title: "C")))
    #expect(
      try later.ask(RequestRecords<LaterBox>()).map(\.value) == [
        LaterBox(title: "B", count: 3, colour: "blue"), LaterBox(title: "C"),
      ]
    )
    // What the older one has written is searched, too.
    for (text, number) in [("b", 1), ("C", 2)] {
      let query = Query<LaterBox>().where(.contains(text))
      #expect(try later.ask(RequestRecords(query)).map(\.number) == [number])
    }
  }

  @Test func `a field of another type is refused, and nothing is lost`() throws {
    _ = try store.process().write(.add(Box(title: "A")))
    let failure = #expect(throws: Failure.self) {
      try process(of: NumberedBox.self).ask(RequestRecords<NumberedBox>())
    }
    #expect(
      failure?.message
        == "\(store.path): keeps the field 'title' of a box as TEXT, and this version of the program takes it for "
        + "INTEGER: declare `.converted`, or give the field another name"
    )
    #expect(try store.process().boxes() == [Box(title: "A")])
  }
}
