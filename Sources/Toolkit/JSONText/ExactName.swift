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
