import EventMVVM
import EventValues
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
/// They are allowed wherever options of the process are, and appear in help and completion; the
/// user's configuration file can give them, too, in the table of the plugin or the frontend. Where
/// two options have one flag, that of the process itself has precedence, then that of the first
/// plugin, then that of the first frontend; a debug build reports it at its start.
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

  /// Reads words that are these options alone, and hands over the values, as a process does with its
  /// own words; for tests.
  ///
  /// ```swift
  /// try Farewell().options?.take(["--goodbye", "Bye"])
  /// ```
  ///
  /// - Throws: A usage error, such as the one that the values are refused with.
  public func take(_ words: [String]) throws(CommandError) {
    let reader = reader
    try reader.read(words.enumerated().map { Word(text: $1, offset: $0, isBare: true) })
    try reader.finish()
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

  /// Reads words that are these options alone.
  package func read(_ words: [Word]) throws(CommandError) {
    var index = 0
    while index < words.count {
      guard words[index].isOption, try readOption(words, &index) else {
        throw CommandError("no option '\(words[index].text.quotable)'", offset: words[index].offset)
      }
    }
  }

  /// Passes on the values.
  package func finish() throws(CommandError) { try takeValues() }
}
