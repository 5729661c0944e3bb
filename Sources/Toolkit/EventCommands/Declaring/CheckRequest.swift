public import EventMVVM

/// A request that checks whether a command can be carried out, before a person is asked about it,
/// so that no person agrees to a command that fails.
public protocol CheckRequest: Request, ViewModelEvent where Reply == ResponseCheck {}

/// The reply to a check.
public struct ResponseCheck: ViewModelEvent, Response, Decodable {
  /// What was found, or the failure that the command would have.
  public let result: Result<CheckedCommand, Failure>

  /// Wraps what was found.
  public init(_ result: Result<CheckedCommand, Failure>) { self.result = result }
}

/// What a check found of a command for which it saw no obstacle.
///
/// `true` stands for one of which nothing else is to be said.
public struct CheckedCommand: Sendable, Equatable, ExpressibleByBooleanLiteral {
  /// What a person is to be asked besides; nil for nothing.
  public let question: String?
  /// What the command is about, by number; nil where the command says it.
  public let numbers: [Int]?

  /// Describes what was found.
  ///
  /// - Parameters:
  ///   - question: What a person is to be asked besides.
  ///   - numbers: What the command is about, where it does not say it.
  public init(question: String? = nil, numbers: [Int]? = nil) {
    (self.question, self.numbers) = (question, numbers)
  }

  /// Says that the command can be carried out.
  public init(booleanLiteral isPossible: Bool) { self.init() }
}

extension CheckedCommand: Codable {
  private enum Key: CodingKey { case question, numbers }

  /// Reads true, or an object with what was found.
  public init(from decoder: any Decoder) throws {
    if (try? decoder.singleValueContainer().decode(Bool.self)) == true {
      self.init()
    } else {
      let values = try decoder.container(keyedBy: Key.self)
      self.init(
        question: try values.decodeIfPresent(String.self, forKey: .question),
        numbers: try values.decodeIfPresent([Int].self, forKey: .numbers)
      )
    }
  }

  /// Writes true, or an object with what was found.
  public func encode(to encoder: any Encoder) throws {
    guard self != CheckedCommand() else {
      var value = encoder.singleValueContainer()
      return try value.encode(true)
    }
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(question, forKey: .question)
    try values.encodeIfPresent(numbers, forKey: .numbers)
  }
}
