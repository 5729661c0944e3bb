/// Characters that a terminal interprets, or that mislead its reader.
///
/// That is: the controls C0, DEL and C1; the marks, embeddings, overrides and isolates that change
/// the direction of text (U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069); the separators U+2028
/// and U+2029. In UTF-8 those beyond DEL begin with C2, D8 9C, E2 80 or E2 81.
package enum Hazard {
  /// Whether a character is a hazard.
  package static func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns the length of the hazard that begins at an index; 0 if none does.
  package static func length(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    switch bytes[index] {
    case 0x00...0x1F, 0x7F: return 1
    case 0xC2: return follows(bytes, index, 0x80...0x9F) ? 2 : 0
    case 0xD8: return follows(bytes, index, 0x9C...0x9C) ? 2 : 0
    case 0xE2: return endsHazard(bytes, index) ? 3 : 0
    default: return 0
    }
  }

  /// Whether the byte after an index is in a range.
  private static func follows(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ index: Int,
    _ range: ClosedRange<UInt8>
  ) -> Bool {
    index + 1 < bytes.count && range.contains(bytes[index + 1])
  }

  /// Whether two bytes after the E2 at an index make a hazard with it.
  private static func endsHazard(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index + 2 < bytes.count else { return false }
    switch (bytes[index + 1], bytes[index + 2]) {
    case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): return true
    default: return false
    }
  }

  /// Returns the next index where a hazard may begin, or where one of two further characters is;
  /// the count if there is none.
  ///
  /// None of them lies before that index. Examines eight bytes at a time.
  package static func nextCandidate(
    in bytes: UnsafeBufferPointer<UInt8>,
    from start: Int,
    or first: UInt8 = 0,
    _ second: UInt8 = 0
  ) -> Int {
    var index = start
    while bytes.count - index >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawBufferPointer(bytes)
          .loadUnaligned(fromByteOffset: index, as: UInt64.self)
      )
      let marks =
        word.bytesBelowSpace | word.bytes(equalTo: ASCII.delete) | word.bytes(equalTo: first)
        | word.bytes(equalTo: second) | (word & .topBits == 0 ? 0 : word.leadsOfHazards)
      guard marks == 0 else { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == first || byte == second { return index }
      // Most are visible ASCII.
      if byte &- ASCII.space >= ASCII.delete - ASCII.space {
        switch byte {
        case 0x00...0x1F, ASCII.delete, 0xC2, 0xD8, 0xE2: return index
        default: break
        }
      }
      index += 1
    }
    return index
  }
}

/// Eight bytes at a time, the first of them lowest. A mark is the top bit of its byte; after the
/// first mark there may be false ones.
extension UInt64 {
  fileprivate static let topBits: UInt64 = 0x8080_8080_8080_8080

  /// Marks the bytes that are zero.
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & topBits
  }

  /// Marks the bytes that are equal to a byte.
  fileprivate func bytes(equalTo byte: UInt8) -> UInt64 {
    Self.zeroBytes(self ^ (0x0101_0101_0101_0101 &* UInt64(byte)))
  }

  /// Marks the bytes below the space.
  fileprivate var bytesBelowSpace: UInt64 {
    (self &- 0x2020_2020_2020_2020) & ~self & Self.topBits
  }

  /// Marks the bytes with which a hazard beyond ASCII may begin.
  ///
  /// Half of all Arabic letters begin with D8, so the byte after it is examined, too; a D8 in the
  /// last byte is always marked, as the byte after it is unknown.
  fileprivate var leadsOfHazards: UInt64 {
    let behindD8 = bytes(equalTo: 0x9C) >> 8 | 0x80 << 56
    return bytes(equalTo: 0xC2) | bytes(equalTo: 0xE2) | bytes(equalTo: 0xD8) & behindD8
  }
}
