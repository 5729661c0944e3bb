import EventMVVM

/// A word of a process in addition to commands, such as `replay`, with the words after it, which
/// are declared like those of a command, and its action.
///
/// ```swift
/// ProcessVerb(WaveArguments.spec, WaveArguments()) { arguments, host in
///   host.print("Goodbye, \(arguments.name)!") ? .success : .failed
/// }
/// ```
///
/// It is the first word of a command line that is no option, and unknown in a script, in a
/// conversation and to a server. A command of that name has precedence, then a verb of a
/// frontend, then one of a plugin that is on.
public struct ProcessVerb: Sendable {
  /// Performs the action to its end, and returns the exit status of the process.
  ///
  /// It throws a ``CommandError`` if the words can't be read, or a ``EventMVVM/Failure``.
  public typealias Run = (_ host: any ProcessHost) throws -> ExitStatus

  /// The word.
  public var name: String { makeName() }
  /// Whether it runs a session, so that options for sessions can be given with it.
  package let isSession: Bool
  /// Whether its options may also precede it.
  package let takesEarlyOptions: Bool
  /// Adds the verb to those of the process, for help and completion.
  package let declare: ProcessWords.List
  /// Whether the verb exists with these commands.
  package let isOffered: @Sendable (Catalogue) -> Bool
  private let makeName: @Sendable () -> String
  private let makeReader: @Sendable () -> VerbReader

  /// Declares a verb.
  ///
  /// - Parameters:
  ///   - spec: The word, and the words that can follow it.
  ///   - defaults: The values of words that are not given.
  ///   - isSession: Whether it runs a session: its body calls ``ProcessHost/run(_:_:)``.
  ///   - takesEarlyOptions: Whether its options may also precede it.
  ///   - run: Performs the action, to its end; on the main thread.
  public init<Arguments: Sendable>(
    _ spec: @autoclosure @escaping @Sendable () -> CommandSpec<Arguments>,
    _ defaults: Arguments,
    isSession: Bool = false,
    takesEarlyOptions: Bool = false,
    run: @escaping @Sendable (Arguments, any ProcessHost) throws -> ExitStatus
  ) {
    // The spec is created on demand: most processes run another verb.
    makeName = { spec().name }
    declare = { $0.add(spec()) }
    isOffered = { _ in true }
    self.isSession = isSession
    self.takesEarlyOptions = takesEarlyOptions
    makeReader = {
      let values = Locked(defaults)
      return VerbReader { words, index throws(CommandError) in
        try values.withLock { values throws(CommandError) in
          try spec().readOption(words, at: &index, into: &values)
        }
      } read: { words, other throws(CommandError) in
        var read = values.withLock { $0 }
        try spec().read(words, from: 1, into: &read, other: other)
        return { [read] host in try run(read, host) }
      }
    }
  }

  /// Declares a verb with the words of a command of screens; it exists if the command does.
  ///
  /// - Parameters:
  ///   - command: The command, which the frontend of the session sends.
  ///   - summary: What the verb does, in a few words.
  ///   - run: Runs the session, to its end; on the main thread.
  public init<C: Command>(
    session command: C.Type,
    _ summary: String,
    run: @escaping @Sendable (C, any ProcessHost) throws -> ExitStatus
  ) {
    makeName = { C.command.name }
    declare = { $0.add(C.command.named(C.command.name, summary)) }
    isOffered = { $0.isOnScreens(C.self) }
    (isSession, takesEarlyOptions) = (true, false)
    makeReader = {
      VerbReader { _, _ in
        false
      } read: { words, other throws(CommandError) in
        let command = try C._read(words, other: other)
        return { host in try run(command, host) }
      }
    }
  }

  /// A new reader of its words.
  package var reader: VerbReader { makeReader() }
}

/// Reads the words of a verb.
package struct VerbReader: Sendable {
  /// Reads one option before the verb, and its value, if it is one of the verb's; see
  /// ``OptionTaker``.
  package let readOption:
    @Sendable (_ words: [Word], _ index: inout Int) throws(CommandError) -> Bool
  /// Reads the words after the verb, given all words, of which the verb is the first, and a reader
  /// of the options of the process, and returns the action.
  ///
  /// It throws a usage error with the position of the word.
  package let read:
    @Sendable (_ words: [Word], _ other: OptionTaker?) throws(CommandError) -> ProcessVerb.Run

  init(
    _ readOption: @escaping @Sendable ([Word], inout Int) throws(CommandError) -> Bool,
    read: @escaping @Sendable ([Word], OptionTaker?) throws(CommandError) -> ProcessVerb.Run
  ) {
    self.readOption = readOption
    self.read = read
  }
}
