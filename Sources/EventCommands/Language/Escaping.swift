/// Control characters that a text may keep on its way to a terminal.
public struct KeptControls: OptionSet, Sendable {
  /// One bit for each control character.
  public let rawValue: UInt8

  /// Makes a set of those bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The newline, U+000A.
  public static let newline = KeptControls(rawValue: 1)
  /// The tab, U+0009.
  public static let tab = KeptControls(rawValue: 2)
}

/// The text with everything a terminal would obey, or be misled by, written as `\u{1B}`.
///
/// That is: the controls C0, DEL and C1; the marks, embeddings, overrides and isolates that turn
/// the direction of text (U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069); the separators
/// U+2028 and U+2029. Backslashes stay as they are: the result is for people, not to be read back.
/// A text with nothing to escape is only looked through, byte by byte.
///
/// - Parameters:
///   - text: Any text.
///   - kept: The control characters to leave alone; none unless said.
/// - Returns: The text, safe to print.
public func escapedForTerminal(
  _ text: some StringProtocol,
  keeping kept: KeptControls = []
) -> String {
  var text = String(text)
  guard text.withUTF8({ containsHazard($0, keeping: kept) }) else { return text }
  var result = ""
  result.reserveCapacity(text.utf8.count + 16)
  for scalar in text.unicodeScalars {
    if isHazard(scalar, keeping: kept) {
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isHazard(_ scalar: Unicode.Scalar, keeping kept: KeptControls) -> Bool {
  switch scalar.value {
  case 0x09: !kept.contains(.tab)
  case 0x0A: !kept.contains(.newline)
  case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
  default: false
  }
}

/// `isHazard` on the UTF-8 of a whole text.
private func containsHazard(
  _ bytes: UnsafeBufferPointer<UInt8>,
  keeping kept: KeptControls
) -> Bool {
  for (index, byte) in bytes.enumerated() {
    let isHazard =
      switch byte {
      case 0x20...0x7E: false
      case 0x09: !kept.contains(.tab)
      case 0x0A: !kept.contains(.newline)
      case 0x00...0x1F, 0x7F: true
      case 0xC2, 0xD8, 0xE2: startsHazard(bytes[index...])
      default: false
      }
    if isHazard { return true }
  }
  return false
}

/// Whether a character of two or three bytes is one of the hazards, all of which begin with C2,
/// D8 9C, E2 80 or E2 81.
private func startsHazard(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
  let second = bytes.dropFirst().first ?? 0
  let third = bytes.dropFirst(2).first ?? 0
  switch (bytes.first, second) {
  case (0xC2, _): return second < 0xA0
  case (0xD8, _): return second == 0x9C
  case (0xE2, 0x80): return third == 0x8E || third == 0x8F || (0xA8...0xAE).contains(third)
  case (0xE2, 0x81): return (0xA6...0xA9).contains(third)
  default: return false
  }
}
