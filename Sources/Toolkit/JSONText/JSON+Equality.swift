extension JSON: Equatable {
  /// Whether two values are of the same case with the same content.
  ///
  /// Members must be in the same order. Strings are compared code unit by code unit (RFC 8259
  /// §8.3), so a precomposed letter differs from its decomposed form. An integer never equals a
  /// real. Reals compare by IEEE 754, so a NaN differs from itself. The depth of the values costs
  /// no call stack.
  public static func == (left: JSON, right: JSON) -> Bool {
    var inner: [(JSON, JSON)] = []
    guard agree(left, right, butFor: &inner) else { return false }
    while let (left, right) = inner.popLast() {
      guard agree(left, right, butFor: &inner) else { return false }
    }
    return true
  }

  /// Whether two values agree, provided that the inner values, which it adds as pairs, do.
  private static func agree(
    _ left: JSON,
    _ right: JSON,
    butFor inner: inout [(JSON, JSON)]
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.integer(let left), .integer(let right)): return left == right
    case (.real(let left), .real(let right)): return left == right
    case (.string(let left), .string(let right)): return left.isIdentical(to: right)
    case (.array(let left), .array(let right)):
      inner += zip(left, right)
      return left.count == right.count
    case (.object(let left), .object(let right)):
      inner += zip(left, right).map { ($0.value, $1.value) }
      return left.count == right.count
        && zip(left, right).allSatisfy { $0.name.isIdentical(to: $1.name) }
    default: return false
    }
  }
}

extension JSON.Member: Equatable {
  /// Whether two members have the same name and the same value.
  ///
  /// Names are compared code unit by code unit (RFC 8259 §8.3).
  public static func == (left: JSON.Member, right: JSON.Member) -> Bool {
    left.name.isIdentical(to: right.name) && left.value == right.value
  }
}
