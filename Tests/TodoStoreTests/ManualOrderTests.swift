import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing
import TodoModels

@testable import TodoStore

/// The order that a person gives the list by hand (S62).
@Suite(.hangLimit) struct ManualOrderTests {
  private func store(of count: Int) throws -> FreshStore {
    let store = try FreshStore()
    for id in 1...count { try store.add(UInt64(id)) }
    return store
  }

  @Test func `S62 a todo is moved before or after another one, and others stay where they are`()
    throws
  {
    let store = try store(of: 5)
    #expect(try store.order() == [5, 4, 3, 2, 1])
    try store.move(1, .before, 4)
    #expect(try store.order() == [5, 1, 4, 3, 2])
    try store.move(5, .after, 2)
    #expect(try store.order() == [1, 4, 3, 2, 5])
    try store.move(3, .before, 1)
    #expect(try store.order() == [3, 1, 4, 2, 5])
    try store.add(6)
    #expect(try store.order() == [6, 3, 1, 4, 2, 5])
    #expect(try store.rows("SELECT count(*) FROM todo WHERE place IS NOT NULL") == ["3"])
  }

  @Test func `S62 a todo that stands there already does not change`() throws {
    let store = try store(of: 3)
    #expect(try store.move(3, .before, 2).map(\.isChanged) == [false])
    #expect(try store.move(1, .after, 2).map(\.isChanged) == [false])
    #expect(try store.rows("SELECT max(revision) FROM change") == ["3"])
  }

  @Test func `S62 what can't be moved is said`() throws {
    let store = try store(of: 2)
    #expect(modelError { try store.move(1, .after, 1) } == .besideItself(number: 1))
    #expect(
      modelError { try store.move(1, .after, 9) } == .beside(.notFound(.number(9)))
    )
    #expect(modelError { try store.move(9, .after, 1) } == .notFound(.number(9)))
    try store.change(2) { $0.deleted = true }
    #expect(modelError { try store.move(2, .after, 1) } == .deleted(number: 2))
  }

  @Test func `S62 deleted ones keep their place, and can be stood beside`() throws {
    let store = try store(of: 4)
    try store.change(3) { $0.deleted = true }
    try store.move(1, .before, 3)
    #expect(try store.order() == [4, 1, 3, 2])
    try store.change(3) { $0.deleted = false }
    #expect(try store.order() == [4, 1, 3, 2])
  }

  @Test func `S62 a place that somebody else has changed since is a conflict`() throws {
    let store = try store(of: 3)
    try store.move(1, .before, 3)
    let error = modelError {
      try store.write(.move(.number(1), .before, of: .number(2), seen: 1))
    }
    #expect(
      error
        == .conflict(number: 1, TodoConflict(field: "place", expected: "", actual: "3.V"))
    )
  }

  @Test func `S62 where two share a place, both make room for a third`() throws {
    let store = try store(of: 4)
    try store.execute("UPDATE todo SET place = '0000000000000000004V' WHERE number IN (1, 2)")
    #expect(try store.order() == [2, 1, 4, 3])
    #expect(try store.move(3, .before, 1).map(\.todo.number) == [3, 2])
    #expect(try store.order() == [2, 3, 1, 4])
    try store.execute("UPDATE todo SET place = '0000000000000000004V' WHERE number IN (1, 2)")
    try store.move(4, .after, 2)
    #expect(try store.order().filter { $0 != 3 } == [2, 4, 1])
  }

  @Test func `S62 a move is taken back by itself`() throws {
    let store = try store(of: 3)
    _ = try store.database.write(
      [.move(.number(1), .before, of: .number(3), seen: nil)],
      by: .of(2)
    )
    _ = try store.database.write(
      [.change(.number(1), .test { $0.title = "Rye" }, seen: nil)],
      by: .of(3)
    )
    let steps = try store.database.steps(.steps(.newest(9)), in: .committed)
    let step = try #require(steps.first { $0.todos.first?.fields == [.place] })
    _ = try store.database.revert(
      RequestRevertStep(step: step.step.number, force: false, after: nil),
      by: .of(4)
    )
    #expect(try store.order() == [3, 2, 1])
    #expect(try store.todo(1).title == "Rye")
  }

  @Test func `a place that can't be read is damage that is named`() throws {
    let store = try store(of: 2)
    try store.execute("UPDATE todo SET place = 'here' WHERE number = 1")
    #expect(
      storeMessage(store) { _ = try store.todo(1) }
        == "todo #1 is damaged: its place can't be read"
    )
    #expect(throws: (any Error).self) { try store.move(2, .before, 1) }
    #expect(
      try store.database.examine().findings.map(\.text)
        .contains("todo #1 is damaged: its place can't be read")
    )
  }

  @Test(arguments: 1...20)
  func `S62 whatever is moved where, the list is as a list of its own`(seed: UInt64) throws {
    var chance = Chance(seed)
    let store = try store(of: 9)
    var order = try store.order()
    for _ in 0..<60 {
      let (moved, other) = (
        Int.random(in: 1...9, using: &chance), Int.random(in: 1...9, using: &chance)
      )
      guard moved != other else { continue }
      let side: TodoSide = Bool.random(using: &chance) ? .before : .after
      try store.move(moved, side, other)
      order.removeAll { $0 == moved }
      let index = try #require(order.firstIndex(of: other))
      order.insert(moved, at: side == .before ? index : index + 1)
      #expect(try store.order() == order)
    }
  }
}

extension FreshStore {
  /// The numbers of all todos in the order by hand.
  fileprivate func order() throws -> [Int] { try numbers { $0.sort = .init(.manual) } }

  @discardableResult
  fileprivate func move(_ number: Int, _ side: TodoSide, _ other: Int) throws -> [WrittenTodo] {
    try write(.move(.number(number), side, of: .number(other), seen: nil))
  }
}
