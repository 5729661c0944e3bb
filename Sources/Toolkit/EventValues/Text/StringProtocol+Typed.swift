extension StringProtocol {
  /// Whether the text is short enough to be the name of anything that is declared.
  ///
  /// Longer text is not looked up: hashing a text sorts its combining marks, of which a user can
  /// type any number.
  @inlinable
  package var mayBeName: Bool { utf8.count <= 64 }

  /// The text as a message quotes it: no more than 40 characters.
  ///
  /// A character can have any number of marks, so the scalars are counted, too.
  public var quotable: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.prefix(160))
    let head = String(scalars)
    let isWhole = head.utf8.count == utf8.count
    return isWhole && head.count <= 40 ? head : head.prefix(39) + "…"
  }
}

extension String {
  /// The names between commas, `a` and `b` of `a,b`, without blanks around them; the text itself if there
  /// is none.
  public var betweenCommas: [String] {
    guard utf8.contains(UInt8(ascii: ",")) else { return [self] }
    let names = split(separator: ",").map { $0.withoutBlanksAround }.filter { !$0.isEmpty }
    return names.isEmpty ? [self] : names
  }
}

extension StringProtocol {
  /// The text without blanks and tabs at its ends.
  public var withoutBlanksAround: String {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "\t" || scalar.properties.generalCategory == .spaceSeparator
    }
    guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }),
      let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
