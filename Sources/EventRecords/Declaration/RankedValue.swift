import EventCommands

/// One of a few values that has a rank among them: by it records are sorted and compared in the store, not by its name.
///
/// ```swift
/// enum Energy: String, CommandChoice, RankedValue, FieldOption { case low, high }
/// ```
///
/// JSON has the raw value, the store the rank: nobody gives a rank that was stored another meaning.
public protocol RankedValue: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// Its rank: its place among the cases, unless declared.
  var rank: Int { get }
}

extension RankedValue {
  /// Its place among the cases, from 0: new ones come behind the others.
  public var rank: Int { Self.allCases.enumerated().first { $0.element == self }?.offset ?? 0 }

  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads a rank.
  public init(stored: StoredValue) throws {
    let rank = try Int(stored: stored)
    guard let value = Self.allCases.first(where: { $0.rank == rank }) else {
      throw ValueError("no value has the rank \(rank)")
    }
    self = value
  }

  /// The rank.
  public var stored: StoredValue { .integer(Int64(rank)) }
}
