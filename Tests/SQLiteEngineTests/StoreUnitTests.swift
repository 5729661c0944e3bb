import EventMVVM
import EventMVVMTesting
import EventRecords
import GRDB
import SQLiteEngine
import Testing
import TodoModels

/// Units: several writes that are committed together, or rolled back.
@Suite(.hangLimit) struct StoreUnitTests {
  private func titles(_ database: TodoDatabase, _ view: StorageView = .committed) throws -> [String]
  {
    try database.read(in: view).map(\.value.title)
  }

  @Test func `a unit is seen by itself alone until it is committed`() throws {
    let store = try FreshStore()
    let other = store.other()
    try store.add(1, "Milk")
    try store.database.beginUnit()
    try store.add(2, "Bread")
    try store.change(1) { $0.title = "Oat milk" }
    #expect(try titles(store.database, .insideUnit) == ["Bread", "Oat milk"])
    #expect(try titles(store.database) == ["Milk"])
    #expect(try titles(other) == ["Milk"])
    try store.database.commitUnit()
    #expect(try titles(store.database) == ["Bread", "Oat milk"])
    #expect(try titles(other) == ["Bread", "Oat milk"])
    #expect(
      try store.rows("SELECT revision, record FROM change ORDER BY revision") == [
        "1 | 1", "2 | 2", "3 | 1",
      ]
    )
  }

  @Test func `a unit that is rolled back leaves nothing, and the next write works`() throws {
    let store = try FreshStore()
    try store.add(1, "Milk")
    try store.database.beginUnit()
    try store.add(2, "Bread") { $0.tags = ["home"] }
    store.database.rollBackUnit()
    #expect(try titles(store.database, .insideUnit) == ["Milk"])
    #expect(try store.rows("SELECT count(*) FROM change") == ["1"])
    #expect(try store.rows("SELECT count(*) FROM \"record_todo.tags\"") == ["0"])
    #expect(try store.add(3, "Rye").revision == 2)
  }

  @Test func `a write that fails inside a unit rolls back nothing else of it`() throws {
    let store = try FreshStore()
    try store.database.beginUnit()
    try store.add(1, "Milk")
    let error = recordError {
      try store.write(.put(1, .test(1, "Lost"), seen: nil), .put(9, .test(9, "Lost"), seen: nil))
    }
    #expect(error == .notFound(9))
    try store.add(2, "Bread")
    try store.database.commitUnit()
    #expect(try titles(store.other()) == ["Bread", "Milk"])
  }

  @Test func `labels of a unit are nobody else's before it is committed`() throws {
    let store = try FreshStore()
    let other = store.other()
    try store.add(1) { $0.tags = ["home"] }
    try store.database.beginUnit()
    try store.add(2) { $0.tags = ["work"] }
    #expect(try store.database.labels("tags", in: .insideUnit) == ["home", "work"])
    #expect(try store.database.labels("tags", in: .committed) == ["home"])
    #expect(try other.labels("tags", in: .committed) == ["home"])
    store.database.rollBackUnit()
  }

  @Test func `a part that fails half done, and needed no savepoint, has nothing of its unit stay`()
    throws
  {
    let store = try FreshStore()
    try store.database.beginUnit()
    try store.add(1)
    let change = LoggedChange(
      revision: 9,
      number: 1,
      kind: "todo",
      before: nil,
      after: "{}",
      transaction: TransactionID(Root(session: 1, number: 1), 1),
      origin: "cli",
      time: Instant(milliseconds: 0)
    )
    #expect(throws: StoreError.self) {
      try store.database.records.write(savepoint: false) { writer in
        try writer.append(change)
        throw StoreError(path: "", "fails half done")
      }
    }
    #expect(throws: StoreError.self) { try store.add(2) }
    #expect(throws: StoreError.self) { try store.database.commitUnit() }
    #expect(try store.rows("SELECT count(*) FROM record_todo") == ["0"])
    #expect(try store.rows("SELECT count(*) FROM change") == ["0"])
  }

  @Test func `a unit is one immediate transaction, its writes savepoints`() throws {
    let store = try FreshStore()
    let log = Locked<[String]>([])
    try store.withWriter { database in
      database.trace { event in
        let words = "\(event)".split(separator: " ").prefix(2).joined(separator: " ")
        let isControl = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]
          .contains { words.hasPrefix($0) }
        if isControl { log.withLock { $0.append(words) } }
      }
    }
    log.withLock { $0 = [] }
    try store.database.beginUnit()
    try store.write(.add(.test(1)), .add(.test(2)))
    try store.database.commitUnit()
    #expect(
      log.withLock { $0 } == [
        "BEGIN IMMEDIATE", "SAVEPOINT part", "RELEASE part", "COMMIT",
      ]
    )
  }
}
