package import EventCommands
package import JSONText

/// What is to become of a todo's tags: words add to them, JSON replaces them.
package struct TagChange: CommandProperty, Codable {
  /// The labels to add, or to have.
  package var tags: [Tag] = []
  /// Whether these are all that the todo shall have.
  package var replaces = false

  /// Changes nothing.
  package init() {}

  package static var arity: ValueArity { .many }
  package static var shape: ValueShape {
    var shape = [Tag].shape
    if case .object(let members) = shape.schema {
      shape.schema = .object(members + [.init("description", "All labels that it shall have")])
    }
    return shape
  }

  package mutating func take(word: String) throws(ValueError) {
    try tags.take(word: word)
  }

  package mutating func take(json: JSON) throws(ValueError) {
    replaces = true
    tags = []
    if json != .null { try tags.take(json: json) }
  }
}
