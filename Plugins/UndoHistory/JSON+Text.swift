import EventCommands
import JSONText

extension JSON {
  /// A field's value in the form for people.
  var plainText: String {
    switch self {
    case .null: "none"
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let text): text
    case .array(let items): items.isEmpty ? "none" : items.map(\.plainText).joined(separator: ", ")
    case .object: description
    }
  }

  /// The value inside a sentence: text in quotes and truncated.
  var quotedText: String {
    guard case .string(let text) = self else { return plainText }
    return "'\(text.quotable)'"
  }
}
