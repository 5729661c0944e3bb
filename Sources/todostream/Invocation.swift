import Batch
import EventCommands

/// The options of the process; they may stand anywhere before `--`.
struct Invocation: Sendable {
  /// The file that keeps the todos.
  var store: String?
  var json = false
  var color = ColorChoice.auto
  var quiet = false
  var yes = false
  var version = false
  var help = false

  static let spec = CommandSpec<Self>("todostream", "A todo manager on an event stream.")
    .option(\.store, "The file that keeps the todos")
    .option(\.json, "Results as JSON, one value a line; errors as JSON")
    .option(\.color, "Whether to colour")
    .option(\.quiet, "No confirmations")
    .option(\.yes, "Answers what a command would ask a person")
    .option(\.version, "Prints the version")
    .option(\.help, "Explains how it is used")
}

/// When to colour.
enum ColorChoice: String, CommandChoice {
  case auto, always, never
}

/// What the words of the process ask for.
enum Task {
  case version
  case help
  case command([Word])
  case run(RunArguments)
  case standardInput
}

extension Invocation {
  /// Reads the words of the process.
  ///
  /// Options of the process are taken wherever they stand, unless the command has one of that name.
  static func read(_ words: [Word]) throws(CommandError) -> (Invocation, Task) {
    var invocation = Invocation()
    var index = 0
    while index < words.count, words[index].isOption {
      guard try spec.readOption(words, at: &index, into: &invocation) else {
        throw CommandError(
          "no option '\(words[index].text)' before a command; 'todostream help' lists them",
          offset: index
        )
      }
    }
    if invocation.version { return (invocation, .version) }
    if invocation.help { return (invocation, .help) }
    guard index < words.count else { return (invocation, .standardInput) }
    let rest = try invocation.takingOptions(from: Array(words[index...]))
    return (invocation, rest)
  }

  private mutating func takingOptions(from words: [Word]) throws(CommandError) -> Task {
    guard words[0].text == RunArguments.spec.name else { return .command(words) }
    var arguments = RunArguments()
    var copy = self
    try RunArguments.spec.read(words, from: 1, into: &arguments) {
      words,
      index throws(CommandError) in
      try Invocation.spec.readOption(words, at: &index, into: &copy)
    }
    self = copy
    if version { return .version }
    if help {
      help = false
      return .command([Word(text: "help", offset: 0, isBare: true), words[0]])
    }
    return .run(arguments)
  }
}
