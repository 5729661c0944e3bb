import EventApp
import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands
import StandardParts

/// A program that stores notes: its name, its records, its commands and its parts.
@main
struct Notes: Domain {
  let program = Program("notes", version: "0.1.0", summary: "Keeps notes.")
  let records: [any Record.Type] = [Note.self]
  let parts = Parts.standard()

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add("note", Self.commands)
  }

  static let commands: [any Command.Type] = [
    RequestAddNote.self, RequestNotes.self, RequestNote.self, RequestEditNote.self,
    RequestRemoveNote.self,
  ]
}

/// A note, as it is kept.
struct Note: Record {
  var title = ""
  static let fields = Fields<Self>("note").field("title", \.title)
}

extension Note {
  init(saying title: String) throws {
    guard !title.isEmpty else { throw Failure(.validation, "A note says something.") }
    self.title = title
  }
}

// MARK: Commands

typealias ResponseNotes = ResponseView<NotesView>

struct RequestAddNote: RecordAdd, Codable {
  typealias Reply = ResponseNotes
  var title = ""
  static let command = CommandSpec<Self>("add", "Takes a note.").text(\.title, "What it says")

  func record(_ turn: borrowing Turn) throws -> Note { try Note(saying: title) }
}

struct RequestNotes: RecordList, Codable {
  typealias View = NotesView
  var limit: Count?
  var extent = ListExtent<Note>.all
  static let command = CommandSpec<Self>("list", "Shows the notes.")
    .option(\.limit, "How many at most")
    .unlisted(\.extent)

  func query(_ turn: borrowing Turn) -> Query<Note> { Query().first(limit?.number ?? .max) }
}

struct RequestNote: RecordShow, Codable {
  typealias Reply = ResponseNotes
  var id = Target<Note>()
  static let command = CommandSpec<Self>("show", "Shows notes.").records(\.id)
}

struct RequestEditNote: RecordEdit, Codable {
  typealias Reply = ResponseNotes
  var id = Target<Note>()
  var title = ""
  static let command = CommandSpec<Self>("edit", "Changes what a note says.")
    .record(\.id)
    .text(\.title, "What it says")

  func change(_ note: inout Note, seen: Note, _ turn: borrowing Turn) throws {
    note.title = try Note(saying: title).title
  }
}

struct RequestRemoveNote: RecordRemove, Codable {
  typealias Reply = ResponseView<Message>
  var id = Target<Note>()
  static let command = CommandSpec<Self>("remove", "Throws notes away.").records(\.id)
}

/// Notes, as a person gets to see them; a program gets their fields.
struct NotesView: RecordResult {
  let records: [RecordView<Note>]
  let isList: Bool

  func show(on page: inout Page) {
    for note in records {
      page.write("#\(note.number) ", .secondary)
      page.write(user: note.value.title)
      page.endLine()
    }
  }
}
