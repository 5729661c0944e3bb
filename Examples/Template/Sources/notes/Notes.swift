import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues
import StandardParts

/// A program that stores notes: its name, its commands, and their server.
@main
struct Notes: Domain {
  let program = Program("notes", version: "0.1.0", summary: "Keeps notes.")
  let records: [any Record.Type] = [Note.self]
  let parts = Parts.standard()

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(
      "note",
      [
        RequestAddNote.self, RequestNotes.self, RequestNote.self, RequestEditNote.self,
        RequestRemoveNote.self,
      ]
    )
  }

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [NoteServer()])
  }
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

struct RequestAddNote: Command, Codable {
  typealias Reply = ResponseNotes
  var title = ""
  static let command = CommandSpec<Self>("add", "Takes a note.").text(\.title, "What it says")
}

struct RequestNotes: Command, Codable {
  typealias Reply = ResponseNotes
  static let writes = false
  var limit: Count?
  static let command = CommandSpec<Self>("list", "Shows the notes.")
    .option(\.limit, "How many at most")
}

struct RequestNote: Command, Codable {
  typealias Reply = ResponseNotes
  static let writes = false
  var id = RecordReference(0)
  static let command = CommandSpec<Self>("show", "Shows a note.").word(\.id, "Which")
}

struct RequestEditNote: Command, Codable {
  typealias Reply = ResponseNotes
  var id = RecordReference(0)
  var title = ""
  static let command = CommandSpec<Self>("edit", "Changes what a note says.")
    .word(\.id, "Which")
    .text(\.title, "What it says")
}

struct RequestRemoveNote: Command, Codable {
  typealias Reply = ResponseView<Message>
  var id = RecordReferences()
  static let command = CommandSpec<Self>("remove", "Throws notes away.").word(\.id, "Which")
}

/// Notes, as a person and a program get to see them.
struct NotesView: EncodedResult {
  let notes: [RecordView<Note>]

  init(_ records: [Kept<Note>], _ turn: borrowing Turn) {
    notes = records.map { RecordView($0, turn) }
  }

  func show(on page: inout Page) {
    for note in notes {
      page.write("#\(note.number) ", .secondary)
      page.write(user: note.value.title)
      page.endLine()
    }
  }
}

// MARK: The server

final class NoteServer: Plugin {
  let name = "notes"

  func join(_ stream: EventStream) {
    stream.bridge(RequestNotes.self, owner: self) { _, request, _ in
      RequestRecords(Query<Note>().first(request.limit?.number ?? .max))
    } reply: { _, _, notes, turn in
      NotesView(notes, turn)
    }
    stream.bridge(RequestNote.self, owner: self) { _, request, _ in
      RequestRecords<Note>(request.id)
    } reply: { _, _, notes, turn in
      NotesView(notes, turn)
    }
    stream.add(RequestAddNote.self, owner: self) { _, request, _ in
      try Note(saying: request.title)
    } reply: { _, _, note, turn in
      NotesView([note], turn)
    }
    stream.edit(RequestEditNote.self, \.id, owner: self) { _, request, note, _ in
      note.title = try Note(saying: request.title).title
    } reply: { _, _, notes, turn in
      NotesView(notes, turn)
    }
    stream.remove(RequestRemoveNote.self, of: Note.self, \.id, owner: self) {
      (_, _, gone, _) in
      Message("Removed " + gone.map { "#\($0.number)" }.joined(separator: ", "))
    }
  }
}
