public import JSONText

/// A result that is a line of text.
///
/// ```swift
/// Message("\(written[0].number)")
/// ```
public struct Message: CommandResult, Decodable, ExpressibleByStringInterpolation {
  /// The text.
  public let text: String

  /// Creates a message.
  public init(_ text: String) {
    self.text = text
  }

  /// Creates a message.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// Reads what ``write(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .message)
  }

  private enum Key: CodingKey { case message }

  /// Writes the text for a person.
  public func show(on page: inout Page) {
    page.write(user: text)
    page.endLine()
  }

  /// Writes the message as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.object { $0.member("message", text) }
  }
}
