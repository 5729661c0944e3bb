/// A value as engines store it, of a type that every database has.
public enum StoredValue: Sendable, Hashable, Codable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number; finite.
  case real(Double)
  /// A text without U+0000.
  case text(String)

  /// The name of its type, for an error.
  var sort: String {
    switch self {
    case .null: "nothing"
    case .integer: "an integer"
    case .real: "a number"
    case .text: "a text"
    }
  }
}

/// The type of a column's values.
public enum StoredType: String, Sendable, Codable {
  /// Whole numbers.
  case integer
  /// Numbers.
  case real
  /// Texts, compared and ordered by their bytes.
  case text
}
