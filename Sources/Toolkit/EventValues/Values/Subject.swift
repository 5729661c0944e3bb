import EventMVVM
public import JSONText

/// A reference to one of the things that the application is about, for commands that depend on no
/// domain: the domain reads it.
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
