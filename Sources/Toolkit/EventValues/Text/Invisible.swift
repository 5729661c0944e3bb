public import EventMVVM
import JSONText

extension StringProtocol {
  /// The first character that shows nothing, so that two texts which differ by it look alike; nil if
  /// there is none.
  ///
  /// That is what Unicode calls default ignorable (UAX #44), such as U+200B, the soft hyphen, U+2060
  /// and the Hangul fillers, and the marks of annotations (U+FFF9–FFFB), but not the marks of direction,
  /// which are always shown escaped. Characters that change what
  /// is beside them are none: ZWJ and ZWNJ where they join (in an emoji, between letters of a script
  /// that joins), a variation selector after what has variations, the tags of a flag. White space is
  /// none either. Takes time in proportion to the length.
  @inlinable
  public var invisibleCharacter: Unicode.Scalar? { String(self).firstInvisible }
}

extension String {
  @usableFromInline var firstInvisible: Unicode.Scalar? {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let scalars = Array(unicodeScalars)
    return scalars.indices.first { scalars.isInvisible(at: $0) }.map { scalars[$0] }
  }

  /// Throws a failure if a name contains a character that shows nothing: people tell names apart by
  /// their look.
  ///
  /// - Parameters:
  ///   - subject: What the name is of, with its article, at the beginning of a sentence.
  ///   - field: The field that has it.
  /// - Throws: The failure.
  public func checkVisible(as subject: String, field: String) throws(Failure) {
    guard let hidden = invisibleCharacter else { return }
    let isBlank = unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
    }
    if isBlank { throw Failure(.validation, "\(subject) is one line and not empty.", field: field) }
    let code = String(hidden.value, radix: 16, uppercase: true)
    throw Failure(
      .validation,
      "\(subject) can't contain U+\(code), which shows nothing; write it without.",
      field: field
    )
  }
}

extension [Unicode.Scalar] {
  /// Whether the character at an index shows nothing and changes nothing beside it.
  package func isInvisible(at index: Int) -> Bool {
    let scalar = self[index]
    guard scalar.value >= 0xAD, !Hazard.contains(scalar) else { return false }
    let before = index > 0 ? self[index - 1] : nil
    switch scalar.value {
    case 0x200C, 0x200D: return !joins(at: index)
    case 0x180B...0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      let isKeycap = index + 1 < count && self[index + 1] == "\u{20E3}"
      return !(before?.hasVariations ?? false) && !isKeycap
    case 0xE0020...0xE007F:
      // No flag has more tags.
      let base = self[Swift.max(0, index - 32)..<index]
        .last { !(0xE0020...0xE007E).contains($0.value) }
      return base != "\u{1F3F4}"
    case 0xFFF9...0xFFFB: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a ZWJ or ZWNJ changes the characters around it (compare RFC 5892, appendix A).
  private func joins(at index: Int) -> Bool {
    guard index > 0 else { return false }
    let (before, after) = (self[index - 1], index + 1 < count ? self[index + 1] : nil)
    if before.properties.canonicalCombiningClass == .virama { return true }
    guard let after else { return self[index] == "\u{200D}" && before.isOfJoiningScript }
    if self[index] == "\u{200D}", after.isPicture {
      return before.isPicture || before == "\u{FE0F}"
    }
    return before.isOfJoiningScript && after.isOfJoiningScript
  }
}

extension Unicode.Scalar {
  /// Whether it is a picture that may be a part of an emoji.
  fileprivate var isPicture: Bool { value > 0x7F && properties.isEmoji }

  /// Whether a variation selector after it can have an effect: after a picture, a symbol, an
  /// ideograph, marks of quotation and of East Asia, and letters of Myanmar and Mongolian.
  fileprivate var hasVariations: Bool {
    isPicture || properties.isIdeographic
      || [.mathSymbol, .otherSymbol].contains(properties.generalCategory)
      || (0x2018...0x201D).contains(value) || (0xFF00...0xFFEF).contains(value)
      || (0x1000...0x109F).contains(value) || (0x1800...0x18AF).contains(value)
      || (0xA840...0xA87F).contains(value) || (0x3000...0x30FF).contains(value)
  }

  /// Whether it is a letter or mark of a script whose letters join, from Arabic to Mongolian.
  fileprivate var isOfJoiningScript: Bool {
    switch value {
    case 0x600...0x109F, 0x1700...0x1CFF, 0xA800...0xABFF, 0x10A00...0x11FFF, 0x1E900...0x1E95F:
      properties.isAlphabetic || properties.canonicalCombiningClass != .notReordered
    default: false
    }
  }
}
