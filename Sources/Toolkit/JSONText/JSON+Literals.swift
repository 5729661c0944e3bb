extension JSON: ExpressibleByNilLiteral {
  /// Creates `.null` from `nil`.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates `.bool` from `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates `.integer` from an integer literal.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates `.real` from a floating-point literal.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension JSON: ExpressibleByStringLiteral {
  /// Creates `.string` from a string literal.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates `.array` from an array literal.
  public init(arrayLiteral elements: JSON...) {
    self = .array(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates `.object` from a dictionary literal.
  ///
  /// The members keep the order of the literal. Names that occur twice are kept twice.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
