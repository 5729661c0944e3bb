/// How far a process had come with the commits of its steps when it was ended.
enum Stage: CaseIterable {
  /// Nothing of a step was in the log of the database.
  case before
  /// Something of a step was written, and not yet synced.
  case inside
  /// Some step was synced, and none is half-done.
  case after

  /// Reads it off the operations of a process on a store that has its schema.
  ///
  /// A commit is the frames of a transaction, which the write-ahead log has behind its header of 32
  /// bytes, and the sync that follows them.
  init(_ records: some Sequence<OperationLog.Record>) {
    var stage = Stage.before
    for record in records where record.path.hasSuffix("-wal") {
      switch record.kind {
      case .write where record.offset >= 32: stage = .inside
      case .sync where stage == .inside: stage = .after
      default: break
      }
    }
    self = stage
  }
}
