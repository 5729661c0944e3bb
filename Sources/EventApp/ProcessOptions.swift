import Batch
import Completion
import EventCommands
import EventMVVM
import EventPatterns
import Foundation
import JSONRPC
import JSONText

/// The options of the process; they may stand anywhere before `--`.
struct ProcessOptions: Sendable {
  /// The file that keeps everything.
  var store: String?
  var json = false
  var color = ColorChoice.auto
  var quiet = false
  var yes = false
  /// Names of plugins to switch on.
  var with: [String] = []
  /// Names of plugins to switch off.
  var without: [String] = []
  /// Programs that observe, in addition to those of the folder.
  var observer: [String] = []
  /// The new file that the session is recorded into.
  var record: String?
  /// Whether the startup file of the REPL is not run.
  var noStartup = false
  var version = false
  var help = false
  /// The options of `serve`, which may stand wherever those of the process may; nil without
  /// `serve`.
  private var serving: ServeArguments?
  /// The program, as messages call it.
  private let program: String

  /// Nothing is asked for yet.
  init(_ program: Program) {
    self.program = program.name
  }

  /// The options of any program; see ``CommandSpec/named(_:_:)``.
  static let spec = CommandSpec<Self>("", "")
    .option(\.store, "The file that keeps everything", flag: "--store", placeholder: "FILE")
    .option(\.json, "Results as JSON, one value a line; errors as JSON", flag: "--json")
    .option(\.color, "Whether to colour", flag: "--color")
    .option(\.quiet, "No confirmations", flag: "--quiet")
    .option(\.yes, "Answers what a command would ask a person", flag: "--yes")
    .option(\.with, "Switches a plugin on", flag: "--with", placeholder: "PLUGIN")
    .option(\.without, "Switches a plugin off", flag: "--without", placeholder: "PLUGIN")
    .option(
      \.observer,
      "Starts a program that observes",
      flag: "--observer",
      placeholder: "PROGRAM"
    )
    .option(\.record, "Records the session into a new file", flag: "--record", placeholder: "FILE")
    .option(\.noStartup, "Does not run the startup file", flag: "--no-startup")
    .option(\.version, "Prints the version", flag: "--version")
    .option(\.help, "Explains how it is used", flag: "--help")
}

/// When to colour.
enum ColorChoice: String, CommandChoice {
  case auto, always, never
}

/// What the words of the process ask for.
enum LaunchMode {
  case version
  /// A conversation with a person at a terminal.
  case repl(opening: RequestOpen?)
  /// What a shell needs to complete words.
  case completions(CompletionArguments)
  /// A conversation with an editor or a program.
  case serve(ServeArguments)
  /// A replay of a recorded session.
  case replay(ReplayArguments)
  case job(BatchFrontend.Job)
}

extension LaunchMode {
  /// Whether it lasts as long as its user does.
  var isInteractive: Bool {
    switch self {
    case .repl, .serve: true
    case .version, .job, .completions, .replay: false
    }
  }

  /// Whether a program is served.
  var isServer: Bool { if case .serve = self { true } else { false } }
}

extension LaunchMode {
  /// What asks for it, if it is nothing that could be recorded.
  fileprivate var unrecorded: String? {
    switch self {
    case .version: "--version"
    case .completions: "completions"
    case .replay: "replay"
    case .repl, .serve, .job: nil
    }
  }
}

extension ProcessOptions {
  /// Whether it switches a plugin on or off.
  var isSwitching: Bool { !with.isEmpty || !without.isEmpty }

  /// Reads the words of the process.
  ///
  /// Options of the process are taken wherever they stand, unless the command has one of that name.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - catalogue: All commands.
  /// - Returns: The launch mode.
  /// - Throws: A usage error; the options before the word at fault have been taken.
  mutating func read(_ words: [Word], _ catalogue: Catalogue) throws(CommandError) -> LaunchMode {
    var index = 0
    if words.contains(where: \.namesServing) { serving = ServeArguments() }
    while index < words.count, words[index].isOption {
      guard try takeOption(words, &index) else {
        throw unknownOption(words[index], at: index)
      }
    }
    let explanation = LaunchMode.job(
      .command(RequestHelp(topic: words[index...].prefix(1).map(\.text)))
    )
    guard !help else { return explanation }
    guard !version else { return try showingVersion() }
    guard index < words.count else {
      return isAtTerminal ? .repl(opening: nil) : .job(.scripts([.standardInput], .allOrNothing))
    }
    let mode = try readMode(Array(words[index...]), catalogue)
    if version { return try showingVersion() }
    guard !help else { return explanation }
    if case .serve(let arguments) = mode { try arguments.check() }
    try checkRecording(mode)
    return mode
  }

  private func showingVersion() throws(CommandError) -> LaunchMode {
    try checkRecording(.version)
    return .version
  }

  /// What is no session leaves no recording, and who asked for one should know.
  private func checkRecording(_ mode: LaunchMode) throws(CommandError) {
    guard record != nil, let word = mode.unrecorded else { return }
    throw CommandError("--record is for a session, and '\(word)' is none")
  }

  /// Takes an option of the process, and its value if it has one; `-h` is `--help`.
  mutating func takeOption(
    _ words: [Word],
    _ index: inout Int
  ) throws(CommandError) -> Bool {
    if words[index].text.isIdentical(to: "-h") {
      help = true
      index += 1
      return true
    }
    if try serving?.readOption(words, &index) == true { return true }
    return try ProcessOptions.spec.readOption(words, at: &index, into: &self)
  }

  /// Whether a person is there, at a terminal.
  private var isAtTerminal: Bool { isatty(0) == 1 && isatty(1) == 1 }

  private mutating func readMode(
    _ words: [Word],
    _ catalogue: Catalogue
  ) throws(CommandError) -> LaunchMode {
    if let completions = try readCompletions(words) { return .completions(completions) }
    var read = self
    defer { self = read }
    let takeOption: OptionTaker = { words, index throws(CommandError) in
      try read.takeOption(words, &index)
    }
    if let verb = words.first, verb.namesServing {
      var rest = ServeArguments()
      try ServeArguments.spec.read(words, from: 1, into: &rest, other: takeOption)
      return .serve(rest.merged(with: read.serving))
    }
    if let verb = words.first, verb.text.isIdentical(to: RequestOpen.command.name) {
      let link = try RequestOpen._read(words, other: takeOption)
      guard isAtTerminal || read.help else {
        throw CommandError("'open' needs a terminal", offset: verb.offset)
      }
      return .repl(opening: link)
    }
    if let verb = words.first, verb.text.isIdentical(to: ReplayArguments.spec.name),
      catalogue.hasVerb(ReplayArguments.spec.name)
    {
      var arguments = ReplayArguments()
      try ReplayArguments.spec.read(words, from: 1, into: &arguments, other: takeOption)
      return .replay(arguments)
    }
    let job = try Self.readJob(words, catalogue, takeOption)
    guard read.serving?.isEmpty != false else {
      throw CommandError("--stdio and --clientProcessId are for 'serve'", offset: 0)
    }
    return .job(job)
  }

  private static func readJob(
    _ words: [Word],
    _ catalogue: Catalogue,
    _ takeOption: @escaping OptionTaker
  ) throws(CommandError) -> BatchFrontend.Job {
    guard let verb = words.first, verb.text.isIdentical(to: RunArguments.spec.name) else {
      return .command(try catalogue.read(words, other: takeOption))
    }
    var arguments = RunArguments()
    try RunArguments.spec.read(words, from: 1, into: &arguments, other: takeOption)
    return .scripts(arguments.sources, arguments.mode)
  }

  private func unknownOption(_ word: Word, at index: Int) -> CommandError {
    if word.isEndOfOptions {
      return CommandError("a command is missing before '--'", offset: index)
    }
    let hint = closest(to: word.text, among: Self.spec.flags).map { "; did you mean '\($0)'?" }
    return CommandError(
      "no option '\(word.text.quotable)' before a command\(hint ?? "; '\(program) help' lists them")",
      offset: index
    )
  }
}

extension Application {
  /// Adds what the process understands in addition to commands.
  func addVerbs(to catalogue: inout Catalogue, _ plugins: [OptionalPlugin]) {
    catalogue.add(RunArguments.spec)
    // By its name: a cast would search all conformances of the program.
    if plugins.contains(where: { $0.name.isIdentical(to: "recorder") }) {
      catalogue.add(ReplayArguments.spec)
    }
    catalogue.add(CompletionArguments.spec)
    catalogue.add(ServeArguments.spec)
    catalogue.add(processOptions: ProcessOptions.spec.named(program.name, program.summary))
  }
}

extension Word {
  /// Whether it asks for a server.
  fileprivate var namesServing: Bool {
    isBare && text.isIdentical(to: ServeArguments.spec.name)
  }
}
