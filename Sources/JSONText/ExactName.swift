extension String {
  /// Whether two strings have the same code units.
  ///
  /// The operator `==` would also treat canonically equivalent strings as equal, which RFC 8259
  /// §8.3 does not. To compare them it sorts combining marks, and a hostile document could have any
  /// number of them.
  func isIdentical(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Contiguous texts are compared as buffers; the indices of their views would cost extra.
    let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        for index in bytes.indices where bytes[index] != others[index] { return false }
        return true
      }
    }
    return (areEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

/// A member name that is hashed and compared code unit by code unit.
///
/// The hash must not be that of `String`: canonically equivalent names share that one, and a
/// hostile document could then fill an object with colliding names.
struct ExactName: Hashable {
  let text: String

  static func == (left: ExactName, right: ExactName) -> Bool {
    left.text.isIdentical(to: right.text)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 {
      hasher.combine(byte)
    }
    // No code unit of UTF-8 is 0xFF, so no name is a prefix of another one.
    hasher.combine(0xFF as UInt8)
  }
}
