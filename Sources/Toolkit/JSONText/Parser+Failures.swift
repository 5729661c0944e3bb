extension Parser {
  /// Returns the error that the next byte is not what was expected.
  func failure(expected: String) -> JSONError {
    failure("expected \(expected), found \(found)", at: index)
  }

  /// Returns an error at an offset, with its line and column.
  ///
  /// Every byte before a fault is well-formed UTF-8, since the parser stops at the first fault. So
  /// the number of bytes that continue no sequence is the number of scalars.
  func failure(_ message: String, at offset: Int) -> JSONError {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
    return JSONError(
      offset: offset,
      line: before.count { $0 == ASCII.lineFeed } + 1,
      column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1,
      message: message
    )
  }

  /// The next byte, for a message: only visible ASCII is shown as itself.
  private var found: String {
    guard index < bytes.count else { return "end of input" }
    let lead = bytes[index]
    if lead > ASCII.space, lead < ASCII.delete { return "'\(Unicode.Scalar(lead))'" }
    if lead < 0x80 { return "U+\(hexadecimal(UInt32(lead), width: 4))" }
    guard let length = UTF8Sequence.length(in: bytes, at: index),
      let scalar = String(decoding: bytes[index..<(index + length)], as: UTF8.self)
        .unicodeScalars.first
    else { return "byte 0x\(hexadecimal(UInt32(lead), width: 2))" }
    return "U+\(hexadecimal(scalar.value, width: 4))"
  }

  /// Returns a name for a message: with control characters escaped, and truncated if it is long.
  func quoted(_ name: String) -> String {
    let scalars = name.unicodeScalars
    let shown = String(scalars.prefix(64))
    let rest = scalars.dropFirst(64).isEmpty ? "" : "…"
    return "'\(JSON.string(shown).description.dropFirst().dropLast())\(rest)'"
  }

  private func hexadecimal(_ value: UInt32, width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
