package import EventCommands
import EventRecords

/// A label; any line of text.
package struct Tag: CommandValue, Hashable, Codable {
  /// The label.
  package let text: String

  /// Writes a label.
  package init(_ text: String) {
    self.text = text
  }

  package init(word: String) throws(ValueError) {
    text = word
  }

  package static var shape: ValueShape {
    ValueShape("TAG", candidates: { RequestFieldCandidates("todo", "tags", prefix: $0) })
  }
}

/// The name of a project; any line of text.
package struct Project: CommandValue, Hashable, Codable {
  /// The name.
  package let text: String

  package init(word: String) throws(ValueError) {
    text = word
  }

  package static var shape: ValueShape {
    ValueShape("PROJECT", candidates: { RequestFieldCandidates("todo", "project", prefix: $0) })
  }
}
