/// An incomplete line, up to the cursor: its words and their positions.
package struct TypedLine {
  /// A word, and the bytes in which it was typed.
  package struct TypedWord {
    /// The word.
    package let word: Word
    /// The bytes in which it was typed.
    package let range: Range<Int>
    /// Whether any of it is in quotes.
    package let isQuoted: Bool
  }

  /// The words of the last command.
  package private(set) var words: [TypedWord] = []
  private let count: Int

  /// Reads a line up to the cursor; a quote that is still open counts as closed there.
  package init(_ text: String) {
    let bytes = Array(text.utf8)
    count = bytes.count
    for closing in ["", "'", "\""] {
      let source = SourceText(name: "", bytes: bytes + Array(closing.utf8))
      var tokenizer = Tokenizer(source)
      var last: ScriptLine?
      var isReadable = true
      while let line = tokenizer.next() {
        switch line {
        case .success(let line): last = line
        case .failure: isReadable = false
        }
      }
      guard isReadable else { continue }
      words = (last?.words ?? [])
        .map { word in
          let end = min(Self.end(of: word.offset, in: bytes), bytes.count)
          let range = min(word.offset, bytes.count)..<end
          let isQuoted = bytes[range]
            .contains { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }
          return TypedWord(word: word, range: range, isQuoted: isQuoted)
        }
      return
    }
  }

  /// The word before the cursor, if it is not complete.
  package var begunWord: TypedWord? {
    guard let last = words.last, last.range.upperBound == count else { return nil }
    return last
  }

  /// Returns the end of the word that begins at an offset.
  private static func end(of offset: Int, in bytes: [UInt8]) -> Int {
    var quote: UInt8?
    var index = offset
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        index += 1
      } else if byte == quote {
        quote = nil
      } else if quote == nil {
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
        if [0x20, 0x09, 0x0A, 0x0D].contains(byte) { return index }
        if WideSpace.length(bytes[index...]) > 0 { return index }
      }
      index += 1
    }
    return bytes.count
  }
}

extension String {
  /// The text written as a word of a script: quoted if necessary.
  package var asScriptWord: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
      default: "-_./@+:,%=".utf8.contains(byte)
      }
    }
    if isPlain, !isEmpty, !WideSpace.isIn(self) { return self }
    let parts = split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}
