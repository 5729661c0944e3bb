import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Foundation
import JSONText

/// The options of the process; they may be anywhere before `--`.
struct ProcessOptions: Sendable {
  /// The path of the store's file, or the address of a database.
  var store: String?
  var json = false
  var color = ColorChoice.auto
  var quiet = false
  var yes = false
  /// Names of plugins to switch on.
  var with: [String] = []
  /// Names of plugins to switch off.
  var without: [String] = []
  var version = false
  var help = false
  /// The values of the options of plugins and frontends.
  private(set) var given: Given
  private let application: Application

  /// Creates options without values.
  ///
  /// - Parameters:
  ///   - application: The program.
  ///   - plugins: The plugins that are on.
  ///   - all: All plugins, for the message of an error.
  init(_ application: Application, _ plugins: [OptionalPlugin], of all: [OptionalPlugin] = []) {
    self.application = application
    given = Given(application, plugins, of: all)
  }

  /// The options of any program that come before those of plugins and frontends; see
  /// ``CommandSpec/named(_:_:)``.
  static let spec = spec(store: "The file that keeps everything, or a database's address")
  /// Those of a program that stores everything in files.
  static let specWithFiles = spec(store: "The file that keeps everything")

  private static func spec(store summary: String) -> CommandSpec<Self> {
    CommandSpec<Self>("", "")
      .option(\.store, summary, flag: "--store", placeholder: "FILE")
      .option(\.json, "Results as JSON, one value a line; errors as JSON", flag: "--json")
      .option(\.color, "Whether to colour", flag: "--color")
      .option(\.quiet, "No confirmations", flag: "--quiet")
      .option(\.yes, "Answers what a command would ask a person", flag: "--yes")
      .option(\.with, "Switches a plugin on", flag: "--with", placeholder: "PLUGIN")
      .option(\.without, "Switches a plugin off", flag: "--without", placeholder: "PLUGIN")
  }

  /// The options that come after those of plugins and frontends.
  static let last = CommandSpec<Self>("", "")
    .option(\.version, "Prints the version", flag: "--version")
    .option(\.help, "Explains how it is used", flag: "--help")
}

/// When to use colours.
enum ColorChoice: String, Choice {
  case auto, always, never
}

extension ProcessOptions {
  /// Whether a plugin is switched on or off.
  var isSwitching: Bool { !with.isEmpty || !without.isEmpty }

  /// Reads the words of the process.
  ///
  /// Options of the process may be anywhere, unless the command has an option of that name.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - catalogue: All commands.
  /// - Returns: The task of the process.
  /// - Throws: A usage error; the options before the invalid word have been read.
  mutating func read(
    _ words: [Word],
    _ catalogue: Catalogue
  ) throws(CommandError) -> Invocation.Launch {
    var index = 0
    while index < words.count, words[index].isOption {
      guard try takeOption(words, &index) else {
        throw unknownOption(words[index], at: index)
      }
    }
    let topic = words[index...].prefix(1).map(\.text)
    // Whatever else follows the topic, the errors are in the form that is asked for.
    if help { json = json || words[index...].contains { $0.text.isIdentical(to: "--json") } }
    guard !help else { return try showingHelp(topic) }
    guard !version else { return try showingVersion() }
    let (launch, verb) = try readLaunch(Array(words[index...]), catalogue)
    if version { return try showingVersion() }
    guard !help else { return try showingHelp(topic) }
    try given.check(against: launch.noSession, verb)
    return launch
  }

  private func showingHelp(_ topic: [String]) throws(CommandError) -> Invocation.Launch {
    try application.launch(RequestHelp(topic: topic))
  }

  private func showingVersion() throws(CommandError) -> Invocation.Launch {
    let launch = Invocation.Launch.version(of: application.program)
    try given.check(against: launch.noSession)
    return launch
  }

  /// Reads an option of the process, and its value if it has one; `-h` is `--help`.
  mutating func takeOption(
    _ words: [Word],
    _ index: inout Int
  ) throws(CommandError) -> Bool {
    if words[index].text.isIdentical(to: "-h") {
      help = true
      index += 1
      return true
    }
    if try Self.spec.readOption(words, at: &index, into: &self) { return true }
    if try Self.last.readOption(words, at: &index, into: &self) { return true }
    return try given.take(words, &index)
  }

  /// Whether a person uses the process, at a terminal.
  private var isAtTerminal: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// Reads the words from the first that is not an option, and returns the verb that they name.
  private mutating func readLaunch(
    _ words: [Word],
    _ catalogue: Catalogue
  ) throws(CommandError) -> (Invocation.Launch, verb: String?) {
    var read = self
    defer { self = read }
    let takeOption: OptionTaker = { words, index throws(CommandError) in
      try read.takeOption(words, &index)
    }
    guard let name = words.first?.text else {
      return (try application.launch(atTerminal: isAtTerminal), verb: nil)
    }
    guard catalogue[name] == nil, let verb = given.verb(name, catalogue) else {
      return (try application.launch(catalogue.read(words, other: takeOption)), verb: nil)
    }
    do {
      let run = try given.reader(of: verb).read(words, takeOption)
      return (Invocation.Launch(noSession: verb.isSession ? nil : name, run: run), verb: name)
    } catch {
      guard words.asksForHelp else { throw error }
      return (try showingHelp([name]), verb: nil)
    }
  }

  private func unknownOption(_ word: Word, at index: Int) -> CommandError {
    if word.isEndOfOptions {
      return CommandError("a command is missing before '--'", offset: index)
    }
    let flags = Self.spec.flags + Self.last.flags + given.flags
    let hint = closest(to: word.text, among: flags).map { "; did you mean '\($0)'?" }
    return CommandError(
      "no option '\(word.text.quotable)' before a command\(hint ?? "; '\(application.program.name) help' lists them")",
      offset: index
    )
  }
}

extension ProcessWords {
  /// Adds the verbs and options of a process, including those of its plugins and frontends.
  mutating func add(
    _ program: Program,
    _ engines: [any EngineProvider],
    _ verbs: [List],
    _ options: [List]
  ) {
    for declare in verbs { declare(&self) }
    let isInFiles = engines.allSatisfy { $0.addressForm == nil }
    let spec = isInFiles ? ProcessOptions.specWithFiles : ProcessOptions.spec
    add(options: spec.named(program.name, program.summary))
    for declare in options { declare(&self) }
    add(options: ProcessOptions.last)
  }
}
