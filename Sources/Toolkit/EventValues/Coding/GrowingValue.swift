public import JSONText

/// A value whose coded form can be of an earlier version of its type that had fewer fields: each missing
/// one has the value that it has in a new value.
///
/// Records are such values. A recording of before is replayed as long as the replies have the new fields
/// with these values.
public protocol GrowingValue {
  /// The coded form of a new value; nil if it has none.
  static var _newForm: JSON? { get }
}

extension GrowingValue {
  /// By default nothing: a field that was added is not written where it has nothing.
  public static var _newForm: JSON? { .object([]) }
}
