import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// A connection that is lost loses nothing, and doubles nothing.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct LostConnectionTests {
  @Test func `a commit whose answer is lost is asked for, and has happened once`() throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server)
    let process = list.process(by: proxy.address)
    try process.add("before")
    proxy.cut(.afterCommit)
    try process.add("cut")
    #expect(!proxy.isToCut)
    try process.add("after")
    #expect(try process.titles() == ["before", "cut", "after"])
    #expect(
      try list.rows("SELECT revision, record FROM change ORDER BY 1") == ["1|1", "2|2", "3|3"]
    )
    #expect(try list.rows("SELECT revision, number FROM counter") == ["3|3"])
  }

  @Test func `a commit that did not reach the server has stored nothing, and says so`() throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server)
    let process = list.process(by: proxy.address)
    try process.add("before")
    proxy.cut(.beforeCommit)
    let failure = try #require(throws: Failure.self) { try process.add("cut") }
    #expect(!proxy.isToCut)
    #expect(failure.kind == .store)
    #expect(failure.isRetryable)
    #expect(
      failure.message
        == "\(list.address(by: proxy.address)): can't be reached: "
        + "the connection to the server was lost before anything was stored; try again"
    )
    #expect(try process.titles() == ["before"])
    try process.add("cut")
    #expect(try process.titles() == ["before", "cut"])
    #expect(try list.rows("SELECT revision, record FROM change ORDER BY 1") == ["1|1", "2|2"])
  }

  @Test(arguments: PostgresProxy.Cut.allCases)
  func `a unit is there once or not at all`(_ cut: PostgresProxy.Cut) throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server)
    let engine = list.engine(by: proxy.address)
    let types = RecordTypes(of: [RecordTable(Note.self)])
    func add(_ title: String) throws {
      try engine.write { store in
        let author = Author(
          root: Root(session: 1, number: 7),
          origin: "test",
          time: Instant(milliseconds: 0)
        )
        var transaction = try RecordTransaction(store, types, by: author, ordinal: 1)
        _ = try transaction.write([RecordWrite<Note>.add(Note(title: title))])
      }
    }
    try engine.beginUnit()
    for number in 1...50 { try add("note \(number)") }
    proxy.cut(cut)
    if cut == .afterCommit {
      try engine.commitUnit()
    } else {
      #expect(throws: StoreError.self) { try engine.commitUnit() }
    }
    #expect(!proxy.isToCut)
    #expect(try list.rows("SELECT count(*) FROM change") == [cut == .afterCommit ? "50" : "0"])
    #expect(try list.rows("SELECT count(*) FROM record_note") == [cut == .afterCommit ? "50" : "0"])
    #expect(try list.rows("SELECT count(*) FROM step") == [cut == .afterCommit ? "1" : "0"])
  }

  @Test func `who lost a connection between two uses notices nothing`() throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server)
    let process = list.process(by: proxy.address)
    try process.add("one")
    proxy.takeDown()
    let failure = try #require(throws: Failure.self) { try process.titles() }
    #expect(failure.kind == .store)
    #expect(failure.isRetryable)
    proxy.bringBack()
    #expect(try process.titles() == ["one"])
    for title in ["two", "three"] {
      proxy.takeDown()
      proxy.bringBack()
      try process.add(title)
    }
    proxy.takeDown()
    proxy.bringBack()
    #expect(try process.titles() == ["one", "two", "three"])
  }

  @Test(arguments: ["40001", "40P01"])
  func `a transaction that the server undid for others is tried three times`(_ code: String) throws
  {
    let list = try List()
    let process = list.process()
    try process.add("one")
    for sql in [
      "CREATE SEQUENCE tries",
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF nextval('tries') < 3 THEN RAISE 'for others' USING ERRCODE = '\(code)'; END IF;
        RETURN NEW;
      END $$
      """,
      "CREATE TRIGGER refuse BEFORE INSERT ON record_note FOR EACH ROW EXECUTE FUNCTION refuse()",
    ] { _ = try list.rows(sql) }
    try process.add("two")
    #expect(try process.titles() == ["one", "two"])
    #expect(try list.rows("SELECT revision, record FROM change ORDER BY 1") == ["1|1", "2|2"])
    _ = try list.rows("SELECT setval('tries', 1, false)")
    _ = try list.rows("ALTER SEQUENCE tries INCREMENT BY -1 MINVALUE -9 RESTART WITH -1")
    let failure = try #require(throws: Failure.self) { try process.add("three") }
    #expect(failure.isRetryable)
    #expect(try list.rows("SELECT last_value FROM tries") == ["-3"])
    #expect(try process.titles() == ["one", "two"])
  }

  @Test func `a transaction whose connection is lost before its commit runs again`() throws {
    let list = try List()
    let engine = list.engine()
    var runs = 0
    try engine.write { store in
      runs += 1
      #expect(try store.end().revision == 0)
      guard runs == 1 else { return }
      _ = try list.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'counter'::regclass"
      )
      _ = try store.count(.all, of: RecordTable(Note.self))
    }
    #expect(runs == 2)
  }

  @Test func `a transaction that a server ended is not committed`() throws {
    let list = try List()
    let engine = list.engine()
    try engine.write { _ in }
    let ended = try #require(throws: StoreError.self) {
      try engine.write { store in
        #expect(try store.end().revision == 0)
        _ = try list.rows(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'counter'::regclass"
        )
        try store.append(
          LoggedChange(
            revision: 1,
            number: 1,
            kind: "note",
            before: nil,
            after: "{}",
            transaction: TransactionID(Root(session: 1, number: 1), 1),
            origin: "test",
            time: Instant(milliseconds: 0)
          )
        )
      }
    }
    #expect(ended.isRetryable)
    #expect(try list.rows("SELECT count(*) FROM change") == ["0"])
    #expect(try engine.read(in: .committed) { try $0.end() } == LogEnd())
  }
}
