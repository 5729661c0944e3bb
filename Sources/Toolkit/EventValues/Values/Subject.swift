import EventMVVM
public import JSONText

/// A reference to one of the things that the application is about, for commands that depend on no
/// domain: the domain reads it.
///
/// ```swift
/// link.route = try ["1", "reply"].map { try Subject(word: $0) }
/// ```
public struct Subject: CommandValue, Codable {
  /// The reference as it was written.
  public let text: String

  /// Creates a subject from the unchanged word.
  public init(word: String) throws(ValueError) {
    text = word
  }

  /// Creates a subject from a number or a string.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .string(let word): text = word
    default:
      guard let number = json.wholeNumber else {
        throw ValueError("expected a whole number or a string, found \(json.found)")
      }
      text = "\(number)"
    }
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape(
      "NUMBER",
      schema: ["anyOf": [["type": "integer"], ["type": "string"]]],
      candidates: { RequestSubjectCandidates(prefix: $0) }
    )
  }
}

/// Requests references from the domain that begin with a text, for completion.
///
/// ```swift
/// try process.ask(RequestSubjectCandidates(prefix: "")) == [
///   Candidate("2", "B"), Candidate("1", "A"), Candidate("3", "L"),
/// ]
/// ```
public struct RequestSubjectCandidates: CandidateRequest, Codable {
  /// The response to this request.
  public typealias Reply = ResponseCandidates
  /// It only reads.
  public static let writes = false

  /// The prefix of the references.
  public let prefix: String

  /// Creates a request for the references with a prefix.
  public init(prefix: String) {
    self.prefix = prefix
  }
}
