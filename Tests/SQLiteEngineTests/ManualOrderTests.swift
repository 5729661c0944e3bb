import EventMVVM
import EventMVVMTesting
import EventRecords
import Testing
import TodoModels

/// The order that a person gives the list of todos by hand (S62).
@Suite(.hangLimit) struct ManualOrderTests {
  private func store(of count: Int) throws -> FreshStore {
    let store = try FreshStore()
    for id in 1...count { try store.add(UInt64(id)) }
    return store
  }

  @Test func `S62 deleted ones keep their place, and can be stood beside`() throws {
    let store = try store(of: 4)
    try store.change(3) { $0.deleted = true }
    try store.move(1, .before, 3)
    #expect(try store.order() == [4, 1, 3, 2])
    try store.change(3) { $0.deleted = false }
    #expect(try store.order() == [4, 1, 3, 2])
  }

  @Test func `S62 a move is undone by itself, and redone`() throws {
    let store = try store(of: 3)
    try store.database.write([.move(.number(1), .before, of: .number(3), in: \.place)], by: .of(4))
    try store.database.change(1, by: .of(5)) { $0.title = "Rye" }
    _ = try store.database.revert(4, by: .of(6))
    #expect(try store.order() == [3, 2, 1])
    #expect(try store.todo(1).value.title == "Rye")
    _ = try store.database.revert(6, by: .of(7))
    #expect(try store.order() == [1, 3, 2])
  }

  @Test func `a place that can't be read is damage that is named`() throws {
    let store = try store(of: 2)
    try store.execute("UPDATE record_todo SET place = 'here' WHERE _number = 1")
    let damage = RecordError.damaged(1, kind: "todo", "'place': 'here' is no place")
    #expect(recordError { _ = try store.todo(1) } == damage)
    #expect(recordError { try store.move(2, .before, 1) } == damage)
    #expect(
      try store.database.examine().findings.map(\.text)
        .contains("todo #1 can't be read: 'place': 'here' is no place")
    )
  }
}

extension FreshStore {
  /// The numbers of all todos in the order by hand.
  fileprivate func order() throws -> [Int] {
    try numbers(Query().sorted(manuallyBy: \.place, descending: true))
  }

  fileprivate func move(_ number: Int, _ side: ManualSide, _ other: Int) throws {
    try write(.move(.number(number), side, of: .number(other), in: \.place))
  }
}
