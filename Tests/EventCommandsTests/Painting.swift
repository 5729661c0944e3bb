import EventMVVM
import EventValues
import JSONText

@testable import EventCommands

// A domain of commands that has one of everything a spec can list.

/// What is painted, and how: a text, options of every arity, an alias.
struct RequestPaint: Command {
  typealias Reply = ResponsePaint

  var title = ""
  var layers: [Int] = []
  var size = Size.small
  var due: Change<When> = .keep
  var dueBefore: When?
  var colour: Colour?
  var glossy = false
  var matt = false
  var alias: String?

  static let command = CommandSpec<Self>("paint", "Paints something.")
    .text(\.title, "What to paint")
    .option(\.layers, "A layer (repeatable)", flag: "--layer")
    .option(\.size, "How big")
    .option(\.due, "When it must be dry")
    .option(\.dueBefore, "Before when")
    .option(\.colour, "Which colour, of those that are there")
    .option(\.glossy, "With gloss")
    .option(\.matt, "Without gloss")
    .option(\.title, "The title, as an option")
    .alias(\.alias, "What to call it")
    .exclusive(\.glossy, \.matt)
}

/// Words by place: one that is needed, then any number.
struct RequestMove: Command {
  typealias Reply = ResponsePaint

  var from = ""
  var to: [String] = []
  var limit: Count?
  var seen: Int?

  static let command = CommandSpec<Self>("move", "Moves something.")
    .word(\.from, "From where")
    .word(\.to, "To where")
    .option(\.limit, "How far at most")
    .option(\.seen, "The version that was seen")
    .needingOption(excluding: \.seen)
}

/// A request whose list forgot two properties.
struct RequestForgetful: Command {
  typealias Reply = ResponsePaint

  var listed = ""
  var left = 0
  var right = false

  static let command = CommandSpec<Self>("forgetful", "Forgets.").option(\.listed, "Listed")
}

/// A request without any property.
struct RequestRest: Command {
  typealias Reply = ResponsePaint
  static let writes = false
  static let command = CommandSpec<Self>("rest", "Does nothing.")
}

struct ResponsePaint: ViewModelEvent, Response {
  let result: Result<Message, Failure>

  init(_ result: Result<Message, Failure>) {
    self.result = result
  }
}

enum Size: String, Choice {
  case small, large
}

/// A colour; only the domain knows which there are.
struct Colour: CommandValue {
  let name: String

  init(word: String) throws(ValueError) {
    name = word
  }

  static var shape: ValueShape {
    ValueShape("COLOUR", candidates: { RequestColours(prefix: $0) })
  }
}

struct RequestColours: CandidateRequest {
  typealias Reply = ResponseCandidates
  static let writes = false
  let prefix: String
}

/// Answers all of them.
struct Painter: Plugin {
  let name = "painter"
  static let commands: [any Command.Type] = [RequestPaint.self, RequestMove.self, RequestRest.self]

  func join(_ stream: EventStream) {
    stream.answer(RequestPaint.self) { request, _ in Message("painted \(request.title)") }
    stream.answer(RequestMove.self) { request, _ in Message("moved \(request.from)") }
    stream.answer(RequestRest.self) { _, _ in Message("rested") }
    stream.answer(RequestColours.self) { request, _ in
      ["red", "rose", "blue"].filter { $0.hasPrefix(request.prefix) }.map { Candidate($0) }
    }
  }
}

/// The words of a line, with their offsets in it.
func words(of line: String) -> [Word] {
  Tokenizer.lines(SourceText(name: "test", bytes: Array(line.utf8))).lines.first?.words ?? []
}

/// Reads a line into a request.
func read<R: Command>(
  _ type: R.Type,
  _ line: String,
  other: OptionTaker? = nil
) throws(CommandError) -> R {
  var request = R()
  try R.command.read(words(of: line), from: 1, into: &request, other: other)
  return request
}

/// Why a line can't be read, and the part of it that the error points at.
func mistake<R: Command>(_ type: R.Type, _ line: String) -> Mistake? {
  do {
    _ = try read(type, line)
    return nil
  } catch {
    let rest = error.offset.map { String(decoding: Array(line.utf8)[$0...], as: UTF8.self) }
    return Mistake(error.message, at: rest, field: error.field)
  }
}

/// An error as a test states it.
struct Mistake: Equatable {
  let message: String
  let rest: String?
  let field: String?

  init(_ message: String, at rest: String?, field: String? = nil) {
    self.message = message
    self.rest = rest
    self.field = field
  }
}
