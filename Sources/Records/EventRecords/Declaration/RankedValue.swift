import EventValues

/// One of a few values with a rank, by which records are sorted and compared in the
/// store, not by its name.
///
/// ```swift
/// enum Energy: String, Choice, RankedValue, FieldOption { case low, high }
/// ```
///
/// JSON has the raw value, the store the rank: a rank that was stored keeps its meaning.
public protocol RankedValue: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// Its rank: its index among the cases, unless declared.
  var rank: Int { get }
}

extension RankedValue {
  /// Its index among the cases, from 0: new cases come after the others.
  @inlinable public var rank: Int {
    // Read for each record of a list, so no iterators of generic types here.
    var rank = 0
    for value in Self.allCases {
      if value == self { return rank }
      rank += 1
    }
    return 0
  }

  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads a rank.
  @inlinable public init(stored: StoredValue) throws {
    let rank = try Int(stored: stored)
    for value in Self.allCases where value.rank == rank {
      self = value
      return
    }
    throw Self.unknown(rank)
  }

  @usableFromInline static func unknown(_ rank: Int) -> any Error {
    ValueError("no value has the rank \(rank)")
  }

  /// The rank.
  public var stored: StoredValue { .integer(Int64(rank)) }
}
