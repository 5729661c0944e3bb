/// The spaces of Unicode other than that of ASCII (the category Zs), in UTF-8.
enum WideSpace {
  /// Returns the length of the space at the beginning; 0 if there is none.
  static func length(_ bytes: some Collection<UInt8>) -> Int {
    var rest = bytes.makeIterator()
    guard let first = rest.next(), first >= 0xC2, let second = rest.next() else { return 0 }
    if first == 0xC2 { return second == 0xA0 ? 2 : 0 }
    guard let third = rest.next() else { return 0 }
    return switch (first, second, third) {
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F),
      (0xE3, 0x80, 0x80):
      3
    default: 0
    }
  }

  /// Whether a text contains one.
  static func isIn(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { bytes[$0] >= 0xC2 && length(bytes[$0...]) > 0 }
  }
}
