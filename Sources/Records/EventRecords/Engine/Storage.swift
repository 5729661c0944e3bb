/// A watch of a store, which lasts as long as it is retained.
public protocol StoreWatching: AnyObject, Sendable {}

/// The state of the store to read.
public enum StorageView: Sendable {
  /// Committed data and the writes of the open unit.
  case insideUnit
  /// Committed data.
  case committed
  /// Committed data for a subsequent write, read through the connection that writes.
  case toWrite
  /// Committed data at the time of the first of the reads that share a snapshot; see
  /// ``SharedReading``.
  case shared
}
