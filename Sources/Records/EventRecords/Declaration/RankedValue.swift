import JSONText
import EventValues

/// One of a few values with a rank, by which records are sorted and compared in the
/// store, not by its name.
///
/// ```swift
/// enum Energy: String, Choice, RankedValue, FieldOption { case low, high }
/// ```
///
/// JSON and the store have the raw value: cases may be added and reordered.
public protocol RankedValue: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// Its rank: its index among the cases, unless declared; no two have the same.
  var rank: Int { get }
}

extension RankedValue {
  /// Its index among the cases, from 0.
  @inlinable public var rank: Int {
    // No iterators of generic types here.
    var rank = 0
    for value in Self.allCases {
      if value == self { return rank }
      rank += 1
    }
    return 0
  }

  /// Reads the name that it has, or had.
  @inlinable public init(stored: StoredValue) throws {
    // Read for each record of a list, so that each type has its own code for the usual case.
    guard case .text(let name) = stored, let value = Self(rawValue: name) else {
      self = try Self.former(stored)
      return
    }
    self = value
  }

  /// The names with their ranks.
  @inlinable public static var _ranks: [RankedName] {
    var ranks: [RankedName] = []
    for value in allCases { ranks.append(RankedName(name: value.rawValue, rank: value.rank)) }
    return ranks
  }
}

/// The stored name of a ``RankedValue``, and its rank.
public struct RankedName: Sendable, Equatable {
  /// The name.
  public let name: String
  /// The rank; conditions and cursors have it in place of the name.
  public let rank: Int

  @usableFromInline init(name: String, rank: Int) { (self.name, self.rank) = (name, rank) }
}

extension StoredValue {
  /// What it is compared by: the rank of a name that has one, else the value.
  func compared(by ranks: [RankedName]) -> StoredValue {
    guard !ranks.isEmpty, case .text(let name) = self else { return self }
    for one in ranks where one.name.isIdentical(to: name) { return .integer(Int64(one.rank)) }
    return self
  }
}
