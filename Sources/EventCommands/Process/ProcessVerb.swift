public import EventMVVM

/// A word that a process understands in addition to commands, such as `replay`, with the words
/// after it, which are declared like those of a command, and what it does.
///
/// ```swift
/// ProcessVerb(WaveArguments.spec, WaveArguments()) { arguments, host in
///   host.print("Goodbye, \(arguments.name)!") ? .success : .failed
/// }
/// ```
///
/// It is the first word of a command line that is no option, and unknown in a script, in a
/// conversation and to a server. A command of that name has precedence, and so
/// have the words of the process itself: `run`, `serve`, `open` and `completions`.
public struct ProcessVerb: Sendable {
  /// Does what was asked for, to its end, and returns the exit status of the process.
  ///
  /// It throws a ``CommandError`` if the words make no sense, or a ``EventMVVM/Failure``.
  public typealias Run = (_ host: any ProcessHost) throws -> ExitStatus

  /// The word.
  public var name: String { makeName() }
  /// Adds the verb to those of the process, for help and completion.
  package let declare: ProcessWords.List
  private let makeName: @Sendable () -> String
  private let readWords: @Sendable (_ words: [Word], OptionTaker?) throws(CommandError) -> Run

  /// Declares a verb.
  ///
  /// - Parameters:
  ///   - spec: The word, and what can follow it.
  ///   - defaults: The values of what does not follow it.
  ///   - run: Does what was asked for, to its end; on the main thread.
  public init<Arguments: Sendable>(
    _ spec: @autoclosure @escaping @Sendable () -> CommandSpec<Arguments>,
    _ defaults: Arguments,
    run: @escaping @Sendable (Arguments, any ProcessHost) throws -> ExitStatus
  ) {
    // The spec is made on demand: most processes do something else.
    makeName = { spec().name }
    declare = { $0.add(spec()) }
    readWords = { words, other throws(CommandError) in
      var read = defaults
      try spec().read(words, from: 1, into: &read, other: other)
      return { [read] host in try run(read, host) }
    }
  }

  /// Reads the words after the verb.
  ///
  /// - Parameters:
  ///   - words: All words, of which the verb is the first.
  ///   - other: Reads the options of the process.
  /// - Returns: What does what was asked for.
  /// - Throws: A usage error with the position of the word.
  package func read(_ words: [Word], other: OptionTaker?) throws(CommandError) -> Run {
    try readWords(words, other)
  }
}

/// What a process offers to a verb that runs in it.
public protocol ProcessHost {
  /// Whether results are to be JSON, one value a line.
  var isJSON: Bool { get }
  /// Prints lines to standard output, with what would control a terminal made visible.
  ///
  /// - Returns: False if they can't be written, which is then reported; that nobody reads them any
  ///   more is no failure.
  func print(_ lines: String) -> Bool
  /// Puts the program together anew, apart from the user's files, and runs a body with it.
  ///
  /// - Parameters:
  ///   - setup: How it is put together.
  ///   - body: Feeds the stream; called once, on its home thread.
  /// - Returns: What the body returns.
  /// - Throws: Why it can't be put together, and what the body throws.
  func replay(
    _ setup: ReplaySetup,
    _ body: (ReplaySession) throws -> ExitStatus
  ) throws -> ExitStatus
}
