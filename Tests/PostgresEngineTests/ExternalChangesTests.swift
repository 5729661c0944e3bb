import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// What others did is read by a number of statements that does not grow with it.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct ExternalChangesTests {
  @Test func `many changes by many are read by as many statements as few`() throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server)
    let (process, engine) = (list.process(), list.engine(by: proxy.address))
    for number in 1...40 { try process.add("note \(number)") }
    for number in 1...40 {
      _ = try process.ask(
        RequestWriteRecords<Note>([.put(number, Note(title: "edited \(number)"), seen: nil)])
      )
    }
    func read(after revision: Int, limit: Int) throws -> (changes: Int, statements: Int) {
      _ = proxy.takeStatements()
      let found = try engine.readCommitted { store in
        try RecordHistory(store, RecordTypes(of: [RecordTable(Note.self)]))
          .external(after: revision, excluding: 0, limit: limit)
      }
      let changes = try #require(found).changes
      return (changes.count, proxy.takeStatements().count { $0.hasPrefix("SELECT") })
    }
    // The first use looks at the schema.
    _ = try read(after: 80, limit: 10)
    let few = try read(after: 78, limit: 10)
    let many = try read(after: 40, limit: 50)
    let behind = try read(after: 40, limit: 30)
    // The version, the changes, their records, their steps.
    #expect(few == (2, 4))
    #expect(many == (40, 4))
    // What has happened since to the same records is one more.
    #expect(behind == (30, 5))
  }
}
