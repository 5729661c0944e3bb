import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import SQLiteEngine
import Testing
import TodoModels

/// What is asked for often is found without looking through all todos.
@Suite(.hangLimit) struct QueryPlanTests {
  private func plan(_ store: FreshStore, _ query: Query<Todo>) throws -> String {
    let plan = try store.database.records.read(in: .committed) {
      try $0.plan(query.stored, of: TodoDatabase.table)
    }
    return try #require(plan)
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
    try store.database.commitUnit()
    return store
  }

  @Test func `those that are not deleted are found in their order`() throws {
    let store = try storeOfMany()
    let index = "SEARCH record_todo USING INDEX record_todo:deleted,createdAt (deleted=?)"
    let query = Query<Todo>.newest.where(.equals(\.deleted, false))
    #expect(try plan(store, query) == index)
    #expect(try plan(store, query.where(.isNil(\.completedAt))) == index)
    #expect(try plan(store, query.where(.not(.isNil(\.completedAt))).first(10)) == index)
  }

  @Test func `what is in no order is found by what makes it few`() throws {
    let store = try storeOfMany()
    func plan(_ condition: Condition<Todo>) throws -> String {
      try self.plan(store, Query().where(condition))
    }
    #expect(
      try plan(.has(\.tags, "rare"))
        == "SEARCH record_todo USING INTEGER PRIMARY KEY (rowid=?); LIST SUBQUERY 1; "
        + "SEARCH record_todo.tags USING PRIMARY KEY (name=?)"
    )
    #expect(
      try plan(.equals(\.project, "rare"))
        == "SEARCH record_todo USING INDEX record_todo:project (project=?)"
    )
    // By its rank, in the order of the ranks of this version.
    let byRank = /SEARCH record_todo USING INDEX record_todo:priority~[0-9a-f]+ \(<expr>=\?\)/
    #expect(try plan(.equals(\.priority, .high)).wholeMatch(of: byRank) != nil)
    #expect(try store.numbers(where: .has(\.tags, "common"), .has(\.tags, "rare")) == [7])
    #expect(try store.numbers(where: .equals(\.project, "common")).count == 1499)
  }

  @Test func `a few are found by what makes them few, many in their order`() throws {
    let store = try storeOfMany()
    func plan(_ condition: Condition<Todo>) throws -> String {
      try self.plan(store, Query.newest.where(.equals(\.deleted, false)).where(condition))
    }
    let few = "SEARCH record_todo USING INTEGER PRIMARY KEY (rowid=?)"
    #expect(try plan(.has(\.tags, "rare")).hasPrefix(few))
    #expect(try plan(.equals(\.project, "rare")).hasPrefix(few))
    #expect(try plan(.equals(\.priority, .high)).hasPrefix(few))
    #expect(try plan(.less(\.due, than: CivilTime("2027-01-01"))).hasPrefix(few))
    #expect(try plan(.atLeast(\.due, CivilTime("2026-01-01"))).hasPrefix(few))
    let many = "SEARCH record_todo USING INDEX record_todo:deleted,createdAt (deleted=?)"
    #expect(try plan(.has(\.tags, "common")).hasPrefix(many))
    #expect(try plan(.equals(\.project, "common")).hasPrefix(many))
  }
}
