import EventMVVMTesting
import EventPatterns
import EventMVVM
import GRDB
import Testing
import TodoModels
import TodoStore

@Suite(.hangLimit) struct StoreUnitTests {
  private func titles(_ database: TodoDatabase, _ view: StorageView = .committed) throws -> [String]
  {
    try database.read(TodoQuery(), in: view).map(\.title)
  }

  @Test func `a unit is seen by itself alone until it is kept`() throws {
    let store = try FreshStore()
    let other = store.other()
    try store.add(1, "Milk")
    try store.database.beginUnit()
    try store.add(2, "Bread")
    try store.change(1) { $0.title = "Oat milk" }
    #expect(try titles(store.database, .insideUnit) == ["Bread", "Oat milk"])
    #expect(try titles(store.database) == ["Milk"])
    #expect(try titles(other) == ["Milk"])
    try store.database.keepUnit()
    #expect(try titles(store.database) == ["Bread", "Oat milk"])
    #expect(try titles(other) == ["Bread", "Oat milk"])
    #expect(
      try store.rows("SELECT revision, todo FROM change ORDER BY revision") == [
        "1 | 1", "2 | 2", "3 | 1",
      ]
    )
  }

  @Test func `a unit that is taken back leaves nothing, and the next write works`() throws {
    let store = try FreshStore()
    try store.add(1, "Milk")
    try store.database.beginUnit()
    try store.add(2, "Bread") { $0.tags = ["home"] }
    store.database.takeBackUnit()
    #expect(try titles(store.database, .insideUnit) == ["Milk"])
    #expect(try store.rows("SELECT count(*) FROM change") == ["1"])
    #expect(try store.rows("SELECT count(*) FROM tag") == ["0"])
    #expect(try store.add(3, "Rye").revision == 2)
  }

  @Test func `a write that fails inside a unit takes nothing else of it back`() throws {
    let store = try FreshStore()
    try store.database.beginUnit()
    try store.add(1, "Milk")
    let error = modelError {
      try store.write(
        .change(.number(1), .test { $0.title = "Lost" }, seen: nil),
        .change(.number(9), .test { $0.title = "Lost" }, seen: nil)
      )
    }
    #expect(error == .notFound(.number(9)))
    try store.add(2, "Bread")
    try store.database.keepUnit()
    #expect(try titles(store.other()) == ["Bread", "Milk"])
  }

  @Test func `labels of a unit are nobody else's before it is kept`() throws {
    let store = try FreshStore()
    let other = store.other()
    try store.add(1) { $0.tags = ["home"] }
    try store.database.beginUnit()
    try store.add(2) { $0.tags = ["work"] }
    #expect(try store.database.labels(.tags, prefix: "", in: .insideUnit) == ["home", "work"])
    #expect(try store.database.labels(.tags, prefix: "", in: .committed) == ["home"])
    #expect(try other.labels(.tags, prefix: "", in: .committed) == ["home"])
    store.database.takeBackUnit()
  }

  @Test func `a unit is one immediate transaction, its writes savepoints`() throws {
    let store = try FreshStore()
    let log = Locked<[String]>([])
    try store.connection()
      .inDatabase { database in
        database.trace { event in
          let words = "\(event)".split(separator: " ").prefix(2).joined(separator: " ")
          let isControl = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"]
            .contains { words.hasPrefix($0) }
          if isControl { log.withLock { $0.append(words) } }
        }
      }
    try store.database.beginUnit()
    try store.write(.add(.test(1)), .add(.test(2)))
    try store.database.keepUnit()
    #expect(
      log.withLock { $0 } == [
        "BEGIN IMMEDIATE", "SAVEPOINT grdb", "RELEASE SAVEPOINT", "COMMIT",
      ]
    )
  }
}
