import EventValues
import JSONText

/// Control characters that are not escaped in a text for a terminal.
public struct KeptControls: OptionSet, Sendable {
  /// One bit for each control character.
  public let rawValue: UInt8

  /// Creates a set of these bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The newline, U+000A.
  public static let newline = KeptControls(rawValue: 1)
  /// The tab, U+0009.
  public static let tab = KeptControls(rawValue: 2)
}

/// Escapes everything that a terminal would interpret or that would mislead a reader, as `\u{1B}`.
///
/// That is: the controls C0, DEL and C1; the marks, embeddings, overrides and isolates that change
/// the direction of text (U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069); the separators U+2028
/// and U+2029. The same characters are escaped in JSON. So is what shows nothing, as
/// `invisibleCharacter` finds it: a text looks different from one without it. Backslashes stay as
/// they are: the result is for people, not to be parsed. A text of ASCII with
/// nothing to escape is only scanned.
///
/// - Parameters:
///   - text: Any text.
///   - kept: The control characters to keep; none by default.
/// - Returns: The text, safe to print.
public func escapedForTerminal(
  _ text: some StringProtocol,
  keeping kept: KeptControls = []
) -> String {
  var text = String(text)
  let hasHazard = text.withUTF8 { containsHazard($0, keeping: kept) }
  guard hasHazard || text.invisibleCharacter != nil else { return text }
  var result = ""
  result.reserveCapacity(text.utf8.count + 16)
  let scalars = Array(text.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    if isHazard(scalar, keeping: kept) || scalars.isInvisible(at: index) {
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isHazard(_ scalar: Unicode.Scalar, keeping kept: KeptControls) -> Bool {
  Hazard.contains(scalar) && !kept.contains(scalar)
}

/// Whether `isHazard` holds for any character of a text in UTF-8.
private func containsHazard(
  _ bytes: UnsafeBufferPointer<UInt8>,
  keeping kept: KeptControls
) -> Bool {
  var index = Hazard.nextCandidate(in: bytes, from: 0)
  while index < bytes.count {
    let isHazard =
      Hazard.length(in: bytes, at: index) > 0 && !kept.contains(Unicode.Scalar(bytes[index]))
    if isHazard { return true }
    index = Hazard.nextCandidate(in: bytes, from: index + 1)
  }
  return false
}

extension KeptControls {
  fileprivate func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t": contains(.tab)
    case "\n": contains(.newline)
    default: false
    }
  }
}
