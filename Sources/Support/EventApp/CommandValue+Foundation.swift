import EventCommands
public import EventValues
public import Foundation
import JSONText

extension URL: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("URL", schema: ["type": "string", "format": "uri"])
  }

  /// Reads the value from a word: an address with its scheme.
  public init(word: String) throws(ValueError) {
    guard let url = URL(string: word), url.scheme != nil else {
      throw ValueError("'\(word.quotable)' is not an address, such as https://example.org")
    }
    self = url
  }
}

extension UUID: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("UUID", schema: ["type": "string", "format": "uuid"])
  }

  /// Reads the value from a word.
  public init(word: String) throws(ValueError) {
    guard let id = UUID(uuidString: word) else {
      throw ValueError("'\(word.quotable)' is not a UUID")
    }
    self = id
  }
}
