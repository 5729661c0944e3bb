public import EventMVVM
import EventValues

// A record that follows another one, as the next of a series.

extension Record {
  /// Whether the kind declares an identity.
  public static var hasIdentity: Bool { _table.identity != nil }

  /// Whether two of its records can't have the same values in some fields, apart from the identity.
  public static var hasUniqueFields: Bool {
    let identity = _table.identity
    return _table.rules.contains { $0.fields.contains { $0 != identity } }
  }

  /// Whether deleted records are kept, with a mark.
  public static var marksDeletion: Bool { _table.deletionField != nil }

  /// Returns a copy that is another record.
  ///
  /// Its identity follows from that of this one (RFC 9562 §5.5), so that each process, and each copy of a store, makes the same.
  ///
  /// - Parameters:
  ///   - identity: That of the copy, from ``followingIdentity(in:)``.
  ///   - time: The time in the fields that retain when a record was added.
  /// - Returns: The copy; nil where the kind declares no identity.
  public func following(as identity: UniqueID, at time: Instant) -> Self? {
    guard let index = Self._table.identity else { return nil }
    var copy = self
    copy.withMutableFields { record in
      for field in Self._table.fields
      where field.traits.contains(.fixed) && field.type == Instant.self {
        (record + field.offset).assumingMemoryBound(to: Instant.self).pointee = time
      }
      (record + Self._table.fields[index].offset).assumingMemoryBound(to: UniqueID.self).pointee =
        identity
    }
    return copy
  }

  /// The identity of the record that follows it; nil where it has none itself.
  public func followingIdentity(in namespace: UniqueID) -> UniqueID? {
    guard let index = Self._table.identity else { return nil }
    let identity = withFields {
      ($0 + Self._table.fields[index].offset).assumingMemoryBound(to: UniqueID.self).pointee
    }
    return identity == .none ? nil : UniqueID(in: namespace, name: identity.text)
  }

  /// Copies what no command gives: what is set when a record is added, its stamps, its place in the manual order, and whether it is
  /// deleted.
  public mutating func copyKept(from other: Self) {
    var kept = Self._table.all(.fixed)
    for (index, field) in Self._table.fields.enumerated()
    where field.isPlace || field.traits.contains(.stamp) || field.traits.contains(.marksDeletion) {
      kept.insert(index)
    }
    copy(kept, from: other)
  }
}
