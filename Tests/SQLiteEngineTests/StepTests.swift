import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing
import TodoModels

@testable import EventRecords

/// Steps of the change log, and their undo.
@Suite(.hangLimit) struct StepTests {
  // MARK: Steps

  @Test func `the changes of one root are one step, whatever the number of its transactions`()
    throws
  {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .add(.test(2)))
    try store.write(1, .put(1, .test(1, "Rye"), seen: nil))
    #expect(
      try store.rows("SELECT number, root, kind, undoes, isTakenBack FROM step") == [
        "1 | 1 | 0 | NULL | 0", "2 | 2 | 0 | NULL | 0",
      ]
    )
    #expect(try store.rows("SELECT root, part FROM change") == ["1 | 1", "2 | 2", "1 | 3"])
    #expect(try store.process().ask(RequestJournal(.newest(9))).map(\.count) == [1, 1])
  }

  @Test func `a step says what became of its todos, all its changes together`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)), .add(.test(2)), .add(.test(3)), .add(.test(4)))
    try store.write(2, .put(1, .test(1, "Rye"), seen: nil))
    try store.write(
      2,
      .put(1, .test(1, "Oats"), seen: nil),
      .put(2, .test(2) { $0.priority = .high }, seen: nil)
    )
    try store.write(2, .put(2, .test(2), seen: nil))
    let entries = try store.process().ask(RequestJournal(.newest(9)))
    #expect(entries.map(\.step.number) == [5, 1])
    #expect(entries[1].count == 4)
    #expect(entries[1].changes.map(\.id) == [1, 2, 3])
    #expect(entries[1].changes.map(\.kind) == [.added, .added, .added])
    let oats = FieldChange("title", from: "Milk", to: "Oats")
    // What came back to what it was is changed, in no field.
    #expect(
      entries[0].changes == [
        SubjectChange(id: 1, title: "Oats", kind: .changed, fields: [oats]),
        SubjectChange(id: 2, title: "Milk", kind: .changed, fields: []),
      ]
    )
  }

  @Test func `an undo gives a stamp its earlier time back`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .put(1, .test(1) { $0.completedAt = Instant(milliseconds: 1) }, seen: nil))
    try store.write(3, .put(1, .test(1), seen: nil))
    try store.write(3, .put(1, .test(1) { $0.completedAt = Instant(milliseconds: 2) }, seen: nil))
    let step = try #require(try store.database.steps(.newest(1)).first)
    _ = try store.database.revert(step.number, by: .test)
    #expect(try store.todo(1).value.completedAt == Instant(milliseconds: 1))
  }

  @Test func `every change of a todo can be read, with its step`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)), .add(.test(2)))
    try store.write(2, .put(1, .test(1, "Rye"), seen: nil))
    let process = store.process()
    let changes = try process.ask(RequestSubjectJournal(of: "1", limit: 9))
    #expect(changes.map(\.step.number) == [3, 1])
    #expect(changes.flatMap { $0.changes.map(\.title) } == ["Rye", "Rye"])
    #expect(try process.ask(RequestSubjectJournal(of: "1", limit: 1)).count == 1)
  }

  @Test func `without a store there are no steps, and no todo`() throws {
    let store = try FreshStore()
    #expect(try store.database.steps(.newest(9)) == [])
    #expect(try store.database.steps(.toUndo(by: nil)) == [])
    let failure = Failure(.notFound, "There is no todo #1.", field: "id", id: 1)
    #expect(throws: failure) {
      try store.process().ask(RequestSubjectJournal(of: "1", limit: 9))
    }
    #expect(try store.files() == [])
  }

  @Test func `mine are the steps of the session, and if it has none those of its name`() throws {
    let store = try FreshStore()
    let mine = StepMaker(session: 7, origin: "tests")
    try store.write(1, session: 8, .add(.test(1)))
    #expect(try store.database.steps(.toUndo(by: mine)).map(\.number) == [1])
    try store.write(2, session: 7, .add(.test(2)))
    try store.write(3, session: 8, .add(.test(3)))
    #expect(try store.database.steps(.toUndo(by: mine)).map(\.number) == [2])
    #expect(try store.database.steps(.toUndo(by: StepMaker(session: 9, origin: "cli"))) == [])
  }

  @Test func `a damaged step is named`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.execute("UPDATE step SET kind = 5")
    #expect(
      storeMessage(store) { _ = try store.database.steps(.newest(9)) }
        == "step 1 is damaged: it can't be read"
    )
  }

  // MARK: Undo and redo

  @Test func `an undone addition is nowhere, and its number stays its own`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1) { $0.tags = ["home"] }))
    #expect(try store.undo().changes.map(\.kind) == [.removed])
    #expect(try store.numbers() == [])
    #expect(try store.numbers(where: .equals(\.deleted, true)) == [])
    #expect(try store.numbers(where: .has(\.tags, "home")) == [])
    #expect(try store.database.labels("tags") == [])
    #expect(recordError { _ = try store.todo(1) } == .notFound(1))
    let prefix = RecordReference.identity("0000")
    #expect(
      recordError { _ = try store.database.todo(prefix) } == .unknown(prefix, kind: "todo")
    )
    #expect(try store.add(2).number == 2)
    #expect(try store.database.steps(.toRedo(by: nil)) == [])
  }

  @Test func `a redone addition is what it was, under its number`() throws {
    let store = try FreshStore()
    let first = try store.add(1) {
      $0.subtitle = "two"
      $0.tags = ["a", "b"]
    }
    try store.undo()
    try store.redo()
    #expect(try store.todo(1) == Kept(1, first.value, revision: 3))
    #expect(try store.numbers(where: .has(\.tags, "b")) == [1])
  }

  @Test func `adding an undone todo again is an addition with a number of its own`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.undo()
    try store.write(2, .upsert(.test(1, "Bread")))
    #expect(try store.todo(2).value == .test(1, "Bread"))
    #expect(try store.numbers() == [2])
  }

  @Test func `all fields come back, tags in their order`() throws {
    let store = try FreshStore()
    let first = try store.add(1) { $0.tags = ["a", "b", "c"] }.value
    try store.database.change(1, by: .of(4)) {
      $0.title = "Rye"
      $0.subtitle = "one\ntwo"
      $0.priority = .high
      $0.complete(true, at: Instant(milliseconds: 4000))
      $0.deleted = true
      $0.due = .day(CivilDay(daysSinceEpoch: 0))
      $0.tags = ["b", "c", "d"]
      $0.project = "errands"
    }
    let last = try store.todo(1).value
    #expect(last != first)
    try store.undo()
    #expect(try store.todo(1).value == first)
    try store.redo()
    #expect(try store.todo(1).value == last)
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
    #expect(try store.database.steps(.toRedo(by: nil)) == [])
    try store.undo()
    try store.write(9, .add(.test(9)))
    #expect(try store.database.steps(.toRedo(by: nil)) == [])
    try store.undo()
    try store.undo()
    try store.undo()
    #expect(try store.database.steps(.toUndo(by: nil)) == [])
    for _ in 1...3 { try store.redo() }
    #expect(try store.numbers() == [4, 2, 1])
    #expect(try store.database.steps(.toRedo(by: nil)) == [])
  }

  @Test func `a field that is back already is no conflict`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1)))
    try store.write(2, .put(1, .test(1, "Rye"), seen: nil))
    try store.write(3, .put(1, .test(1), seen: nil))
    let reverted = try store.revert(2)
    #expect(reverted.conflicts == [])
    #expect(reverted.changes == [])
    #expect(try store.rows("SELECT number FROM step WHERE isTakenBack") == ["2"])
  }

  @Test func `a step that was changed in all its fields since is left, and is undone all the same`()
    throws
  {
    let store = try FreshStore()
    let mine = StepMaker(session: 7, origin: "tests")
    try store.write(1, .add(.test(1)))
    try store.write(2, .put(1, .test(1, "Rye"), seen: nil))
    try store.write(3, session: 8, .put(1, .test(1, "Oats"), seen: nil))
    let reverted = try store.revert(2)
    #expect(reverted.conflicts.map(\.field.name) == ["title"])
    #expect(reverted.changes == [])
    #expect(try store.todo(1).value.title == "Oats")
    // The next undo goes on behind it.
    #expect(try store.database.steps(.toUndo(by: mine)).map(\.number) == [1])
  }

  @Test func `labels merge`() throws {
    let store = try FreshStore()
    try store.write(1, .add(.test(1) { $0.tags = ["a", "b"] }))
    try store.write(2, .put(1, .test(1) { $0.tags = ["b", "c"] }, seen: nil))
    try store.write(3, .put(1, .test(1) { $0.tags = ["c", "d"] }, seen: nil))
    #expect(try store.revert(2).conflicts == [])
    #expect(try store.todo(1).value.tags == ["d", "a"])
  }

  @Test func `a long step is undone at once, and none of it is forgotten`() throws {
    let store = try FreshStore()
    let todos = (1...450 as ClosedRange<UInt64>).map { RecordWrite.add(Todo.test($0)) }
    try store.database.write(todos, by: .of(1))
    #expect(try store.revert(1).changes.count == 450)
    #expect(try store.numbers() == [])
    #expect(try store.rows("SELECT kind, undoes FROM step") == ["0 | NULL", "1 | 1"])
    try store.redo()
    #expect(try store.database.count() == 450)
  }
}

extension FreshStore {
  fileprivate func write(
    _ root: UInt64,
    session: UInt64 = 7,
    _ writes: RecordWrite<Todo>...
  ) throws {
    try database.write(writes, by: .of(root, session: session))
  }

  @discardableResult
  fileprivate func undo() throws -> (changes: [SubjectChange], conflicts: [JournalConflict]) {
    try revert(try #require(try database.steps(.toUndo(by: nil)).first).number)
  }

  @discardableResult
  fileprivate func redo() throws -> (changes: [SubjectChange], conflicts: [JournalConflict]) {
    try revert(try #require(try database.steps(.toRedo(by: nil)).first).number)
  }

  /// Undoes a step or redoes it, with a root of its own.
  fileprivate func revert(
    _ step: Int
  ) throws -> (changes: [SubjectChange], conflicts: [JournalConflict]) {
    let newest = try rows("SELECT max(revision) FROM change").first.flatMap(UInt64.init) ?? 0
    return try database.revert(step, by: .of(1000 + newest))
  }
}
