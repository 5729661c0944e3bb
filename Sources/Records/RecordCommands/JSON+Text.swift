import EventRecords
import EventValues
package import JSONText

extension JSON {
  /// A field's value in the form for people.
  package var plainText: String {
    switch self {
    case .null: "none"
    case .bool(let flag): flag ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .string(let text): text
    case .array(let items): items.isEmpty ? "none" : items.map(\.partText).joined(separator: ", ")
    case .object(let members):
      members.isEmpty
        ? "none"
        : referredText
          ?? members.map { "\($0.name.inWords): \($0.value.partText)" }.joined(separator: ", ")
    }
  }

  /// The same inside a composed value: what is composed itself stands in parentheses.
  private var partText: String {
    switch self {
    case .array(let items) where !items.isEmpty: "(\(plainText))"
    case .object(let members) where !members.isEmpty: "(\(plainText))"
    case .string(""): "none"
    default: plainText
    }
  }

  /// The value inside a sentence: text in quotes and truncated.
  package var quotedText: String {
    guard case .string(let text) = self else { return plainText }
    return "'\(text.quotable)'"
  }
}

extension String {
  /// The name of a property in words: `postal code` of `postalCode`.
  package var inWords: String {
    // By bytes: each character would be looked up in Unicode's tables, for each field of each page.
    var words: [UInt8] = []
    var isAfterLetter = false
    for byte in utf8 {
      let isUpper = (0x41...0x5A).contains(byte)
      if isUpper, isAfterLetter { words.append(UInt8(ascii: " ")) }
      words.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : isUpper ? byte + 0x20 : byte)
      isAfterLetter = isUpper || (0x61...0x7A).contains(byte) || byte >= 0x80
    }
    return String(decoding: words, as: UTF8.self)
  }
}
