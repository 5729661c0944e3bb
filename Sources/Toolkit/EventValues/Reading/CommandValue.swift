public import EventMVVM
public import JSONText

/// A property of a request that words and JSON can set.
///
/// How many values it takes follows from its type: a `Bool` is a flag, an array takes any number,
/// everything else takes one.
public protocol CommandProperty: Sendable, Equatable {
  /// How many values it takes.
  static var arity: ValueArity { get }
  /// The shape of its values.
  static var shape: ValueShape { get }
  /// Sets it to the value of a word; for a flag the word is empty.
  mutating func take(word: String) throws(ValueError)
  /// Sets it to a JSON value.
  mutating func take(json: JSON) throws(ValueError)
  /// Returns the names of the property in JSON parameters.
  static func jsonNames(for name: String) -> [String]
  /// Sets it to the JSON value of one of those names.
  mutating func take(json: JSON, named name: String) throws(ValueError)
}

extension CommandProperty {
  /// How many values it takes.
  public static var arity: ValueArity { .one }

  /// Returns the property's own name.
  public static func jsonNames(for name: String) -> [String] { [name] }

  /// Sets it to a JSON value, independent of its name.
  public mutating func take(json: JSON, named name: String) throws(ValueError) {
    try take(json: json)
  }
}

/// A value that one word can be read as: a number, a date, a choice.
///
/// ```swift
/// struct Batch: CommandValue, Codable {
///   var name = ""
///
///   static var shape: ValueShape {
///     ValueShape("BATCH") { RequestFieldCandidates("sample", "batch", prefix: $0) }
///   }
///
///   init() {}
///   init(word: String) { name = word }
/// }
/// ```
public protocol CommandValue: CommandProperty {
  /// Reads the value from a word.
  init(word: String) throws(ValueError)
  /// Reads the value from JSON; by default a string is read like a word.
  init(json: JSON) throws(ValueError)
  /// Returns the words of several values that one word has, where a property takes any number; by default
  /// it is one.
  static func words(in word: String) -> [String]
}

extension CommandValue {
  /// Returns the word.
  public static func words(in word: String) -> [String] { [word] }

  /// Reads the value from a JSON string.
  public init(json: JSON) throws(ValueError) {
    guard case .string(let text) = json else {
      throw ValueError("expected a string, found \(json.kind)")
    }
    try self.init(word: text)
  }

  /// Sets it to the value of a word.
  public mutating func take(word: String) throws(ValueError) {
    self = try Self(word: word)
  }

  /// Sets it to a JSON value.
  public mutating func take(json: JSON) throws(ValueError) {
    self = try Self(json: json)
  }
}

/// An error with the reason why a value can't be read, and what is valid.
///
/// ```swift
/// #expect(throws: ValueError("'abc' is too short; give at least four characters of a UUID")) {
///   try RecordReference(word: "abc")
/// }
/// ```
public struct ValueError: Error, Sendable, Equatable {
  /// What is wrong, and what is valid.
  public let message: String
  /// The faulty part of the JSON value: a JSON pointer (RFC 6901), empty for the whole value.
  public var path: String

  /// Creates an error; by default about the whole value.
  public init(_ message: String, path: String = "") {
    self.message = message
    self.path = path
  }
}

/// How many values a property takes.
public enum ValueArity: Sendable {
  /// None: the property is switched on by being named.
  case flag
  /// None, or one in the same word: `--listen` or `--listen=PATH`; for options.
  case flagOrValue
  /// One.
  case one
  /// One or none.
  case optional
  /// Any number.
  case many
  /// One or more.
  case some

  /// Whether it takes at most one value.
  package var isSingle: Bool { self == .one || self == .optional || self == .flagOrValue }

  /// Whether an option takes the word after it as its value.
  package var takesNextWord: Bool { self != .flag && self != .flagOrValue }
}

/// The shape of a property's values, for help, completion and schema.
///
/// ```swift
/// static var shape: ValueShape {
///   ValueShape("BATCH") { RequestFieldCandidates("sample", "batch", prefix: $0) }
/// }
/// ```
public struct ValueShape: Sendable {
  /// The placeholder of a value in help: `DATE`.
  public var placeholder: String
  /// All possible values, if they can be listed.
  public var choices: [String]
  /// A few lines of help on how values are written; none where the placeholder is enough.
  public var explanation: [String]
  /// The JSON schema of the property.
  public var schema: JSON
  /// Creates a request for values with a prefix, if they are in the domain's data.
  public var candidates: (@Sendable (String) -> any CandidateRequest)?
  /// Returns how many of these words, from the first one on, are one value that was not quoted, and how it is
  /// written as one word if it can be; nil for values that people write without blanks.
  public var ofWords: (@Sendable ([String]) -> (count: Int, asOne: String?))?

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

  /// Describes values that are one of some words.
  public init(oneOf words: [String]) {
    self.init(
      words.joined(separator: "|"),
      choices: words,
      schema: ["type": "string", "enum": .array(words.map { .string($0) })]
    )
  }
}

/// A request for completions from the domain's data, such as its tags.
public protocol CandidateRequest: Request, ViewModelEvent where Reply == ResponseCandidates {}

/// Completions from the domain's data.
public struct ResponseCandidates: ViewModelEvent, Response, Decodable {
  /// The candidates, or the failure.
  public let result: Result<[Candidate], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Candidate], Failure>) {
    self.result = result
  }
}

/// A word that could replace the one at the cursor.
///
/// ```swift
/// #expect(try process.ask(RequestSubjectCandidates(prefix: "#2")) == [Candidate("2", "B")])
/// ```
public struct Candidate: Sendable, Hashable, Codable {
  /// The word.
  public let word: String
  /// What the word means, for a person who chooses.
  public let summary: String

  /// Creates a candidate.
  public init(_ word: String, _ summary: String = "") {
    self.word = word
    self.summary = summary
  }
}
