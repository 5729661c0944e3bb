import EventMVVM
import EventMVVMTesting
import Testing
import TodoModels

@testable import EventRecords
@testable import SQLiteEngine

/// A store that is recorded while other processes write, and the same replayed.
@Suite(.hangLimit) struct ReplayedStoreTests {
  private let store: FreshStore
  private let other: TodoDatabase
  private let recorded: TodoDatabase
  private let notes: Notes
  private let again: FreshStore

  /// The external changes, as they were noted.
  private final class Notes: Sendable {
    let changes = Locked<[FoundChange]>([])
  }

  init() throws {
    store = try FreshStore()
    other = store.other()
    let notes = Notes()
    self.notes = notes
    recorded = store.database
    recorded.noteExternalChanges(excluding: 7) { change in
      notes.changes.withLock { $0.append(change) }
    }
    again = try FreshStore()
  }

  /// The store replayed, as it expects all that was noted before its first use.
  private var replayed: TodoDatabase {
    let expect = again.database.replay()
    for change in notes.changes.withLock({ $0 }) { expect(change) }
    return again.database
  }

  private func writeElsewhere(_ writes: RecordWrite<Todo>..., number: UInt64) throws {
    try other.write(writes, by: .elsewhere(number))
  }

  @Test func `another process's undo and redo are replayed as what they were`() throws {
    try writeElsewhere(.add(.test(1)), number: 1)
    var told: [[Step]] = [try recorded.steps(.newest(9))]
    for (step, number) in [(1, 2), (2, 3)] as [(Int, UInt64)] {
      _ = try other.revert(step, by: .elsewhere(number))
      told.append(try recorded.steps(.newest(9)))
    }
    #expect(told[2].map(\.kind) == [.redo(of: 2), .undo(of: 1), .change])
    #expect(told[2].map(\.isUndone) == [false, true, false])
    let replayed = replayed
    for steps in told { #expect(try replayed.steps(.newest(9)) == steps) }
  }

  @Test func `a use finds what it found, and nothing that a later one was the first to find`()
    throws
  {
    func titles(_ store: TodoDatabase) throws -> [String] { try store.read().map(\.value.title) }
    func rename(_ store: TodoDatabase) -> RecordError? {
      recordError { try store.write([.put(2, .test(2, "Silk"), seen: nil)], by: .test) }
    }
    #expect(try titles(recorded) == [])
    try writeElsewhere(.add(.test(1)), number: 1)
    #expect(try titles(recorded) == ["Milk"])
    #expect(rename(recorded) == .notFound(2))
    try writeElsewhere(.add(.test(2)), number: 2)
    #expect(rename(recorded) == nil)
    #expect(notes.changes.withLock { $0.map(\.use) } == [2, 4])

    let replayed = replayed
    #expect(try titles(replayed) == [])
    #expect(try titles(replayed) == ["Milk"])
    #expect(rename(replayed) == .notFound(2))
    #expect(rename(replayed) == nil)
    let rows = "SELECT _number, title, _revision FROM record_todo"
    #expect(try again.rows(rows) == store.rows(rows))
    #expect(try again.rows(rows) == ["1 | 'Milk' | 1", "2 | 'Silk' | 3"])
  }

  @Test func `a change that can't follow is refused`() throws {
    try writeElsewhere(.add(.test(1)), number: 1)
    #expect(try recorded.read().count == 1)
    let noted = try #require(notes.changes.withLock { $0.first })
    var change = noted.change
    let stored = change.changes[0]
    change.changes = [
      StoredChange(
        stored.number,
        stored.kind,
        from: stored.before,
        to: stored.after,
        revision: .max
      )
    ]
    let replayed = again.database
    replayed.replay()(FoundChange(change: change, use: 1))
    #expect(
      storeMessage(again) { try replayed.write([.add(.test(2))], by: .test) }
        == "a change has revision 9223372036854775807 after 0"
    )
  }

  @Test func `a write that fails leaves nothing open, and other processes can write`() throws {
    #expect(recordError { try recorded.write([.remove(9)], by: .test) } == .notFound(9))
    try writeElsewhere(.add(.test(1)), number: 1)
    #expect(try recorded.read().count == 1)
  }
}

extension Author {
  /// Another session's.
  fileprivate static func elsewhere(_ number: UInt64) -> Author {
    .of(number, session: 9, "elsewhere")
  }
}
