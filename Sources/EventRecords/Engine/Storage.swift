/// Listens to a store as long as it is kept.
public protocol StoreWatching: AnyObject, Sendable {}

/// Which state of the store to read.
public enum StorageView: Sendable {
  /// What the unit that is open has written, too.
  case insideUnit
  /// What is committed.
  case committed
  /// What is committed, for who is about to write: it is read by what is written with.
  case toWrite
  /// What was committed when the first of those was read that share a reading; see
  /// ``SharedReading``.
  case shared
}
