/// What a store does for a field in addition to storing it.
///
/// ```swift
/// .field("batch", \.batch, [.indexed, .searched], "What it was taken from")
/// .field("status", \.status, .indexed, "How far the work on it is")
/// ```
public struct FieldTraits: OptionSet, Sendable {
  /// The traits as bits.
  public let rawValue: UInt16

  /// Creates traits from bits.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Records are found by it, and sorted by it, without reading others.
  @inlinable public static var indexed: FieldTraits { FieldTraits(rawValue: 1) }
  /// It is a text that is searched; case and the spelling of a character make no difference.
  @inlinable public static var searched: FieldTraits { FieldTraits(rawValue: 2) }
  /// It is a set of names, which merges as added and removed.
  @usableFromInline package static var set: FieldTraits { FieldTraits(rawValue: 4) }
  /// No two records have the same value in it, except nil; it is indexed, too.
  ///
  /// What is marked as deleted does not count. For several fields, and for a sentence of your own, see
  /// `Fields.unique`.
  @inlinable public static var unique: FieldTraits { FieldTraits(rawValue: 8 | 1) }
  /// It retains the value with which its record was added; edits do not change it.
  @inlinable public static var fixed: FieldTraits { FieldTraits(rawValue: 16) }
  /// Its presence states a fact, as the time of a completion does.
  ///
  /// Of two values the first one stays, and they are no conflict. The field is an optional.
  @inlinable public static var stamp: FieldTraits { FieldTraits(rawValue: 128) }
  /// It is omitted from views.
  @inlinable public static var hidden: FieldTraits { FieldTraits(rawValue: 64) }
  /// True in it means that the record is deleted, though it is kept.
  ///
  /// References hold for that, `delete` sets it and `restore` clears it. The field is a `Bool`; a record has one
  /// of them at most.
  @inlinable public static var marksDeletion: FieldTraits { FieldTraits(rawValue: 256) }
  /// It identifies the record among all others, everywhere.
  @usableFromInline static var identity: FieldTraits { FieldTraits(rawValue: 32 | 16 | 8 | 1) }

  /// The traits that an engine implements; the others are implemented above it.
  var ofEngine: FieldTraits { intersection([.indexed, .searched, .set]) }
}

/// Some of the fields of a record, by their indices.
public struct FieldSet: Sendable, Equatable, Sequence {
  /// The n-th bit is the n-th field.
  private var bits: UInt64

  /// No fields.
  init() { bits = 0 }

  /// One field.
  package init(field: Int) { bits = 1 << UInt64(field) }

  /// Creates the set of the first fields, up to a count.
  init(count: Int) { bits = count < 64 ? 1 << UInt64(count) - 1 : .max }

  /// Whether there are none.
  public var isEmpty: Bool { bits == 0 }

  /// Returns the indices of the fields, in ascending order.
  public func makeIterator() -> Iterator { Iterator(bits: bits) }

  /// Whether a field is one of them.
  public func contains(_ field: Int) -> Bool { bits & (1 << UInt64(field)) != 0 }

  mutating func insert(_ field: Int) { bits |= 1 << UInt64(field) }

  mutating func formUnion(_ other: FieldSet) { bits |= other.bits }

  func intersection(_ other: FieldSet) -> FieldSet { FieldSet(bits: bits & other.bits) }

  func subtracting(_ other: FieldSet) -> FieldSet { FieldSet(bits: bits & ~other.bits) }

  private init(bits: UInt64) { self.bits = bits }

  /// Iterates over the indices.
  public struct Iterator: IteratorProtocol {
    fileprivate var bits: UInt64

    /// Returns the next index.
    public mutating func next() -> Int? {
      guard bits != 0 else { return nil }
      defer { bits &= bits &- 1 }
      return bits.trailingZeroBitCount
    }
  }
}
