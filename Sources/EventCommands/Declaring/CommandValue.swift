public import EventMVVM
public import JSONText

/// A property of a request, as words and JSON give it its value.
///
/// How many values it takes follows from its type: a `Bool` is a flag, an array takes any number,
/// everything else takes one.
public protocol CommandProperty: Sendable, Equatable {
  /// How many values it takes.
  static var arity: ValueArity { get }
  /// What its values look like.
  static var shape: ValueShape { get }
  /// Takes a word; a flag gets none.
  mutating func take(word: String) throws(ValueError)
  /// Takes a JSON value.
  mutating func take(json: JSON) throws(ValueError)
  /// The names under which it stands in JSON parameters.
  static func jsonNames(for name: String) -> [String]
  /// Takes a JSON value that stood under one of those names.
  mutating func take(json: JSON, named name: String) throws(ValueError)
}

extension CommandProperty {
  /// How many values it takes.
  public static var arity: ValueArity { .one }

  /// The property's own name.
  public static func jsonNames(for name: String) -> [String] { [name] }

  /// Takes a JSON value, independent of its name.
  public mutating func take(json: JSON, named name: String) throws(ValueError) {
    try take(json: json)
  }
}

/// A value that one word can be read as: a number, a date, a choice.
public protocol CommandValue: CommandProperty {
  /// Reads it from a word.
  init(word: String) throws(ValueError)
  /// Reads it from JSON; from a string as from a word, unless declared otherwise.
  init(json: JSON) throws(ValueError)
}

extension CommandValue {
  /// Reads it from JSON.
  public init(json: JSON) throws(ValueError) {
    guard case .string(let text) = json else {
      throw ValueError("expected a string, found \(json.kind)")
    }
    try self.init(word: text)
  }

  /// Takes a word.
  public mutating func take(word: String) throws(ValueError) {
    self = try Self(word: word)
  }

  /// Takes a JSON value.
  public mutating func take(json: JSON) throws(ValueError) {
    self = try Self(json: json)
  }
}

/// Why a value can't be read; says what would be right.
public struct ValueError: Error, Sendable, Equatable {
  /// What is wrong, and what would be right.
  public let message: String
  /// Where in the JSON value it is wrong: a JSON pointer (RFC 6901), empty for all of it.
  public var path: String

  /// Creates an error about all of the value.
  public init(_ message: String, path: String = "") {
    self.message = message
    self.path = path
  }
}

/// How many values a property takes.
public enum ValueArity: Sendable {
  /// None: it is switched on by being named.
  case flag
  /// One.
  case one
  /// One or none.
  case optional
  /// Any number.
  case many
  /// One or more.
  case some

  /// Whether it takes one at most.
  var isSingle: Bool { self == .one || self == .optional }
}

/// What the values of a property look like, for help, completion and schema.
public struct ValueShape: Sendable {
  /// What stands for a value in help: `DATE`.
  public var placeholder: String
  /// All values there are, if they can be listed.
  public var choices: [String]
  /// How they are written, for help: a few lines; none where the placeholder says it all.
  public var explanation: [String]
  /// The JSON schema of the property.
  public var schema: JSON
  /// Asks the domain for values that begin with a text, if they are in its data.
  public var candidates: (@Sendable (String) -> any CandidateRequest)?

  /// Describes the values of a property.
  public init(
    _ placeholder: String,
    choices: [String] = [],
    explanation: [String] = [],
    schema: JSON = ["type": "string"],
    candidates: (@Sendable (String) -> any CandidateRequest)? = nil
  ) {
    self.placeholder = placeholder
    self.choices = choices
    self.explanation = explanation
    self.schema = schema
    self.candidates = candidates
  }
}

/// A request for completions that only the domain knows, such as its tags.
public protocol CandidateRequest: Request, ViewModelEvent where Reply == ResponseCandidates {}

/// Completions from the domain's data.
public struct ResponseCandidates: ViewModelEvent, Response, Decodable {
  /// The candidates or why there are none.
  public let result: Result<[Candidate], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Candidate], Failure>) {
    self.result = result
  }
}

/// A word that could stand where the cursor is.
public struct Candidate: Sendable, Hashable, Codable {
  /// The word.
  public let word: String
  /// What it means, for a person choosing.
  public let summary: String

  /// Creates a candidate.
  public init(_ word: String, _ summary: String = "") {
    self.word = word
    self.summary = summary
  }
}
