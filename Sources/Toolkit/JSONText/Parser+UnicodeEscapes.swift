extension Parser {
  /// Reads an escape of four hexadecimal digits, or two that form a surrogate pair.
  ///
  /// The backslash is at `start` and the next byte is the `u` after it.
  mutating func unicodeEscape(from start: Int, into text: inout [UInt8]) throws(JSONError) {
    let first = try codeUnit()
    guard first != 0 else {
      throw failure("expected any character but U+0000, found \(spelling(at: start))", at: start)
    }
    let scalar = Unicode.Scalar(first) ?? pairedScalar(high: first)
    guard let scalar else {
      throw failure("expected a surrogate pair, found a lone \(spelling(at: start))", at: start)
    }
    text += scalar.utf8
  }

  /// Reads the low half of a surrogate pair; nil, and nothing read, when the text has no such pair.
  private mutating func pairedScalar(high: UInt32) -> Unicode.Scalar? {
    let start = index
    guard (0xD800...0xDBFF).contains(high), byte == ASCII.backslash else { return nil }
    index += 1
    if byte == UInt8(ascii: "u"), let low = try? codeUnit(), (0xDC00...0xDFFF).contains(low) {
      return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    }
    index = start
    return nil
  }

  /// Reads the four digits after the `u` that is the next byte.
  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      index += 1
      guard let digit = ASCII.hexadecimal(byte) else {
        throw failure(expected: "four hexadecimal digits after '\\u'")
      }
      value = value << 4 | digit
    }
    index += 1
    return value
  }

  /// Returns the six characters of the escape that begins at an index.
  private func spelling(at start: Int) -> String {
    String(decoding: bytes[start..<(start + 6)], as: UTF8.self)
  }
}
