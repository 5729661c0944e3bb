extension JSONWriter {
  /// Appends a quoted string.
  ///
  /// Most strings need no escape. So the text is copied as it is, in one go, and only then
  /// searched; what follows the first character to be escaped is taken back and written with care.
  mutating func appendText(_ text: String) {
    bytes.append(ASCII.quote)
    let start = bytes.count
    bytes += text.utf8
    if let index = bytes[start...].firstIndex(where: Self.needsEscape) {
      let rest = Array(bytes[index...])
      bytes.removeSubrange(index...)
      appendEscaping(rest)
    }
    bytes.append(ASCII.quote)
  }

  /// Appends text with its escapes, copying what lies between them in runs.
  private mutating func appendEscaping(_ text: [UInt8]) {
    var rest = text[...]
    while let index = rest.firstIndex(where: Self.needsEscape) {
      bytes += rest[..<index]
      appendEscape(rest[index])
      rest = rest[(index + 1)...]
    }
    bytes += rest
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case ASCII.quote, ASCII.backslash: bytes += [ASCII.backslash, byte]
    case ASCII.backspace: bytes += #"\b"#.utf8
    case ASCII.formFeed: bytes += #"\f"#.utf8
    case ASCII.lineFeed: bytes += #"\n"#.utf8
    case ASCII.carriageReturn: bytes += #"\r"#.utf8
    case ASCII.tab: bytes += #"\t"#.utf8
    default:
      bytes += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8
      bytes += String(byte, radix: 16).utf8
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash || byte == ASCII.delete
  }
}
