import EventMVVM
import EventMVVMTesting
import EventRecords
import JSONText
import Testing

/// The journal of records: field by field, and only what nobody has changed since.
@Suite(.hangLimit) struct RecordJournalTests {
  private let store: FreshRecords
  private let process: AppContext

  init() throws {
    store = try FreshRecords()
    process = store.process()
  }

  @Test func `a change is taken back and done again`() throws {
    _ = try process.write(.add(Box(title: "A")))
    _ = try process.write(.put(1, Box(title: "B", count: 4), seen: nil))
    let part = try process.undo()
    #expect(part.conflicts == [])
    #expect(
      part.changes == [
        SubjectChange(
          id: 1,
          title: "A",
          kind: .changed,
          fields: [
            FieldChange("title", from: "B", to: "A"), FieldChange("count", from: 4, to: 1),
          ]
        )
      ]
    )
    #expect(try process.boxes() == [Box(title: "A")])
    let entry = try #require(try process.ask(RequestJournal(.toRedo(by: nil))).first)
    _ = try process.revert(entry.step.number, force: false)
    #expect(try process.boxes() == [Box(title: "B", count: 4)])
  }

  @Test func `an addition is taken back, and a removal`() throws {
    _ = try process.write(.add(Box(title: "A")))
    _ = try process.write(.remove(1))
    #expect(try process.undo().changes.map(\.kind) == [.added])
    #expect(try process.ask(RequestRecords<Box>()).map(\.number) == [1])
    #expect(try process.undo().changes.map(\.kind) == [.removed])
    #expect(try process.boxes() == [])
    #expect(try process.ask(RequestJournal(.toUndo(by: nil))) == [])
  }

  @Test func `what others changed since is left alone, and what both changed is a conflict`() throws
  {
    _ = try process.write(.add(Box(title: "A", count: 1, note: "old")))
    let mine = try process.write(.put(1, Box(title: "B", count: 2, note: "old"), seen: nil))
    #expect(mine.count == 1)
    let step = try #require(try process.ask(RequestJournal(.newest(1))).first).step.number
    _ = try store.process().write(.put(1, Box(title: "C", count: 2, note: "new"), seen: nil))
    let part = try process.revert(step, force: false)
    #expect(
      part.conflicts == [
        JournalConflict(
          id: 1,
          title: "B",
          kind: .changed,
          field: FieldChange("title", from: "A", to: "B"),
          current: "C"
        )
      ]
    )
    #expect(try process.boxes() == [Box(title: "C", count: 1, note: "new")])
  }

  @Test func `a conflict that is refused changes nothing, and names the step`() throws {
    _ = try process.write(.add(Box(title: "A", note: "old")))
    _ = try process.write(.put(1, Box(title: "B", note: "new"), seen: nil))
    _ = try process.write(.put(1, Box(title: "C", note: "new"), seen: nil))
    let refused = try process.ask(RequestReversal(.number(2), conflicts: .refuse))
    #expect(refused?.step.number == 2)
    #expect(refused?.changes == [])
    #expect(refused?.conflicts.map(\.field.name) == ["title"])
    #expect(try process.boxes() == [Box(title: "C", note: "new")])
    #expect(try process.ask(RequestJournal(.newest(9))).allSatisfy { !$0.step.isUndone })
  }

  @Test func `force restores what others have changed`() throws {
    _ = try process.write(.add(Box(title: "A")))
    _ = try process.write(.put(1, Box(title: "B"), seen: nil))
    let step = try #require(try process.ask(RequestJournal(.newest(1))).first).step.number
    _ = try process.write(.put(1, Box(title: "C"), seen: nil))
    let part = try process.revert(step, force: true)
    #expect(part.conflicts.count == 1)
    #expect(try process.boxes() == [Box(title: "A")])
  }

  @Test func `an addition that was changed since is a conflict in the fields that were`() throws {
    _ = try process.write(.add(Box(title: "A")))
    let step = try #require(try process.ask(RequestJournal(.newest(1))).first).step.number
    _ = try process.write(.put(1, Box(title: "A", count: 9), seen: nil))
    let part = try process.revert(step, force: false)
    #expect(part.conflicts.map(\.field.name) == ["count"])
    #expect(try process.boxes() == [Box(title: "A", count: 9)])
    #expect(try process.revert(step, force: true).changes.map(\.kind) == [.removed])
  }

  @Test func `a change of what somebody has taken away is a conflict, and can be restored`() throws
  {
    _ = try process.write(.add(Box(title: "A")))
    _ = try process.write(.put(1, Box(title: "B"), seen: nil))
    let step = try #require(try process.ask(RequestJournal(.newest(1))).first).step.number
    _ = try process.write(.remove(1))
    let part = try process.revert(step, force: false)
    #expect(part.changes == [])
    #expect(part.conflicts.map(\.current) == [.null])
    let again = try #require(
      try process.ask(RequestJournal(.newest(9))).first { $0.step.number == step }
    )
    #expect(again.step.isUndone)
    #expect(try process.revert(step, force: true).changes.map(\.kind) == [.added])
    #expect(try process.boxes() == [Box(title: "A")])
  }

  @Test func `force brings nothing back that went with the undo of its addition`() throws {
    _ = try process.write(.add(Box(title: "A")))
    let addition = try #require(try process.ask(RequestJournal(.newest(1))).first).step.number
    _ = try process.write(.put(1, Box(title: "B"), seen: nil))
    let step = try #require(try process.ask(RequestJournal(.newest(1))).first).step.number
    _ = try process.revert(addition, force: true)
    #expect(try process.revert(step, force: true).changes == [])
    #expect(try process.boxes() == [])
    let entries = try process.ask(RequestJournal(.newest(9)))
    #expect(entries.first { $0.step.number == step }?.step.isUndone == true)
  }

  @Test func `the changes of one record, newest first, also of one that is gone`() throws {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "Other")))
    _ = try process.write(.put(1, Box(title: "A", note: "n"), seen: nil))
    _ = try process.write(.remove(1))
    let entries = try process.ask(RequestSubjectJournal(of: "#1", limit: 9))
    #expect(entries.flatMap(\.changes).map(\.kind) == [.removed, .changed, .added])
    #expect(
      entries[1].changes[0].fields == [FieldChange("note", from: .null, to: "n")]
    )
    #expect(throws: Failure(.notFound, "There is no #7, and never was.", field: "id", id: 7)) {
      try process.ask(RequestSubjectJournal(of: "7", limit: 9))
    }
    #expect(
      throws: Failure(.usage, "'x' is no number, such as 3 or #3", field: "id")
    ) {
      try process.ask(RequestSubjectJournal(of: "x", limit: 9))
    }
  }

  @Test func `a step that is not there can't be taken back`() throws {
    _ = try process.write(.add(Box(title: "A")))
    #expect(try process.ask(RequestReversal(.number(77), conflicts: .overwrite)) == nil)
  }
}
