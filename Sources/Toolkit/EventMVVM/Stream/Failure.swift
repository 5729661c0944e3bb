/// A failure for people to read (S39): what went wrong, and what it is about.
///
/// It travels in the responses of the view-model layer, and every frontend shows it in its own way:
/// as a line of text, as JSON, as a JSON-RPC error.
///
/// ```swift
/// func validated() throws(Failure) -> Letter {
///   guard !text.allSatisfy(\.isWhitespace) else {
///     throw Failure(.validation, "Say something; 'text' takes it.", field: "text")
///   }
///   return self
/// }
/// ```
public struct Failure: EventFailure, Codable {
  /// The kind of a failure; frontends derive exit codes and error codes from it.
  public struct Kind: Sendable, Hashable, Codable {
    /// The kind's name in JSON.
    public let name: String

    /// Creates another kind.
    public init(_ name: String) {
      self.name = name
    }

    /// Reads a name.
    public init(from decoder: any Decoder) throws {
      name = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }

    /// The command line, script or parameters can't be read.
    public static let usage = Kind("usage")
    /// A value breaks a rule of the domain.
    public static let validation = Kind("validation")
    /// The referenced thing does not exist.
    public static let notFound = Kind("notFound")
    /// The reference could mean several things.
    public static let ambiguous = Kind("ambiguous")
    /// Another session or process changed the same thing meanwhile.
    public static let conflict = Kind("conflict")
    /// The store can't be opened, read or written.
    public static let store = Kind("store")
    /// The request was not answered.
    public static let unanswered = Kind("unanswered")
    /// The request was cancelled before its work began.
    public static let cancelled = Kind("cancelled")
  }

  /// The value that a field has, or had.
  public enum Value: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// A text, as it is.
    case text(String)
    /// Anything else as it is written in JSON: `true`, `null`, `12`.
    case json(String)

    /// A text.
    public init(stringLiteral text: String) { self = .text(text) }
  }

  /// The kind of the failure.
  public var kind: Kind
  /// The message for a person: what happened, and what to do about it.
  public var message: String
  /// The property of the request that is at fault, under its name in JSON.
  public var field: String?
  /// The subject, as its number.
  public var id: Int?
  /// The value that a conflicting write had seen.
  public var expected: Value?
  /// The value that it found instead.
  public var actual: Value?
  /// Whether the same request may succeed a moment later, as with a locked store.
  public var isRetryable = false

  /// Creates a failure.
  public init(
    _ kind: Kind,
    _ message: String,
    field: String? = nil,
    id: Int? = nil,
    expected: Value? = nil,
    actual: Value? = nil
  ) {
    self.kind = kind
    self.message = message
    self.field = field
    self.id = id
    self.expected = expected
    self.actual = actual
  }

  /// Returns a failure unchanged, and wraps any other error in the kind that fits best.
  public init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case Interruption.unanswered: self = Failure(.unanswered, "Nobody answered the request.")
    case Interruption.cancelled: self = Failure(.cancelled, "Cancelled before it began.")
    default: self = Failure(.store, String(describing: error))
    }
  }
}

/// Why a request ended without a reply (promise 6).
public enum Interruption: Error, Sendable, Equatable, Codable {
  /// Its conversation closed without an answer.
  case unanswered
  /// It was cancelled before the work began.
  case cancelled
}
