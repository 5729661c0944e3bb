/// The well-formed multi-byte sequences of UTF-8 (The Unicode Standard, Table 3-7).
enum UTF8Sequence {
  /// Returns the length of the sequence of 2 to 4 bytes at an index; nil if it is ill-formed.
  ///
  /// Only the second byte has a narrower range than 0x80 to 0xBF for some lead bytes. That is what
  /// keeps out overlong forms, surrogates and everything beyond U+10FFFF.
  static func length(in bytes: [UInt8], at index: Int) -> Int? {
    guard let (length, second) = shape(lead: bytes[index]),
      length <= bytes.count - index,
      second.contains(bytes[index + 1])
    else { return nil }
    for next in bytes[(index + 2)..<(index + length)] where next & 0xC0 != 0x80 {
      return nil
    }
    return length
  }

  private static func shape(lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>)? {
    switch lead {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: nil
    }
  }
}
