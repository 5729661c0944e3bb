extension Parser {
  /// Reads a string (RFC 8259 §7) whose opening quote is the next byte.
  mutating func string() throws(JSONError) -> String {
    index += 1
    let start = index
    try skipPlainText()
    var end = index
    guard byte == ASCII.backslash else {
      index += 1
      // Not from the slice, which would be a second owner of the bytes.
      return bytes.withUnsafeBufferPointer { bytes in
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
      }
    }
    var text = Array(bytes[start..<end])
    while byte == ASCII.backslash {
      try escape(into: &text)
      end = index
      try skipPlainText()
      text += bytes[end..<index]
    }
    index += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips literal text, up to a quote or backslash.
  private mutating func skipPlainText() throws(JSONError) {
    while index < bytes.count {
      switch bytes[index] {
      case ASCII.quote, ASCII.backslash:
        return
      case ..<ASCII.space:
        throw failure(expected: "a control character to be escaped")
      case ..<0x80:
        index += 1
      default:
        guard let length = UTF8Sequence.length(in: bytes, at: index) else {
          throw failure(expected: "well-formed UTF-8")
        }
        index += length
      }
    }
    throw failure(expected: "'\"' to end the string")
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let start = index
    index += 1
    switch byte {
    case ASCII.quote, ASCII.backslash, ASCII.slash: text.append(byte)
    case UInt8(ascii: "b"): text.append(ASCII.backspace)
    case UInt8(ascii: "f"): text.append(ASCII.formFeed)
    case UInt8(ascii: "n"): text.append(ASCII.lineFeed)
    case UInt8(ascii: "r"): text.append(ASCII.carriageReturn)
    case UInt8(ascii: "t"): text.append(ASCII.tab)
    case UInt8(ascii: "u"): return try unicodeEscape(from: start, into: &text)
    default: throw failure(expected: "one of \" \\ / b f n r t u after '\\'")
    }
    index += 1
  }
}
