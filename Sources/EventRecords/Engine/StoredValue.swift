/// A value as engines keep it: what every database has.
public enum StoredValue: Sendable, Hashable, Codable {
  /// Nothing.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number; finite.
  case real(Double)
  /// A text without U+0000.
  case text(String)

  /// What sort of value it is, for an error.
  var sort: String {
    switch self {
    case .null: "nothing"
    case .integer: "an integer"
    case .real: "a number"
    case .text: "a text"
    }
  }
}

/// What sort of value a column has.
public enum StoredType: String, Sendable, Codable {
  /// Whole numbers.
  case integer
  /// Numbers.
  case real
  /// Texts, told apart and ordered by their bytes.
  case text
}
