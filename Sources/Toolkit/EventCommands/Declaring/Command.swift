public import EventMVVM
public import JSONText

/// A request that people, scripts and programs can send; it declares its command once, for all
/// frontends.
///
/// ```swift
/// struct RequestGreeting: Command {
///   typealias Reply = ResponseGreeting
///   var name = "you"
///   static let command = CommandSpec<Self>("greet", "Greets somebody.")
///     .word(\.name, "Whom")
/// }
/// ```
///
/// Every property has a default value, and the spec lists every property.
public protocol Command: Request, ViewModelEvent
where Reply: ViewModelEvent, Reply.Value: CommandResult, Reply.Problem == Failure {
  /// Creates the request with the default values, before any word is read.
  init()
  /// The command's name and summary, and a line for each property.
  static var command: CommandSpec<Self> { get }
  /// The name of the command: that of its spec, which need not be made for it where it is known without.
  static var verb: String { get }

  /// The command to use instead for a single word that this one can't read, where there are
  /// screens, as `edit 3` opens an editor; nil if there is none.
  static var onScreen: (any Command.Type)? { get }
  /// Whether a program's request is sent even while an earlier, writing one of the same program is
  /// in progress, as the earlier one may wait for this one.
  static var overtakesWrites: Bool { get }
  /// Whether it can be part of a script that is all or nothing; a script with one that can't is
  /// refused before it runs.
  static var isForUnits: Bool { get }
  /// The question to ask a person before the request is sent; nil if there is none.
  var question: String? { get }
  /// The request that checks, before the question is asked, whether the command can be carried
  /// out; nil if there is none.
  var check: (any CheckRequest)? { get }
  /// Returns the command for what its check has found, to which a person has agreed; by default it is unchanged.
  func checked(_ found: CheckedCommand) -> Self
  /// Returns the question to ask a person when the command has failed, and the command to send if
  /// the answer is yes; nil if there is none.
  func secondTry(after failure: Failure) -> SecondTry<Self>?
  /// The command as one whose list can be requested in parts; nil if it is not one.
  ///
  /// A requirement, as a cast makes the runtime search all conformances.
  var partedCommand: (any PartedCommand)? { get }
  /// Whether it goes on after its result, until its process is ended: what it tells then are ``ResponseFollowedLines``.
  var follows: Bool { get }
  /// What carrying it out takes; of what takes much, a program has a few begun at a time.
  var cost: CommandCost { get }
  /// Writes the result for a person; by default the result writes itself.
  func show(_ value: Reply.Value, on page: inout Page)

  /// Answers the command on a stream, if its type says how; by default nothing is answered, and a server
  /// does it.
  static func answer(on stream: EventStream)

  /// Reads the words after the verb; see ``Catalogue/read(_:other:)``. Do not implement it.
  ///
  /// A requirement, so that it is compiled for each request's own type and not looked up at run
  /// time.
  static func _read(_ words: [Word], other: OptionTaker?) throws(CommandError) -> Self
}

extension EventStream {
  /// Answers the commands among these whose types say how; the others have a server.
  ///
  /// A program answers those of its catalogue; a test without a catalogue does it by this.
  ///
  /// ```swift
  /// process.stream.answer([RequestCompletion.self])
  /// ```
  public func answer(_ commands: [any Command.Type]) {
    for command in commands { command.answer(on: self) }
  }
}

/// What carrying out a command takes.
///
/// Of what takes much time a session has two at once, and a process four; what takes much memory is
/// carried out while none of the others is.
public enum CommandCost: Sendable {
  /// Milliseconds.
  case small
  /// Possibly seconds: it reads much, and keeps little of it.
  case time
  /// Possibly seconds, and a result of many megabytes that is in memory at once.
  case memory
}

extension Command {
  /// Answers nothing.
  public static func answer(on stream: EventStream) {}
  /// No command.
  public static var onScreen: (any Command.Type)? { nil }
  /// False: it waits for them.
  public static var overtakesWrites: Bool { false }
  /// True: it can be rolled back.
  public static var isForUnits: Bool { true }
  /// No question.
  public var question: String? { nil }
  /// No check.
  public var check: (any CheckRequest)? { nil }
  /// The command itself.
  public func checked(_ found: CheckedCommand) -> Self { self }
  /// No second try.
  public func secondTry(after failure: Failure) -> SecondTry<Self>? { nil }
  /// Nil: the result is not requested in parts.
  public var partedCommand: (any PartedCommand)? { nil }
  /// False: it ends with its result.
  public var follows: Bool { false }
  /// Much time if its result can be requested in parts, else little.
  public var cost: CommandCost { partedCommand == nil ? .small : .time }

  /// The failure of the command as part of a script that is all or nothing; nil if it can be one.
  public var unitRefusal: Failure? {
    Self.isForUnits
      ? nil
      : Failure(
        .usage,
        "'\(Self.verb)' can't be part of a script that is all or nothing; run it on its own, or the "
          + "script with --keep-going."
      )
  }

  /// Reads the words into a new request.
  @inlinable
  public static func _read(_ words: [Word], other: OptionTaker?) throws(CommandError) -> Self {
    var request = Self()
    try command.read(words, from: 1, into: &request, other: other)
    return request
  }

  /// Writes the result by its own method.
  public func show(_ value: Reply.Value, on page: inout Page) {
    value.show(on: &page)
  }
}

/// A command to try after another one has failed, if a person agrees.
public struct SecondTry<C: Sendable>: Sendable {
  /// The question to ask.
  public let question: String
  /// The command to send if the answer is yes.
  public let command: C
  /// Whether only a person's own answer counts, and not the option that answers all questions with
  /// yes: the command would lose text that a person has typed, or another person's changes.
  public let isForPersons: Bool
  /// The line to run instead, if the answer is its first word: `save`; nil if there is none.
  public let instead: String?

  /// Creates the offer of a command.
  public init(
    _ question: String,
    _ command: C,
    isForPersons: Bool = false,
    instead: String? = nil
  ) {
    self.question = question
    self.command = command
    self.isForPersons = isForPersons
    self.instead = instead
  }
}

/// The result of a command, as text for people and as JSON for programs.
///
/// ```swift
/// func write(to json: inout JSONWriter) {
///   json.object { json in
///     for line in lines { json.member(JSONName(line.request), line.count) }
///   }
/// }
/// ```
public protocol CommandResult: Sendable, Equatable {
  /// Writes the result for a person.
  func show(on page: inout Page)
  /// Writes the result as one JSON value.
  func write(to json: inout JSONWriter)
  /// The exit status of a process with this result; success by default.
  var exitStatus: ExitStatus { get }
  /// The name of the response that carries it, if it has one of its own; no other type of response has it.
  static var responseName: String? { get }
  /// The version of what it writes, in recordings; 1 by default.
  static var responseVersion: Int { get }
  /// What it is about, as a person names it; see `Event.subject`.
  var subject: String? { get }
}

extension CommandResult {
  /// Success.
  public var exitStatus: ExitStatus { .success }
  /// Nil: its response has the name of its type.
  public static var responseName: String? { nil }
  /// The first one.
  public static var responseVersion: Int { 1 }
  /// Nil: it is about nothing in particular.
  public var subject: String? { nil }
}
