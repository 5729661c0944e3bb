public import EventMVVM
public import JSONText

/// A request that people, scripts and programs can make: it declares its command once, and every
/// frontend speaks it.
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
/// Every property has a default value, and the list names every property.
public protocol Command: Request, ViewModelEvent
where Reply: ViewModelEvent, Reply.Value: CommandResult, Reply.Problem == Failure {
  /// The request as it is before any word of it was read.
  init()
  /// What the command is called, and a line for each property.
  static var command: CommandSpec<Self> { get }

  /// The command that takes a single word instead where there are screens and this one can't read
  /// it, as `edit 3` opens an editor; nil if none does.
  static var onScreen: (any Command.Type)? { get }
  /// What to ask a person before the request is made; nil where there is nothing to ask.
  var question: String? { get }
  /// What to ask a person when the command has failed, and the command to send if the answer is
  /// yes; nil where there is nothing to ask.
  func secondTry(after failure: Failure) -> SecondTry<Self>?
  /// The command as one whose list can be had in parts; nil if it is none.
  ///
  /// Asked for directly, as a cast would have the runtime search all conformances.
  var partedCommand: (any PartedCommand)? { get }
  /// Shows the result to a person; the result's own way unless declared otherwise.
  func show(_ value: Reply.Value, on page: inout Page)

  /// Reads the words after the verb; see ``Catalogue/read(_:other:)``. Not for implementing.
  ///
  /// A requirement, so that it is compiled for each request's own type and not looked up at run
  /// time.
  static func _read(_ words: [Word], other: OptionTaker?) throws(CommandError) -> Self
}

extension Command {
  /// None.
  public static var onScreen: (any Command.Type)? { nil }
  /// Nothing to ask.
  public var question: String? { nil }
  /// Nothing to ask.
  public func secondTry(after failure: Failure) -> SecondTry<Self>? { nil }
  /// Its result comes whole.
  public var partedCommand: (any PartedCommand)? { nil }

  /// Reads the words into a fresh request.
  @inlinable
  public static func _read(_ words: [Word], other: OptionTaker?) throws(CommandError) -> Self {
    var request = Self()
    try command.read(words, from: 1, into: &request, other: other)
    return request
  }

  /// The result's own way.
  public func show(_ value: Reply.Value, on page: inout Page) {
    value.show(on: &page)
  }
}

/// What can be tried when a command has failed, if a person agrees.
public struct SecondTry<C: Sendable>: Sendable {
  /// What to ask.
  public let question: String
  /// What to send if the answer is yes.
  public let command: C
  /// Whether only a person's own answer counts, and not that all questions are answered with yes:
  /// what a person has typed would be lost, or another person's work.
  public let isForPersons: Bool

  /// Offers another command.
  public init(_ question: String, _ command: C, isForPersons: Bool = false) {
    self.question = question
    self.command = command
    self.isForPersons = isForPersons
  }
}

/// What a command results in, as text for people and as JSON for programs.
public protocol CommandResult: Sendable, Equatable {
  /// Writes it for a person.
  func show(on page: inout Page)
  /// Writes it as one JSON value.
  func write(to json: inout JSONWriter)
  /// How a process ends whose result it is; success unless declared otherwise.
  var exitStatus: ExitStatus { get }
}

extension CommandResult {
  /// All went well.
  public var exitStatus: ExitStatus { .success }
}
