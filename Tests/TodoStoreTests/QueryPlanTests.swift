import EventMVVM
import EventMVVMTesting
import GRDB
import Testing
import TodoModels

@testable import TodoStore

/// What is asked for often is found without looking through all todos.
@Suite(.hangLimit) struct QueryPlanTests {
  private func plan(
    _ store: FreshStore,
    _ edit: (inout TodoQuery.Predicate) -> Void
  ) throws -> String {
    var query = TodoQuery()
    query.predicate.deleted = false
    edit(&query.predicate)
    return try store.connection()
      .inDatabase { database in
        let statements = Locked<[String]>([])
        database.trace { event in statements.withLock { $0.append("\(event)") } }
        _ = try TodoReader(database).find(query).next()
        database.trace(options: [])
        let sql = try #require(statements.withLock { $0.last { $0.contains("ORDER BY") } })
        return
          try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql.replacing("?", with: "''"))
          .map { $0["detail"] as String }.joined(separator: "; ")
      }
  }

  private func storeOfMany() throws -> FreshStore {
    let store = try FreshStore()
    try store.database.beginUnit()
    for id in 1...1500 {
      try store.add(UInt64(id)) { todo in
        todo.tags = id == 7 ? ["common", "rare"] : ["common"]
        todo.project = id == 7 ? "rare" : "common"
        todo.priority = id == 7 ? .high : .normal
        todo.due = id == 7 ? CivilTime("2026-12-01") : nil
      }
    }
    try store.database.keepUnit()
    return store
  }

  @Test func `open and completed ones are found in their order`() throws {
    let store = try storeOfMany()
    #expect(try plan(store) { $0.complete = false }.contains("todoByOpening"))
    #expect(try plan(store) { $0.complete = true }.contains("todoByCompletion"))
    #expect(try !plan(store) { $0.complete = false }.contains("TEMP B-TREE"))
  }

  @Test func `a few are found by what makes them few, many in their order`() throws {
    let store = try storeOfMany()
    let few = "SEARCH todo USING INTEGER PRIMARY KEY (rowid=?)"
    #expect(try plan(store) { $0.tags = ["rare"] }.hasPrefix(few))
    #expect(try plan(store) { $0.project = "rare" }.hasPrefix(few))
    #expect(try plan(store) { $0.priority = .high }.hasPrefix(few))
    #expect(try plan(store) { $0.dueBefore = CivilTime("2027-01-01") }.hasPrefix(few))
    #expect(try plan(store) { $0.dueAfter = CivilTime("2026-01-01") }.hasPrefix(few))
    let many = "SEARCH todo USING INDEX todoByCreation (deleted=?)"
    #expect(try plan(store) { $0.tags = ["common"] }.hasPrefix(many))
    #expect(try store.numbers { $0.predicate.tags = ["common", "rare"] } == [7])
    #expect(try store.numbers { $0.predicate.project = "common" }.count == 1499)
  }
}
