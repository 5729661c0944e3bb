import EventCommands
import EventMVVM
import JSONText

/// A second domain, as small as one can be: notes, kept in memory.
struct RequestNote: Command {
  typealias Reply = ResponseNotes
  var text = ""
  static let command = CommandSpec<Self>("note", "Takes a note.").text(\.text, "What it says")
}

struct RequestNotes: Command {
  typealias Reply = ResponseNotes
  static let writes = false
  static let command = CommandSpec<Self>("notes", "Lists the notes.")
}

struct RequestForget: Command {
  typealias Reply = ResponseNotes
  var number = 0
  var all = false
  static let command = CommandSpec<Self>("forget", "Forgets a note.")
    .word(\.number, "Which")
    .option(\.all, "And all behind it")
  var question: String? { all ? "Forget so many?" : nil }
}

struct ResponseNotes: ViewModelEvent, Response {
  let result: Result<Notes, Failure>
  init(_ result: Result<Notes, Failure>) { self.result = result }
}

struct Notes: CommandResult {
  var texts: [String]

  func show(on page: inout Page) {
    for text in texts {
      page.write(user: text, .bold)
      page.endLine()
    }
  }

  func write(to json: inout JSONWriter) {
    json.array { for text in texts { $0.value(text) } }
  }
}

/// Keeps the notes, and stands behind units with a copy of them.
final class NoteServer: Plugin, UnitParticipant {
  let name = "notes"
  private let texts = Locked<[String]>([])
  private let before = Locked<[String]>([])

  func join(_ stream: EventStream) {
    stream.participate(self)
    stream.answer(RequestNote.self) { [texts] request, _ in
      guard !request.text.isEmpty else {
        throw Failure(.validation, "A note says something.", field: "text")
      }
      texts.withLock { $0.append(request.text) }
      return Notes(texts: [request.text])
    }
    stream.answer(RequestNotes.self) { [texts] _, _ in Notes(texts: texts.withLock { $0 }) }
    stream.answer(RequestForget.self) { [texts] request, _ in
      let number = request.number
      return try texts.withLock { texts in
        guard (1...texts.count + 1).dropLast().contains(number) else {
          throw Failure(.notFound, "There is no note \(number).", field: "number", id: number)
        }
        let range = number - 1..<(request.all ? texts.count : number)
        defer { texts.removeSubrange(range) }
        return Notes(texts: Array(texts[range]))
      }
    }
  }

  func begin(_ unit: Root) { before.withLock { [texts] in $0 = texts.withLock { $0 } } }
  func commit(_ unit: Root, then: @escaping @Sendable (Result<Void, Failure>) -> Void) {
    then(.success(()))
  }
  func rollBack(_ unit: Root) { texts.withLock { [before] in $0 = before.withLock { $0 } } }
}
