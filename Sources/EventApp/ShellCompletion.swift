import Batch
import Completion
import EventCommands
import EventMVVM
import EventPatterns
import JSONText

/// What a shell asks while a line is being typed.
extension Application {
  /// Prints the script of a shell, or what it asks for.
  ///
  /// What can't be found out is nothing to complete, and no reason to write over the line.
  func complete(
    _ arguments: CompletionArguments,
    _ options: ProcessOptions,
    _ output: BatchOutput
  ) -> ExitStatus {
    guard !arguments.line.isEmpty else {
      let script = ShellScript(arguments.shell, program: program.name)
      return output.print(Array(script.text.utf8)) ? .success : .failed
    }
    let line = ShellLine(arguments.shell, arguments.line)
    guard
      let composition = try? Composition(Invocation(self, completing: line.words, after: options))
    else { return .success }
    // What a process may begin with, though it is said to screens.
    var catalogue = composition.catalogue
    catalogue.add(RequestOpen.command)
    let isOpening = line.words.last?.text.isIdentical(to: RequestOpen.command.name) ?? false
    let choices = [
      "PLUGIN": plugins.map { Candidate($0.name) },
      "LINK": isOpening ? catalogue.links : [],
    ]
    let frontend = CompletionFrontend(catalogue, line, choices: choices)
    return frontend.run(composition.context.port(named: frontend.name))
  }
}

extension ProcessOptions {
  /// Reads the words after `completions`; nil if they begin with another verb.
  mutating func readCompletions(_ words: [Word]) throws(CommandError) -> CompletionArguments? {
    guard let verb = words.first, verb.text.isIdentical(to: CompletionArguments.spec.name) else {
      return nil
    }
    var read = self
    defer { self = read }
    var arguments = CompletionArguments()
    try CompletionArguments.spec.read(words, from: 1, into: &arguments) {
      words,
      index throws(CommandError) in try read.takeOption(words, &index)
    }
    return arguments
  }
}

extension Invocation {
  /// Takes from words that are being typed what they say so far: which store, and which plugins.
  ///
  /// - Parameters:
  ///   - application: The program.
  ///   - words: The words that are over.
  ///   - given: What was said to the process that is asked: it holds where they say nothing.
  init(
    _ application: Application,
    completing words: [Word],
    after given: ProcessOptions
  ) {
    let plugins = application.plugins
    var options = ProcessOptions(application.program, GivenOptions(plugins))
    options.store = given.store
    (options.with, options.without) = (given.with, given.without)
    _ = try? options.read(words, application.catalogue(plugins))
    // No shell looks into a word for this before it runs the program.
    if let path = options.store, path.starts(withText: "~/"),
      let home = UserPaths.variable("HOME")
    {
      options.store = home + path.dropFirst()
    }
    let switched = try? plugins.switched(on: options.with, off: options.without)
    self.init(application, options, .version, switched ?? plugins.onByDefault)
  }
}
