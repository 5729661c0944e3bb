import EventCommands
import EventRecords
public import EventValues

/// A label; any line of text.
public struct Tag: CommandValue, Hashable, Codable {
  /// The label.
  public let text: String

  /// Creates a label.
  public init(_ text: String) {
    self.text = text
  }

  /// Reads it from a word.
  public init(word: String) throws(ValueError) {
    text = word
  }

  /// Returns the labels between commas: `a,b` is two.
  public static func words(in word: String) -> [String] { word.betweenCommas }

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("TAG", candidates: { RequestFieldCandidates("todo", "tags", prefix: $0) })
  }
}

/// The name of a project; any line of text.
public struct Project: CommandValue, Hashable, Codable {
  /// The name.
  public let text: String

  /// Reads it from a word.
  public init(word: String) throws(ValueError) {
    text = word
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("PROJECT", candidates: { RequestFieldCandidates("todo", "project", prefix: $0) })
  }
}
