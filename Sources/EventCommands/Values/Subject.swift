import EventMVVM
public import JSONText

/// A reference to one of the things that the application is about, for commands that know no
/// domain: the domain reads it.
public struct Subject: CommandValue, Codable {
  /// The reference as it was written.
  public let text: String

  /// Takes the word as it is.
  public init(word: String) throws(ValueError) {
    text = word
  }

  /// Takes a number or a string.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .integer(let number): text = "\(number)"
    case .string(let word): text = word
    default: throw ValueError("expected a number or a string, found \(json.kind)")
    }
  }

  /// What its values look like.
  public static var shape: ValueShape {
    ValueShape(
      "REF",
      schema: ["anyOf": [["type": "integer"], ["type": "string"]]],
      candidates: { RequestSubjectCandidates(prefix: $0) }
    )
  }
}

/// Asks the domain for references that begin with a text, for completion.
public struct RequestSubjectCandidates: CandidateRequest, Codable {
  /// What answers it.
  public typealias Reply = ResponseCandidates
  /// It only reads.
  public static let writes = false

  /// What they begin with.
  public let prefix: String

  /// Asks for references.
  public init(prefix: String) {
    self.prefix = prefix
  }
}
