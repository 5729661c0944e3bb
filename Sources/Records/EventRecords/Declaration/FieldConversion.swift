import EventValues
import JSONText

/// A conversion of the values of a field, from a type that it had in an earlier version; see
/// ``Fields/converted(_:from:_:)``.
public struct FieldConversion: Sendable {
  /// Whether the values are integers, and SQL's `CAST` converts them to the new type, or would lose a part of
  /// one.
  public let isCast: Bool
  /// The ranks of the values that are converted; an earlier version stored these in place of the names.
  public let ranks: [RankedName]
  private let convertStored: @Sendable (StoredValue) throws -> StoredValue
  private let convertJSON: @Sendable (JSON) throws -> JSON

  @usableFromInline
  init<Old: FieldValue, New: FieldValue>(
    isCast: Bool,
    _ convert: @escaping @Sendable (Old) throws -> New
  ) {
    self.isCast = isCast
    ranks = Old._ranks
    convertStored = { try convert(Old(stored: $0)).stored }
    convertJSON = { value in
      var json = JSONWriter()
      try convert(Old(field: value)).writeField(to: &json)
      return try JSON(parsing: json.bytes)
    }
  }

  /// Returns a stored value in the new type; null stays.
  ///
  /// - Throws: Why it can't be converted.
  public func converted(_ value: StoredValue) throws -> StoredValue {
    value == .null ? .null : try convertStored(value)
  }

  /// Why an integer can't be converted to a number of another type.
  public static let loss = "a part of the number would be lost"

  /// Says why a value can't be converted.
  public static func reason(_ error: any Error) -> String {
    (error as? StoreError)?.cause ?? (error as? ValueError)?.message ?? "\(error)"
  }

  /// Returns a value of the log, or of a recording, in the new type; null stays.
  func converted(_ value: JSON) throws -> JSON { value == .null ? .null : try convertJSON(value) }
}

/// A type to which integers can be converted without a loss: a field may become one.
public protocol IntegerConvertible: FieldValue {
  /// Converts an integer.
  ///
  /// - Throws: An error if a part of it would be lost.
  static func converting(_ number: Int) throws -> Self
  // Whether SQL's CAST does the same.
  static var _isCast: Bool { get }
}

extension IntegerConvertible {
  /// False: each value is converted by itself.
  public static var _isCast: Bool { false }
}

extension Double: IntegerConvertible {
  /// SQL does the same.
  public static var _isCast: Bool { true }

  /// Converts an integer of at most 2⁵³.
  public static func converting(_ number: Int) throws -> Double {
    guard let value = Double(exactly: number), abs(value) <= 9_007_199_254_740_992 else {
      throw ValueError("\(number) has more digits than such a number")
    }
    return value
  }
}

extension String: IntegerConvertible {
  /// SQL does the same.
  public static var _isCast: Bool { true }

  /// Writes the digits.
  public static func converting(_ number: Int) -> String { "\(number)" }
}

extension Optional: IntegerConvertible where Wrapped: IntegerConvertible {
  /// SQL does the same for a missing value, too.
  public static var _isCast: Bool { Wrapped._isCast }

  /// Converts to the wrapped type.
  public static func converting(_ number: Int) throws -> Wrapped? {
    try Wrapped.converting(number)
  }
}
