import EventMVVM
import EventMVVMTesting
import EventPatterns
import SQLiteStore
import Testing
import TodoModels

@testable import TodoStore

/// A store that is recorded while others write, and the same told again.
@Suite(.hangLimit) struct ReplayedStoreTests {
  private let store: FreshStore
  private let others: TodoDatabase
  private let recorded: TodoDatabase
  private let notes: Notes
  private let again: FreshStore

  /// What others have changed, as it was noted.
  private final class Notes: Sendable {
    let changes = Locked<[OutsideChange<StoreChange>]>([])
  }

  init() throws {
    store = try FreshStore()
    others = store.other()
    let notes = Notes()
    self.notes = notes
    recorded = store.database
    recorded.noteOthers(besides: 7, readsAside: false) { change in
      notes.changes.withLock { $0.append(change) }
    }
    _ = try recorded.image()
    again = try FreshStore()
  }

  /// The store told again, as it expects all that was noted before its first use.
  private var replayed: TodoDatabase {
    let expect = again.database.retell(readsAside: false)
    for change in notes.changes.withLock({ $0 }) { expect(change) }
    return again.database
  }

  private func writeElsewhere(_ writes: TodoWrite..., number: UInt64) throws {
    _ = try others.write(writes, by: .elsewhere(number))
  }

  private func newest(_ store: some TodoStorage) throws -> [TodoStep] {
    try store.steps(RequestReadSteps.Query.steps(.newest(9)), in: .committed)
  }

  @Test func `another process's undo and redo are told again as what they were`() throws {
    try writeElsewhere(.add(.test(1)), number: 1)
    var told: [[TodoStep]] = [try newest(recorded)]
    for (step, number) in [(1, 2), (2, 3)] as [(Int, UInt64)] {
      _ = try others.revert(
        RequestRevertStep(step: step, force: false, after: nil),
        by: .elsewhere(number)
      )
      told.append(try newest(recorded))
    }
    #expect(told[2].map(\.step.kind) == [.redo(of: 2), .undo(of: 1), .change])
    #expect(told[2].map(\.step.isTakenBack) == [false, true, false])
    let replayed = replayed
    for steps in told { #expect(try newest(replayed) == steps) }
  }

  @Test func `a use finds what it found, and nothing that a later one was the first to find`()
    throws
  {
    func titles(_ store: some TodoStorage) throws -> [String] {
      try store.read(TodoQuery(), in: .committed).map(\.title)
    }
    func rename(_ store: some TodoStorage) -> ModelError? {
      modelError {
        _ = try store.write(
          [.change(.number(2), .test { $0.title = "Silk" }, seen: nil)],
          by: .test
        )
      }
    }
    #expect(try titles(recorded) == [])
    try writeElsewhere(.add(.test(1)), number: 1)
    #expect(try titles(recorded) == ["Milk"])
    #expect(rename(recorded) == .notFound(.number(2)))
    try writeElsewhere(.add(.test(2)), number: 2)
    #expect(rename(recorded) == nil)
    #expect(notes.changes.withLock { $0.map(\.use) } == [2, 4])

    let replayed = replayed
    #expect(try titles(replayed) == [])
    #expect(try titles(replayed) == ["Milk"])
    #expect(rename(replayed) == .notFound(.number(2)))
    #expect(rename(replayed) == nil)
    #expect(
      try again.rows("SELECT number, title, revision FROM todo")
        == store.rows("SELECT number, title, revision FROM todo")
    )
  }

  @Test func `a change that can't follow is refused`() throws {
    try writeElsewhere(.add(.test(1)), number: 1)
    #expect(try recorded.read(TodoQuery(), in: .committed).count == 1)
    let noted = try #require(notes.changes.withLock { $0.first })
    var todo = noted.change.todos[0].todo
    todo.revision = .max
    let change = StoreChange(
      root: noted.change.root,
      origin: "elsewhere",
      time: noted.change.time,
      todos: [WrittenTodo(todo, .added)]
    )
    let replayed = again.database
    replayed.retell(readsAside: false)(OutsideChange(change: change, use: 1))
    #expect(
      modelError { _ = try replayed.write([.add(.test(2))], by: .test) }
        == .store(StoreError(path: "", "a change has revision 9223372036854775807 behind 0"))
    )
  }

  @Test func `a write that fails leaves nothing open, and others can write`() throws {
    #expect(
      modelError {
        _ = try recorded.revert(RequestRevertStep(step: 9, force: false, after: nil), by: .test)
      }
        == .store(StoreError(path: "", "there is no step 9 in the change log"))
    )
    try writeElsewhere(.add(.test(1)), number: 1)
    #expect(try recorded.read(TodoQuery(), in: .committed).count == 1)
  }
}

extension Writer {
  /// Another session's.
  fileprivate static func elsewhere(_ number: UInt64) -> Writer {
    Writer(
      root: Root(session: 9, number: number),
      origin: "elsewhere",
      time: Instant(milliseconds: 6000)
    )
  }
}
