/// A command line up to the cursor, as bash passes it.
///
/// Bash passes its words as they were typed, broken at characters such as `:` and `@` inside them,
/// and replaces only the part after the last of those. So the line is parsed here.
struct BashLine {
  /// The complete words, the program's name first.
  private(set) var words: [String] = []
  /// The text of the incomplete word; empty if there is none.
  private(set) var begun = ""
  /// How much of that is not replaced, in scalars.
  private var kept = 0
  /// The open quote, and the length before it.
  private var quote: Unicode.Scalar?
  private var opened = 0

  /// Parses a line.
  ///
  /// - Parameters:
  ///   - line: The line up to the cursor.
  ///   - breaks: The characters that break words for completion: `COMP_WORDBREAKS`.
  init(_ line: String, breaks: String) {
    var word = String.UnicodeScalarView()
    var isWord = false
    var rest = line.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch (quote, scalar) {
      case (nil, " "), (nil, "\t"), (nil, "\n"):
        if isWord { words.append(String(word)) }
        (word, isWord, kept) = (.init(), false, 0)
        continue
      case (nil, "\\"):
        if let next = rest.popFirst() { word.append(next) }
      case (nil, "'"), (nil, "\""):
        quote = scalar
        opened = word.count
      case (let open?, _) where open == scalar:
        quote = nil
      case ("\""?, "\\"):
        word.append(rest.first.map(Self.isEscapedInQuotes) ?? false ? rest.removeFirst() : scalar)
      default:
        // Bash includes these two in the replaced part.
        if breaks.unicodeScalars.contains(scalar), quote == nil {
          kept = word.count + (scalar == "@" || scalar == "$" ? 0 : 1)
        }
        word.append(scalar)
      }
      isWord = true
    }
    begun = String(word)
    if quote != nil { kept = opened }
  }

  /// Returns the text that replaces the incomplete word: the part after the unreplaced text.
  func written(_ word: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in word.unicodeScalars.dropFirst(kept) {
      switch quote {
      case "'":
        text.append(contentsOf: (scalar == "'" ? #"'\''"# : String(scalar)).unicodeScalars)
      case nil where Self.isPlain(scalar): text.append(scalar)
      case nil: text.append(contentsOf: ["\\", scalar])
      default:
        if Self.isEscapedInQuotes(scalar) { text.append("\\") }
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// Whether a backslash escapes it inside `"`.
  private static func isEscapedInQuotes(_ scalar: Unicode.Scalar) -> Bool {
    "\"\\$`".unicodeScalars.contains(scalar)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: "-_./@+:,%=".unicodeScalars.contains(scalar)
    }
  }
}
