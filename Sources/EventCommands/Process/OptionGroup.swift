import EventMVVM
import JSONText

/// Options of the process of a plugin or a frontend, declared like those of a command.
///
/// ```swift
/// /// The options of a process that says goodbye.
/// struct FarewellOptions {
///   var goodbye: String?
///
///   static let spec = CommandSpec<Self>("farewell", "Options of a process that says goodbye.")
///     .option(\.goodbye, "Ends with this word", flag: "--goodbye", placeholder: "WORD")
/// }
/// ```
///
/// They are allowed wherever options of the process are, and appear in help and completion. Where
/// two options have one flag, that of the process itself has precedence, then that of the first
/// plugin, then that of the first frontend.
public struct OptionGroup: Sendable {
  /// Whether they are for sessions alone, so that a verb that runs none refuses them.
  package let isForSessions: Bool
  /// Adds the options to those of the process, for help and completion.
  package let declare: ProcessWords.List
  private let makeReader: @Sendable () -> OptionGroupReader
  private let listFlags: @Sendable () -> [String]

  /// The flags of the options.
  package var flags: [String] { listFlags() }

  /// Declares options.
  ///
  /// - Parameters:
  ///   - spec: The options, each with an explicit flag; its name and summary are not shown.
  ///   - defaults: The values of options that are not given.
  ///   - forSessions: Whether they are for sessions alone: a verb that runs none, such as
  ///     `completions`, then refuses them.
  ///   - take: Called with the values, once, when all words of the process have been read and if
  ///     one of these options was given. It throws a usage error for values that don't fit
  ///     together.
  public init<Values: Sendable>(
    _ spec: @autoclosure @escaping @Sendable () -> CommandSpec<Values>,
    _ defaults: Values,
    forSessions: Bool = false,
    take: @escaping @Sendable (Values) throws(CommandError) -> Void
  ) {
    // The spec is created on demand: most processes have none of its options.
    isForSessions = forSessions
    declare = { $0.add(options: spec()) }
    makeReader = { OptionGroupReader(spec(), defaults, take) }
    listFlags = { spec().flags }
  }

  /// Whether an option is one of these.
  package func contains(_ flag: String) -> Bool { flags.containsText(flag) }

  /// A new reader of these options.
  package var reader: OptionGroupReader { makeReader() }
}

/// Reads the options of a group among the words of a process.
package final class OptionGroupReader: Sendable {
  private let readOption:
    @Sendable (_ words: [Word], _ index: inout Int) throws(CommandError) -> Bool
  private let takeValues: @Sendable () throws(CommandError) -> Void

  init<Values: Sendable>(
    _ spec: CommandSpec<Values>,
    _ defaults: Values,
    _ take: @escaping @Sendable (Values) throws(CommandError) -> Void
  ) {
    let read = Locked(defaults)
    readOption = { words, index throws(CommandError) in
      try read.withLock { values throws(CommandError) in
        try spec.readOption(words, at: &index, into: &values)
      }
    }
    takeValues = { () throws(CommandError) in try take(read.withLock { $0 }) }
  }

  /// Reads one option, and its value, if it is one of these; see ``OptionTaker``.
  package func read(_ words: [Word], _ index: inout Int) throws(CommandError) -> Bool {
    try readOption(words, &index)
  }

  /// Passes on the values.
  package func finish() throws(CommandError) { try takeValues() }
}
