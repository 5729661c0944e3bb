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
  /// Whether the startup file of the REPL is not run.
  var noStartup = false
  var version = false
  var help = false
  /// The options of `serve`, which may stand wherever those of the process may; nil without
  /// `serve`.
  private var serving: ServeArguments?
  /// The options of plugins.
  private(set) var given: GivenOptions
  /// The program, as messages call it.
  private let program: String

  /// Nothing is asked for yet.
  init(_ program: Program, _ given: GivenOptions) {
    self.program = program.name
    self.given = given
  }

  /// The options of any program, of which those of plugins stand in the middle; see
  /// ``CommandSpec/named(_:_:)``.
  static let spec = CommandSpec<Self>("", "")
    .option(\.store, "The file that keeps everything", flag: "--store", placeholder: "FILE")
    .option(\.json, "Results as JSON, one value a line; errors as JSON", flag: "--json")
    .option(\.color, "Whether to colour", flag: "--color")
    .option(\.quiet, "No confirmations", flag: "--quiet")
    .option(\.yes, "Answers what a command would ask a person", flag: "--yes")
    .option(\.with, "Switches a plugin on", flag: "--with", placeholder: "PLUGIN")
    .option(\.without, "Switches a plugin off", flag: "--without", placeholder: "PLUGIN")
  /// Those after the options of plugins.
  static let last = CommandSpec<Self>("", "")
    .option(\.noStartup, "Does not run the startup file", flag: "--no-startup")
    .option(\.version, "Prints the version", flag: "--version")
    .option(\.help, "Explains how it is used", flag: "--help")
}

/// When to colour.
enum ColorChoice: String, CommandChoice {
  case auto, always, never
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
    try given.check(against: mode.noSession)
    return mode
  }

  private func showingVersion() throws(CommandError) -> LaunchMode {
    try given.check(against: LaunchMode.version.noSession)
    return .version
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
    if try Self.spec.readOption(words, at: &index, into: &self) { return true }
    if try Self.last.readOption(words, at: &index, into: &self) { return true }
    return try given.take(words, &index)
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
    if catalogue[words[0].text] == nil, !words[0].text.isIdentical(to: RunArguments.spec.name),
      let verb = given.verb(words[0].text)
    {
      return .verb(verb, run: try verb.read(words, other: takeOption))
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
    let flags = Self.spec.flags + Self.last.flags + given.flags
    let hint = closest(to: word.text, among: flags).map { "; did you mean '\($0)'?" }
    return CommandError(
      "no option '\(word.text.quotable)' before a command\(hint ?? "; '\(program) help' lists them")",
      offset: index
    )
  }
}

extension ProcessWords {
  /// Adds what a process understands in addition to commands, with what its plugins bring.
  mutating func add(_ program: Program, _ verbs: [List], _ options: [List]) {
    add(RunArguments.spec)
    for declare in verbs { declare(&self) }
    add(CompletionArguments.spec)
    add(ServeArguments.spec)
    add(options: ProcessOptions.spec.named(program.name, program.summary))
    for declare in options { declare(&self) }
    add(options: ProcessOptions.last)
  }
}

extension Word {
  /// Whether it asks for a server.
  fileprivate var namesServing: Bool {
    isBare && text.isIdentical(to: ServeArguments.spec.name)
  }
}
