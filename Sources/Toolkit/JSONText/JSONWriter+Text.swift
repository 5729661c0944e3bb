extension JSONWriter {
  /// Appends a quoted string.
  ///
  /// In addition to what RFC 8259 §7 requires, every ``Hazard`` is escaped: the meaning is the
  /// same, and the text is safe to show on a terminal. Most strings need no escape and are copied
  /// at once.
  mutating func appendText(_ text: String) {
    // Contiguous texts are read in place; others are made contiguous first.
    guard text.utf8.withContiguousStorageIfAvailable({ appendText($0) }) == nil else { return }
    var text = text
    text.withUTF8 { appendText($0) }
  }

  private mutating func appendText(_ text: UnsafeBufferPointer<UInt8>) {
    let plain = Hazard.nextCandidate(in: text, from: 0, or: ASCII.quote, ASCII.backslash)
    bytes.append(ASCII.quote)
    if plain == text.count {
      bytes.append(contentsOf: text)
    } else {
      appendEscaping(text, from: plain)
    }
    bytes.append(ASCII.quote)
  }

  /// Appends text with its escapes, copying the text between them in runs.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - candidate: The index of the first character that may have to be escaped.
  private mutating func appendEscaping(
    _ text: UnsafeBufferPointer<UInt8>,
    from candidate: Int
  ) {
    var index = candidate
    var run = 0
    while true {
      index = Hazard.nextCandidate(in: text, from: index, or: ASCII.quote, ASCII.backslash)
      guard index < text.count else { break }
      let length = Self.lengthToEscape(text, at: index)
      guard length > 0 else {
        index += 1
        continue
      }
      append(text, run..<index)
      appendEscape(of: text[index..<index + length])
      index += length
      run = index
    }
    append(text, run..<text.count)
  }

  /// Appends a part of a text, at once: a slice would be copied byte by byte.
  private mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[range]))
  }

  private static func lengthToEscape(
    _ text: UnsafeBufferPointer<UInt8>,
    at index: Int
  ) -> Int {
    switch text[index] {
    case ASCII.quote, ASCII.backslash: 1
    default: Hazard.length(in: text, at: index)
    }
  }

  /// Appends the escape of one character, given its bytes.
  private mutating func appendEscape(of character: Slice<UnsafeBufferPointer<UInt8>>) {
    let byte = character[character.startIndex]
    switch byte {
    case ASCII.quote, ASCII.backslash: bytes += [ASCII.backslash, byte]
    case ASCII.backspace: bytes += #"\b"#.utf8
    case ASCII.formFeed: bytes += #"\f"#.utf8
    case ASCII.lineFeed: bytes += #"\n"#.utf8
    case ASCII.carriageReturn: bytes += #"\r"#.utf8
    case ASCII.tab: bytes += #"\t"#.utf8
    default: appendCodeUnit(Self.codeUnit(of: character))
    }
  }

  /// Returns the code unit of a character of one to three bytes of UTF-8.
  private static func codeUnit(of character: Slice<UnsafeBufferPointer<UInt8>>) -> UInt16 {
    let lead = character[character.startIndex]
    let leadBits: UInt8 = character.count == 1 ? 0x7F : character.count == 2 ? 0x1F : 0x0F
    return character.dropFirst()
      .reduce(UInt16(lead & leadBits)) { unit, byte in unit << 6 | UInt16(byte & 0x3F) }
  }

  /// Appends `\u` and four hexadecimal digits.
  private mutating func appendCodeUnit(_ unit: UInt16) {
    bytes += #"\u"#.utf8
    for shift in [12, 8, 4, 0] {
      bytes.append(ASCII.hexadecimalDigit(unit >> shift))
    }
  }
}
