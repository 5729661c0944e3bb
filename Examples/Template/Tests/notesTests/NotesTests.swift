import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventRecordsTesting
import RecordCommands
import Testing

@testable import notes

/// The commands of notes, on the real engine in memory.
@Suite(.timeLimit(.minutes(5))) struct NotesTests {
  private let test = TestContext.withRecords(Note.self)

  init() { test.stream.answer(Note.commands.types) }

  private func titles() throws -> [String] {
    try test.value(of: RequestList<Note>()).records.map(\.value.title)
  }

  @Test func `a note is added, changed and deleted`() throws {
    let added = try test.value(of: RequestAdd(Note(title: "Milk", tags: ["home"])))
    #expect(added.records.map(\.number) == [1])
    #expect(try titles() == ["Milk"])
    let edit = try RequestEdit<Note>(Target(.number(1))) { try $0.set(\.title, to: "Oat milk") }
    try test.value(of: edit)
    #expect(try titles() == ["Oat milk"])
    try test.value(of: RequestDelete<Note>(Target(.number(1))))
    #expect(try titles() == [])
  }

  @Test func `a note has a title`() throws {
    #expect(
      throws: Failure(.validation, "A note needs a title; please add one.", field: "title")
    ) {
      try test.value(of: RequestAdd<Note>())
    }
    #expect(try titles() == [])
  }
}
