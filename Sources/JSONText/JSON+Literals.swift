extension JSON: ExpressibleByNilLiteral {
  /// Writes `.null` as `nil`.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Writes `.bool` as `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Writes `.integer` as an integer literal.
  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Writes `.real` as a floating-point literal.
  public init(floatLiteral value: Double) {
    self = .real(value)
  }
}

extension JSON: ExpressibleByStringLiteral {
  /// Writes `.string` as a string literal.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Writes `.array` as an array literal.
  public init(arrayLiteral elements: JSON...) {
    self = .array(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Writes `.object` as a dictionary literal.
  ///
  /// The members keep the order of the literal. Names that occur twice are kept twice.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
