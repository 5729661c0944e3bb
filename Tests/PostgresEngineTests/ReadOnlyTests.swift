import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// Where nothing can be written, lists are read, and who writes is told why and what to do.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct ReadOnlyTests {
  @Test func `a standby is read and watched, and says that it is one`() throws {
    let list = try List()
    let process = list.process()
    try process.add("one")
    let standby = try list.server.startStandby()
    defer { try? list.server.stopStandby() }
    let engine = list.engine(by: standby, makesSchema: false)
    #expect(try engine.read(in: .committed) { try $0.titles() } == ["one"])
    let heard = Arrivals<Int>()
    let failures = Arrivals<String>()
    let watch = engine.watch { store, known in
      let news = try store.changes(.after(known), limit: 9).map(\.revision)
      for revision in news { heard.add(revision) }
      return (news.last ?? known, true)
    } report: {
      failures.add($0?.cause ?? "back")
    }
    try process.add("two")
    #expect(try heard.wait(for: 1, "the change is told") == [2])
    #expect(failures.all == [])
    withExtendedLifetime(watch) {}

    for (engine, name) in [
      (engine, list.address(by: standby)),
      (List(on: list.server).engine(by: standby), nil),
    ] {
      let refused = try #require(throws: StoreError.self) { try engine.write { _ in } }
      #expect(
        refused.cause
          == "can only be read: this server is a standby, a copy that follows another one. Name the "
          + "primary server in the address, or all of them with '?target_session_attrs=read-write'"
      )
      #expect(!refused.isRetryable)
      if let name { #expect(refused.message == "\(name): \(refused.cause)") }
    }
    // The address names both servers, and leads to the one that can be written to.
    let folders = "host=\(list.server.folder)/standby,\(list.server.folder)"
    let both = "postgresql://test@/postgres?\(folders)&target_session_attrs=read-write"
    try list.engine(by: both, makesSchema: false).write { _ in }
  }

  @Test(arguments: [false, true])
  func `who only reads by default reads, and is told of the setting`(
    _ isPooled: Bool
  ) throws {
    let list = try List(inDatabaseOf: "")
    try list.process().add("one")
    // The pooler knows one user: the setting is the role's, or that of the database.
    let role = isPooled ? "test" : try list.makeRole("default_transaction_read_only = on")
    _ = try list.rows(
      isPooled
        ? "ALTER DATABASE \(list.name) SET default_transaction_read_only = on"
        : "GRANT ALL ON SCHEMA \(list.name) TO \(role); "
          + "GRANT ALL ON ALL TABLES IN SCHEMA \(list.name) TO \(role)"
    )
    let way = isPooled ? list.server.pooled : nil
    let engine = list.engine(by: way, as: role, makesSchema: false)
    #expect(try engine.read(in: .committed) { try $0.titles() } == ["one"])
    let other = List(on: list.server, in: list.name)
    for engine in [engine, other.engine(by: way, as: role)] {
      let refused = try #require(throws: StoreError.self) { try engine.write { _ in } }
      #expect(
        refused.cause
          == "can only be read: 'default_transaction_read_only' is on for this user, this database or "
          + "this server. Name a user and a server that may write, or ask the administrator to turn it "
          + "off"
      )
      #expect(!refused.isRetryable)
    }
  }

  @Test(arguments: ["LATIN1", "SQL_ASCII"])
  func `a database in which most characters can't be kept is refused`(_ encoding: String) throws {
    let list = try List(inDatabaseOf: "ENCODING '\(encoding)' LOCALE 'C'")
    for way in [list.server.address, list.server.pooled] {
      for makesSchema in [true, false] {
        let engine = list.engine(by: way, makesSchema: makesSchema)
        let refused = try #require(throws: StoreError.self) {
          try engine.read(in: .committed) { try $0.end() }
        }
        #expect(
          refused.message
            == "\(list.address(by: way)): a list can't be kept in this database, since its encoding is "
            + "\(encoding) and not UTF8. Make another one, and name it in the address: "
            + "CREATE DATABASE name ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0"
        )
      }
    }
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = '\(list.name)'"
    #expect(try list.rows(schemas) == ["0"])
    // The advice is right.
    let other = try List(inDatabaseOf: "ENCODING 'UTF8' LOCALE 'C'")
    try other.process().add("Привет")
    #expect(try other.process().titles() == ["Привет"])
  }
}
