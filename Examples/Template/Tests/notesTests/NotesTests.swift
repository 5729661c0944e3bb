import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventRecordsTesting
import Testing

@testable import notes

/// The commands of notes, on the real engine in memory.
@Suite(.timeLimit(.minutes(5))) struct NotesTests {
  private let test = TestContext.withRecords(Note.self)

  init() { test.stream.answer(Notes.commands) }

  private func titles() throws -> [String] {
    try test.value(of: RequestNotes()).records.map(\.value.title)
  }

  @Test func `a note is added, changed and removed`() throws {
    let added = try test.value(of: RequestAddNote(title: "Milk")).records
    #expect(added.map(\.number) == [1])
    #expect(try titles() == ["Milk"])
    try test.value(of: RequestEditNote(id: Target(.number(1)), title: "Oat milk"))
    #expect(try titles() == ["Oat milk"])
    let removed = try test.value(of: RequestRemoveNote(id: Target(.number(1))))
    #expect(removed.text == "Removed #1")
    #expect(try titles() == [])
  }

  @Test func `a note says something`() throws {
    #expect(throws: Failure(.validation, "A note says something.")) {
      try test.value(of: RequestAddNote())
    }
    #expect(try titles() == [])
  }
}
