extension StringProtocol {
  /// Whether two texts are the same, byte for byte: what a user typed is compared by this.
  ///
  /// The operator `==` also calls two spellings of a character equal, so that an edit from one to
  /// the other would be lost, and sorts combining marks to find out: of a text with half a million
  /// of them in a row it would never come to an end. This takes time in proportion to the length.
  @inlinable
  package func isIdentical(to other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Texts in one piece are compared as such; their views would count along.
    let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }
    return (areEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the text begins with another, byte for byte.
  package func starts(withText other: some StringProtocol) -> Bool {
    utf8.starts(with: other.utf8)
  }
}

extension String {
  /// Whether the text begins with another, byte for byte.
  ///
  /// For itself, as what is generic here has a process search its conformances when it is first called.
  package func starts(withText other: String) -> Bool {
    let count = other.utf8.count
    guard utf8.count >= count else { return false }
    return String(utf8.prefix(count)).map { $0.isIdentical(to: other) } ?? false
  }
}

extension [String] {
  /// Whether one of the texts is this one, byte for byte.
  package func containsText(_ text: String) -> Bool {
    for own in self where own.isIdentical(to: text) { return true }
    return false
  }
}

extension Sequence<String> {
  /// Whether one of the texts is this one, byte for byte.
  package func containsText(_ text: String) -> Bool {
    contains { $0.isIdentical(to: text) }
  }
}

extension [String] {
  /// Whether both are the same texts in the same order, byte for byte.
  package func isIdentical(to other: [String]) -> Bool {
    elementsEqual(other) { $0.isIdentical(to: $1) }
  }
}

extension String? {
  /// Whether both are the same text, byte for byte, or neither is one.
  package func isIdentical(to other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isIdentical(to: other)
  }
}
