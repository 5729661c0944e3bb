import EventCommands
import EventValues
import JSONText

/// `--inspect` or `--inspect=PORT`.
enum InspectorPort: Sendable, Equatable {
  /// Not requested.
  case none
  /// A free port.
  case any
  /// A port that the user chose.
  case number(UInt16)
}

extension InspectorPort: CommandProperty {
  static var arity: ValueArity { .flagOrValue }
  static var shape: ValueShape { ValueShape("PORT") }

  mutating func take(word: String) throws(ValueError) {
    self = word.isEmpty ? .any : .number(try UInt16(word: word))
  }

  mutating func take(json: JSON) throws(ValueError) { self = .number(try UInt16(json: json)) }
}

/// The options of a process whose session is inspected.
struct InspectorOptions: Sendable {
  var inspect = InspectorPort.none
  /// Whether the page can send commands.
  var inspectWrite = false

  static let spec = CommandSpec<Self>("", "")
    .option(\.inspect, "Shows the session's events in a browser", flag: "--inspect")
    .option(\.inspectWrite, "Commands can be sent from there, too", flag: "--inspect-write")
}

/// The words after `inspect`.
struct InspectArguments: Sendable {
  /// The recording, and another one to compare it with.
  var files: [String] = []
  /// The port; a free one unless given.
  var port: UInt16?

  static let spec = CommandSpec<Self>(
    "inspect",
    "Shows a recording in a browser; or two, side by side."
  )
  .word(\.files, "What --record has written", placeholder: "FILE")
  .option(\.port, "On this port", flag: "--port", placeholder: "PORT")

  /// The verb that becomes the program which serves the page.
  static var verb: ProcessVerb {
    ProcessVerb(spec, InspectArguments()) { arguments, _ in
      guard (1...2).contains(arguments.files.count) else {
        throw CommandError("'inspect' needs a recording, or two")
      }
      try InspectorProgram().become(arguments.files, arguments.port)
    }
  }
}
