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
    func later(makesSchema: Bool) -> PostgresEngine {
      var store = StoreConfiguration(of: "test", path: list.address())
      store.makesSchema = makesSchema
      let engine = PostgresEngine(store)
      engine.open([RecordTable(LaterNote.self)])
      return engine
    }
    let table = RecordTable(LaterNote.self)
    let refused = try #require(throws: StoreError.self) {
      try later(makesSchema: false).read(in: .committed) { try $0.row(1, of: table) == nil }
    }
    #expect(refused.cause.hasPrefix("the list '\(list.name)' lacks what this version"))
    let grown = later(makesSchema: true)
    let found = try grown.read(in: .committed) {
      try $0.row(1, of: table).map { try Kept<LaterNote>($0) }
    }
    #expect(found??.value == LaterNote(title: "old", labels: ["a", "b"]))
    // The sets are kept by the database, whichever version writes.
    try process.add("by the older one")
    _ = try process.ask(RequestWriteRecords<Note>([.remove(1)]))
    #expect(try list.rows("SELECT colour, people FROM record_note") == ["white|[]"])
    #expect(try list.rows("SELECT count(*) FROM \"record_note.labels\"") == ["0"])
  }

  @Test func `a list of a newer version is left alone`() throws {
    let list = try List()
    let engine = list.engine()
    try engine.write { _ in }
    _ = try list.rows("UPDATE counter SET version = 2")
    let fresh = list.engine(makesSchema: false)
    for body in [
      { _ = try fresh.read(in: .committed) { try $0.end() } }, { try fresh.write { _ in } },
    ] {
      let refused = try #require(throws: StoreError.self) { try body() }
      #expect(
        refused.cause
          == "was written by a newer version (this one knows schema 1); update test, or use another list."
      )
    }
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
        == "may not be written to, or not be read, by this user (permission denied for table counter)."
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
