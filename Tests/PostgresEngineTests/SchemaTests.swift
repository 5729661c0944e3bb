import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// A note as the next version of the program has it.
private struct LaterNote: Record {
  var title = ""
  var labels: [String] = []
  var colour = "white"
  var people: [String] = []

  static let fields = Fields<Self>("note")
    .field("title", \.title, [.searched, .indexed])
    .set("labels", \.labels)
    .field("colour", \.colour, .searched)
    .set("people", \.people)
}

/// A list is a schema, which is made when that is asked for, and grows with the program.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct SchemaTests {
  /// The engine of the next version, and what it did to the schema.
  private final class Later {
    let engine: PostgresEngine
    private let changed = Locked<[SchemaChange]>([])

    init(_ list: List, by way: String? = nil, makesSchema: Bool = true) {
      var store = StoreConfiguration(of: "test", path: list.address(by: way))
      store.makesSchema = makesSchema
      store.reportsSchema = { [changed] change in changed.withLock { $0.append(change) } }
      engine = PostgresEngine(store)
      engine.open([RecordTable(LaterNote.self)])
    }

    var changes: [SchemaChange] { changed.withLock { $0 } }
  }

  @Test func `where there is no list, nothing but making one makes one`() throws {
    let list = try List()
    let engine = list.engine(makesSchema: false)
    let name = list.address()
    let message = "\(name): there is no list '\(list.name)'; make it by: test store init '\(name)'"
    let read = try #require(throws: StoreError.self) {
      try engine.read(in: .committed) { try $0.end() }
    }
    #expect(read.message == message)
    let written = try #require(throws: StoreError.self) { try engine.write { _ in } }
    #expect(written.message == message)
    #expect(
      try list.rows("SELECT count(*) FROM pg_namespace WHERE nspname = '\(list.name)'") == ["0"]
    )
    try list.engine().write { _ in }
    #expect(try engine.read(in: .committed) { try $0.end() } == LogEnd())
  }

  @Test func `a version that declares more asks for it, and an older one goes on`() throws {
    let list = try List()
    let process = list.process()
    _ = try process.ask(
      RequestWriteRecords<Note>([.add(Note(title: "old", labels: ["a", "b"]))])
    )
    let table = RecordTable(LaterNote.self)
    let refused = try #require(throws: StoreError.self) {
      try Later(list, makesSchema: false).engine
        .read(in: .committed) { try $0.row(1, of: table) == nil }
    }
    #expect(refused.cause.hasPrefix("the list '\(list.name)' lacks what this version"))
    let grown = Later(list)
    let found = try grown.engine.read(in: .committed) {
      try $0.row(1, of: table).map { try Kept<LaterNote>($0) }
    }
    #expect(found??.value == LaterNote(title: "old", labels: ["a", "b"]))
    // The sets are kept by the database, whichever version writes.
    try process.add("by the older one")
    _ = try process.ask(RequestWriteRecords<Note>([.remove(1)]))
    #expect(try list.rows("SELECT colour, people FROM record_note") == ["white|[]"])
    #expect(try list.rows("SELECT count(*) FROM \"record_note.labels\"") == ["0"])
  }

  // MARK: Copies

  @Test func `before a list changes it is copied, as a list for the older version`() throws {
    let list = try List()
    let process = list.process()
    for title in ["one", "two"] {
      _ = try process.ask(RequestWriteRecords<Note>([.add(Note(title: title, labels: ["a"]))]))
    }
    let made = Later(list)
    try made.engine.write { _ in }
    let copy = List(on: list.server, named: "\(list.name)_at_2")
    #expect(made.changes == [.updated(copy: copy.address())])
    // Nothing is copied where nothing changes.
    let again = Later(list)
    try again.engine.write { _ in }
    #expect(again.changes == [])
    #expect(try list.process().titles() == ["one", "two"])

    let columns = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'colour'"
    #expect(try list.rows("\(columns) AND table_schema = '\(copy.name)'") == ["0"])
    #expect(try list.rows("\(columns) AND table_schema = '\(list.name)'") == ["1"])
    let older = copy.process()
    #expect(try older.titles() == ["one", "two"])
    #expect(try copy.engine().examine { _ in [] }.isSound)
    // Its sets are its own, and maintained.
    _ = try older.ask(RequestWriteRecords<Note>([.add(Note(title: "three", labels: ["b", "c"]))]))
    _ = try older.ask(RequestWriteRecords<Note>([.remove(1)]))
    #expect(
      try copy.rows("SELECT name, number FROM \"record_note.labels\" ORDER BY 1, 2")
        == ["a|2", "b|3", "c|3"]
    )
    #expect(
      try list.rows("SELECT name, number FROM \"record_note.labels\" ORDER BY 1, 2")
        == ["a|1", "a|2"]
    )
    #expect(try list.process().titles() == ["one", "two"])
  }

  @Test func `a copy has a name of its own, however long that of the list is`() throws {
    let name = "t" + String(repeating: "é", count: 31)
    let list = List(on: try PostgresServer(), named: name)
    try list.process().add("one")
    for end in ["_at_1", "_at_1_2"] {
      let made = Later(list)
      try made.engine.write { _ in }
      let start = "t" + String(repeating: "é", count: (62 - end.utf8.count) / 2)
      let copy = List(on: list.server, named: start + end)
      #expect(made.changes == [.updated(copy: copy.address())])
      #expect(try copy.rows("SELECT title FROM record_note") == ["one"])
      // The list is changed again, although it has no later revision.
      _ = try list.rows("DELETE FROM declaration")
    }
  }

  @Test func `what others write until the change is in the copy, and nothing is lost`() throws {
    let list = try List()
    let other = list.engine()
    try other.write { _ in }
    try other.beginUnit()
    let made = Later(list)
    let over = Arrivals<String>()
    let engine = made.engine
    Thread.detachNewThread {
      over.add((try? engine.write { _ in }) == nil ? "failed" : "changed")
    }
    try waitUntil("it waits for the writer") {
      try list.rows("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") != ["0"]
    }
    try other.write { store in
      let author = Author(
        root: Root(session: 1, number: 1),
        origin: "test",
        time: Instant(milliseconds: 0)
      )
      let types = RecordTypes(of: [RecordTable(Note.self)])
      var transaction = try RecordTransaction(store, types, by: author, ordinal: 1)
      _ = try transaction.write([RecordWrite<Note>.add(Note(title: "late"))])
    }
    try other.commitUnit()
    #expect(try over.wait(for: 1, "it has changed the list") == ["changed"])
    let copy = List(on: list.server, named: "\(list.name)_at_1")
    #expect(made.changes == [.updated(copy: copy.address())])
    #expect(try copy.process().titles() == ["late"])
    #expect(try list.process().titles() == ["late"])
  }

  @Test func `of several that change a list at once one does it, and the others go on`() throws {
    let list = try List()
    try list.process().add("one")
    let all = (1...8).map { Later(list, by: $0.isMultiple(of: 2) ? list.server.pooled : nil) }
    let over = Arrivals<String>()
    for engine in all.map(\.engine) {
      Thread.detachNewThread {
        do {
          try engine.write { _ in }
          over.add("done")
        } catch {
          over.add("\(error)")
        }
      }
    }
    let done = try over.wait(for: all.count, "all are done")
    #expect(done == all.map { _ in "done" })
    #expect(all.flatMap(\.changes).count == 1)
    let schemas = "SELECT nspname FROM pg_namespace WHERE nspname LIKE '\(list.name)%' ORDER BY 1"
    #expect(try list.rows(schemas) == [list.name, "\(list.name)_at_1"])
  }

  @Test func `an owner that may not create schemas changes a list without a copy`() throws {
    let server = try PostgresServer()
    let list = List(on: server)
    // The schema is made for it, as a database's administrator does.
    _ = try list.rows(
      "CREATE ROLE owner LOGIN; CREATE SCHEMA \(list.name) AUTHORIZATION owner"
    )
    let way = server.address.replacing("test@", with: "owner@")
    try list.process(by: way).add("one")
    let made = Later(list, by: way)
    try made.engine.write { _ in }
    #expect(made.changes == [.updated(copy: nil)])
    #expect(try list.rows("SELECT title, colour FROM record_note") == ["one|white"])
    let other = List(on: server)
    let refused = try #require(throws: StoreError.self) {
      try other.engine(by: way).write { _ in }
    }
    #expect(
      refused.cause
        == "may not be written to by this user (permission denied for database postgres); "
        + "its owner can grant that"
    )
  }

  @Test func `functions of an earlier program get their path, without a copy, from their owner`()
    throws
  {
    let list = try List()
    try list.process().add("one")
    let paths = "SELECT proconfig[1] FROM pg_proc WHERE pronamespace = '\(list.name)'::regnamespace"
    let path = ["search_path=pg_catalog, pg_temp"]
    #expect(try list.rows(paths) == path)
    _ = try list.rows("ALTER FUNCTION \"record_note.labels\"() RESET ALL")
    let role = try list.makeRole(
      granting: "ALL ON SCHEMA \(list.name)",
      "ALL ON ALL TABLES IN SCHEMA \(list.name)"
    )
    try list.engine(as: role).write { _ in }
    #expect(try list.rows(paths) == [""])
    try list.engine().write { _ in }
    #expect(try list.rows(paths) == path)
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE '\(list.name)%'"
    #expect(try list.rows(schemas) == ["1"])
  }

  @Test func `a change that fails leaves the list as it was, and no copy`() throws {
    let list = try List()
    try list.process().add("one")
    // A column of a later version with another type.
    _ = try list.rows("ALTER TABLE record_note ADD colour BIGINT")
    let made = Later(list)
    let refused = try #require(throws: StoreError.self) { try made.engine.write { _ in } }
    #expect(refused.cause.hasPrefix("keeps the field 'colour' of a note as bigint"))
    #expect(made.changes == [])
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE '\(list.name)%'"
    #expect(try list.rows(schemas) == ["1"])
    #expect(try list.rows("SELECT count(*) FROM declaration") == ["1"])
    #expect(try list.process().titles() == ["one"])
  }

  // MARK: Versions, roles and faults

  @Test func `a list of a newer version is left alone, with SQLite's message`() throws {
    let list = try List()
    let engine = list.engine()
    try engine.write { _ in }
    _ = try list.rows("UPDATE counter SET version = 12")
    let fresh = list.engine(makesSchema: false)
    let later = Later(list)
    for body in [
      { _ = try fresh.read(in: .committed) { try $0.end() } },
      { try fresh.write { _ in } },
      { try later.engine.write { _ in } },
    ] {
      let refused = try #require(throws: StoreError.self) { try body() }
      #expect(
        refused.cause
          == "was written by a newer version (schema 12, this one knows 3); "
          + "install that version, or name another list with --store"
      )
      #expect(!refused.isRetryable)
    }
    #expect(later.changes == [])
    #expect(try list.rows("SELECT count(*) FROM declaration") == ["1"])
  }

  @Test func `who may only read reads, and is told that it may not write`() throws {
    let list = try List()
    try list.process().add("for all")
    _ = try list.rows(
      """
      DROP ROLE IF EXISTS reader_\(list.name);
      CREATE ROLE reader_\(list.name) LOGIN;
      GRANT USAGE ON SCHEMA \(list.name) TO reader_\(list.name);
      GRANT SELECT ON ALL TABLES IN SCHEMA \(list.name) TO reader_\(list.name)
      """
    )
    let way = list.server.address.replacing("test@", with: "reader_\(list.name)@")
    let engine = list.engine(by: way, makesSchema: false)
    #expect(try engine.read(in: .committed) { try $0.titles() } == ["for all"])
    let refused = try #require(throws: StoreError.self) { try engine.write { _ in } }
    #expect(
      refused.cause
        == "may not be written to by this user (permission denied for table counter); "
        + "its owner can grant that"
    )
    #expect(!refused.isRetryable)
  }

  @Test func `a database that is not there will not be there a moment later`() throws {
    let server = try PostgresServer.shared
    let engine = PostgresEngine(
      StoreConfiguration(of: "test", path: "postgresql://test@/nope?host=\(server.folder)")
    )
    engine.open([RecordTable(Note.self)])
    let refused = try #require(throws: StoreError.self) {
      try engine.read(in: .committed) { try $0.end() }
    }
    #expect(
      refused.message
        == "postgresql://test@/nope?host=\(server.folder): can't be reached: connection to server on "
        + "socket \"\(server.folder)/.s.PGSQL.5432\" failed: FATAL:  database \"nope\" does not exist"
    )
    #expect(!refused.isRetryable)
  }

  @Test func `a damaged log is found`() throws {
    let list = try List()
    try list.process().add("one")
    #expect(try list.engine().examine { _ in [] }.isSound)
    _ = try list.rows("DELETE FROM change")
    let report = try list.engine().examine { _ in [] }
    #expect(
      report.findings.map(\.text) == [
        "the change log does not end with revision 1, as the counter says: "
          + "was the database restored in part?"
      ]
    )
    #expect(!report.isSound)
  }
}
