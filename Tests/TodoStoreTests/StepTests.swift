import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing
import TodoModels
import TodoStore

/// Steps of the change log, and taking them back.
@Suite(.hangLimit) struct StepTests {
  // MARK: Steps

  @Test func `the changes of one root are one step, whatever the number of its transactions`()
    throws
  {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .add(.test(2)))
    try store.write(1, .change(.number(1), .test { $0.title = "Rye" }, seen: nil))
    #expect(
      try store.rows("SELECT number, root, kind, undoes, isTakenBack FROM step") == [
        "1 | 1 | 0 | NULL | 0", "2 | 2 | 0 | NULL | 0",
      ]
    )
    #expect(try store.steps(.newest(9)).map(\.count) == [1, 1])
  }

  @Test func `a write that changes nothing is no step`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .change(.number(1), .test { $0.title = "Milk" }, seen: nil))
    #expect(try store.rows("SELECT number FROM step") == ["1"])
  }

  @Test func `a step says what became of its todos, all its changes together`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)), .add(.test(2)), .add(.test(3)), .add(.test(4)))
    try store.write(
      2,
      .change(.number(1), .test { $0.title = "Rye" }, seen: nil)
    )
    try store.write(
      2,
      .change(.number(1), .test { $0.title = "Oats" }, seen: nil),
      .change(.number(2), .test { $0.priority = .high }, seen: nil)
    )
    try store.write(2, .change(.number(2), .test { $0.priority = .normal }, seen: nil))
    let steps = try store.steps(.newest(9))
    #expect(steps.map(\.step.number) == [5, 1])
    #expect(steps[1].count == 4)
    #expect(steps[1].todos.map(\.todo.number) == [1, 2, 3])
    #expect(steps[1].todos.map(\.isAddition) == [true, true, true])
    let titles = try #require(steps[0].todos.first)
    #expect(titles.fields == [.title])
    #expect((titles.before.title, titles.after.title) == ("Milk", "Oats"))
  }

  @Test func `every change of a todo can be read, with its step`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)), .add(.test(2)))
    try store.write(2, .change(.number(1), .test { $0.title = "Rye" }, seen: nil))
    let changes = try store.database.steps(.todo(.number(1), 9), in: .committed)
    #expect(changes.map(\.step.number) == [3, 1])
    #expect(changes.map { $0.todos[0].after.title } == ["Rye", "Milk"])
    #expect(try store.database.steps(.todo(.number(1), 1), in: .committed).count == 1)
  }

  @Test func `without a store there are no steps, and no todo`() throws {
    let store = try FreshStore()
    #expect(try store.steps(.newest(9)) == [])
    #expect(try store.steps(.toUndo(by: nil)) == [])
    #expect(throws: ModelError.notFound(.number(1))) {
      try store.database.steps(.todo(.number(1), 9), in: .committed)
    }
  }

  @Test func `mine are the steps of the session, and if it has none those of its name`() throws {
    let store = try FreshStore()
    let mine = StepMaker(session: 7, origin: "tests")
    try store.write(1, session: 8, .add(.test(1)))
    #expect(try store.steps(.toUndo(by: mine)).map(\.step.number) == [1])
    try store.write(2, session: 7, .add(.test(2)))
    try store.write(3, session: 8, .add(.test(3)))
    #expect(try store.steps(.toUndo(by: mine)).map(\.step.number) == [2])
    #expect(try store.steps(.toUndo(by: StepMaker(session: 9, origin: "cli"))) == [])
  }

  @Test func `a damaged step is named`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.execute("UPDATE step SET kind = 5")
    #expect(
      storeMessage(store) { _ = try store.steps(.newest(9)) }
        == "step 1 is damaged: it can't be read"
    )
  }

  // MARK: Undo and redo

  @Test func `an undone addition is nowhere, and its number stays its own`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1) { $0.tags = ["home"] }))
    let undone = try store.undo()
    #expect(undone.todos.map(\.todo.withdrawn) == [true])
    #expect(try store.numbers { $0.predicate.deleted = nil } == [])
    #expect(try store.numbers { $0.predicate.deleted = true } == [])
    #expect(try store.numbers { $0.predicate.tags = ["home"] } == [])
    #expect(throws: ModelError.notFound(.number(1))) { try store.todo(1) }
    #expect(throws: ModelError.notFound(.prefix("0000"))) {
      try store.database.read(TodoQuery([.prefix("0000")]), in: .committed)
    }
    #expect(try store.add(2).number == 2)
    #expect(try store.steps(.toRedo(by: nil)) == [])
  }

  @Test func `a redone addition is what it was`() throws {
    let store = try FreshStore()
    let first = try store.add(1) {
      $0.subtitle = "two"
      $0.tags = ["a", "b"]
    }
    try store.undo()
    try store.redo()
    var again = try store.todo(1)
    again.revision = first.revision
    #expect(again == first)
  }

  @Test func `adding an undone todo again brings it to light with its new content`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.undo()
    try store.write(2, .add(.test(1, "Bread")))
    #expect(try store.todo(1).title == "Bread")
  }

  @Test func `all fields come back, tags in their order`() throws {
    let store = try FreshStore()
    let first = try store.add(1) { $0.tags = ["a", "b", "c"] }
    try store.write(
      2,
      .change(
        .number(1),
        .test {
          $0.title = "Rye"
          $0.subtitle = "one\ntwo"
          $0.priority = .high
          $0.completion = .complete(Instant(milliseconds: 4000))
          $0.deleted = true
          $0.due = .set(.day(CivilDay(daysSinceEpoch: 0)))
          $0.tags = .adjust(add: ["d"], remove: ["a"])
          $0.project = .set("errands")
        },
        seen: nil
      )
    )
    let last = try store.todo(1)
    try store.undo()
    let undone = try store.todo(1)
    #expect(TodoField.allCases.allSatisfy { $0.isSame(undone, first) })
    try store.redo()
    let redone = try store.todo(1)
    #expect(TodoField.allCases.allSatisfy { $0.isSame(redone, last) })
  }

  @Test func `undo and redo go back and forth, and a change after an undo ends the redoing`() throws
  {
    let store = try FreshStore()
    for root in 1...3 as ClosedRange<UInt64> { try store.write(root, .add(.test(root))) }
    try store.undo()
    try store.undo()
    #expect(try store.numbers() == [1])
    try store.redo()
    #expect(try store.numbers() == [2, 1])
    try store.redo()
    #expect(try store.numbers() == [3, 2, 1])
    #expect(try store.steps(.toRedo(by: nil)) == [])
    try store.undo()
    try store.write(9, .add(.test(9)))
    #expect(try store.steps(.toRedo(by: nil)) == [])
    try store.undo()
    try store.undo()
    try store.undo()
    #expect(try store.steps(.toUndo(by: nil)) == [])
    for _ in 1...3 { try store.redo() }
    #expect(try store.numbers() == [4, 2, 1])
    #expect(try store.steps(.toRedo(by: nil)) == [])
  }

  @Test func `what only others changed since is left alone`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .change(.number(1), .test { $0.title = "Rye" }, seen: nil))
    try store.write(3, .change(.number(1), .test { $0.priority = .high }, seen: nil))
    let reverted = try store.revert(2)
    #expect(reverted.conflicts == [])
    #expect(try store.todo(1).title == "Milk")
    #expect(try store.todo(1).priority == .high)
  }

  @Test func `a field that was changed since is a conflict, and stays unless forced`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(
      2,
      .change(
        .number(1),
        .test {
          $0.title = "Rye"
          $0.priority = .high
        },
        seen: nil
      )
    )
    try store.write(3, .change(.number(1), .test { $0.title = "Oats" }, seen: nil))
    let reverted = try store.revert(2)
    #expect(reverted.conflicts.map(\.field) == [.title])
    #expect(try store.todo(1).title == "Oats")
    #expect(try store.todo(1).priority == .normal)
    try store.revert(2, force: true)
    #expect(try store.todo(1).title == "Milk")
  }

  @Test func `an addition is not undone under what was changed since, unless forced`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .change(.number(1), .test { $0.subtitle = "two" }, seen: nil))
    #expect(try store.revert(1).conflicts.map(\.field) == [.subtitle])
    #expect(try store.numbers() == [1])
    try store.revert(1, force: true)
    #expect(try store.numbers() == [])
  }

  @Test func `a field that is back already is no conflict`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .change(.number(1), .test { $0.title = "Rye" }, seen: nil))
    try store.write(3, .change(.number(1), .test { $0.title = "Milk" }, seen: nil))
    let reverted = try store.revert(2)
    #expect(reverted.conflicts == [])
    #expect(reverted.todos == [])
    #expect(try store.rows("SELECT number FROM step WHERE isTakenBack") == ["2"])
  }

  @Test func `labels merge`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1) { $0.tags = ["a", "b"] }))
    try store.write(
      2,
      .change(.number(1), .test { $0.tags = .adjust(add: ["c"], remove: ["a"]) }, seen: nil)
    )
    try store.write(
      3,
      .change(.number(1), .test { $0.tags = .adjust(add: ["d"], remove: ["b"]) }, seen: nil)
    )
    #expect(try store.revert(2).conflicts == [])
    #expect(try store.todo(1).tags == ["d", "a"])
  }

  @Test func `a long step is taken back in parts, and none is forgotten`() throws {
    let store = try FreshStore()
    let todos = (1...450 as ClosedRange<UInt64>).map { TodoWrite.add(.test($0)) }
    _ = try store.database.write(todos, by: .of(1))
    var last: Int?
    var count = 0
    try store.database.beginUnit()
    repeat {
      let part = RequestRevertStep(step: 1, force: false, after: last)
      let reverted = try store.database.revert(part, by: .of(2))
      count += reverted.todos.count
      #expect(reverted.todos.count <= 200)
      last = reverted.rest
    } while last != nil
    try store.database.keepUnit()
    #expect(count == 450)
    #expect(try store.numbers { $0.predicate.deleted = nil } == [])
    #expect(try store.rows("SELECT kind, undoes FROM step") == ["0 | NULL", "1 | 1"])
  }

  @Test func `a step that is not there is no trap`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(storeMessage(store) { try store.revert(7) } == "there is no step 7 in the change log")
  }
}

extension Todo {
  fileprivate static func test(_ id: UInt64, _ edit: (inout Todo) -> Void) -> Todo {
    var todo = Todo.test(id)
    edit(&todo)
    return todo
  }
}

extension FreshStore {
  fileprivate func write(_ root: UInt64, session: UInt64 = 7, _ writes: TodoWrite...) throws {
    _ = try database.write(writes, by: .of(root, session: session))
  }

  fileprivate func steps(_ query: StepQuery) throws -> [TodoStep] {
    try database.steps(.steps(query), in: .committed)
  }

  @discardableResult
  fileprivate func undo() throws -> RevertedTodos {
    try revert(try #require(try steps(.toUndo(by: nil)).first).step.number)
  }

  @discardableResult
  fileprivate func redo() throws -> RevertedTodos {
    try revert(try #require(try steps(.toRedo(by: nil)).first).step.number)
  }

  /// Takes a step back, with a root of its own.
  @discardableResult
  fileprivate func revert(_ step: Int, force: Bool = false) throws -> RevertedTodos {
    let newest = try rows("SELECT max(revision) FROM change").first.flatMap(UInt64.init) ?? 0
    return try database.revert(
      RequestRevertStep(step: step, force: force, after: nil),
      by: .of(1000 + newest)
    )
  }
}
