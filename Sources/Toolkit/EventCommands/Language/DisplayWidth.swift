/// The number of terminal columns a text takes.
///
/// Counted for each grapheme cluster, as current terminals do: an emoji is two columns wide, whatever
/// it is composed of, and so is what asks for the look of one (U+FE0F) and a flag. Anything else is
/// as wide as the scalar it begins with and the marks and letters after it that have a width of their
/// own, as in the scripts of India.
public enum DisplayWidth {
  /// Returns the columns that a text takes, in time proportional to its length.
  public static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// Returns as many of a text's first characters as fit into some columns.
  public static func prefix(of text: String, columns: Int) -> String {
    var room = columns
    return String(
      text.prefix { character in
        room -= of(character)
        return room >= 0
      }
    )
  }

  /// Returns the columns of a character: 0 for controls and for isolated marks, else 1 or 2.
  public static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return (0x20...0x7E).contains(ascii) ? 1 : 0 }
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    let width = isInvisible(first) ? 0 : isWide(first) ? 2 : 1
    guard width == 1, let second = scalars.dropFirst().first else { return width }
    let isFlag = regionalIndicators.contains(first) && regionalIndicators.contains(second)
    guard !isFlag, second != "\u{FE0F}" else { return 2 }
    return scalars.dropFirst().reduce(width) { isInvisible($1) || isWide($1) ? $0 : $0 + 1 }
  }

  /// Returns the columns that some terminal may take for a character: more than ``of(_:)-(Character)``
  /// counts where its scalars are counted one by one, as those of a skin tone are; nil if all agree.
  ///
  /// Where it is not nil, the place after the character is to be set, not assumed.
  public static func most(_ character: Character) -> Int? {
    let scalars = character.unicodeScalars
    guard scalars.dropFirst().contains(where: isContested) else { return nil }
    return max(of(character), scalars.reduce(0) { $0 + of(Character($1)) })
  }

  /// Whether terminals disagree about a scalar after another: all but marks that take no column.
  private static func isContested(_ scalar: Unicode.Scalar) -> Bool {
    guard !(0xFE00...0xFE0F).contains(scalar.value), scalar != "\u{20E3}" else { return true }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: false
    default: true
    }
  }

  private static var regionalIndicators: ClosedRange<Unicode.Scalar> {
    "\u{1F1E6}"..."\u{1F1FF}"
  }

  /// Whether the scalar takes no column of its own: combining marks, format characters, controls,
  /// and the later parts of a Hangul syllable.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: true
    // Terminals show the soft hyphen.
    case .format: scalar != "\u{AD}"
    default: (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x1100 else { return false }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(scalar.value)
  }

  /// The scalars of East Asian width W or F.
  ///
  /// From UAX #11, EastAsianWidth.txt of Unicode 16, which gives W to everything with the property
  /// Emoji_Presentation of UTS #51 except the regional indicators. Ranges are joined across scalars
  /// that are not assigned.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
    0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653,
    0x267F...0x267F, 0x268A...0x268F, 0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB,
    0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705,
    0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
    0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C,
    0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1D300...0x1D356,
    0x1D360...0x1D376, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
    0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C,
    0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0,
    0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
    0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
    0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC,
    0x1F6F4...0x1F6FF, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
    0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
