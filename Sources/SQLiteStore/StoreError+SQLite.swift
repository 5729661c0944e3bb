package import EventPatterns
package import GRDB

// What can go wrong with a store, in words: the cause, and what to do.

extension StoreError {
  /// Puts an error of SQLite in words.
  ///
  /// An I/O error of COMMIT leaves open whether anything was kept: the log may hold all of it, and
  /// only its sync failed.
  package init(_ error: DatabaseError, path: String, isCommitting: Bool = false) {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path)
    case .SQLITE_FULL: self = .full(path)
    case .SQLITE_READONLY: self = .readOnly(path)
    case .SQLITE_IOERR: self = .faulty(path, error, isCommitting: isCommitting)
    case .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      self.init(path: path, "can't be opened; check that you may read and write it and its folder")
    case .SQLITE_NOTADB:
      self.init(path: path, "is not a database; name another file with --store")
    case .SQLITE_CORRUPT: self = .damaged(path, error.message)
    default:
      self.init(path: path, error.message ?? "SQLite reports error \(error.resultCode.rawValue)")
    }
  }

  static func locked(_ path: String) -> StoreError {
    StoreError(
      path: path,
      "is locked by another process; nothing was written, try again",
      isRetryable: true
    )
  }

  static func full(_ path: String) -> StoreError {
    StoreError(path: path, "the disk is full; nothing was written, make room and try again")
  }

  static func readOnly(_ path: String) -> StoreError {
    StoreError(
      path: path,
      "is read-only, or its folder is; nothing was written, change their permissions"
    )
  }

  static func damaged(_ path: String, _ detail: String?) -> StoreError {
    StoreError(
      path: path,
      "is damaged\(detail.map { " (\($0))" } ?? ""); 'doctor' says more, restore it from a backup"
    )
  }

  private static func faulty(
    _ path: String,
    _ error: DatabaseError,
    isCommitting: Bool
  ) -> StoreError {
    // Of memory that is shared and can't grow, or of a sync, SQLite does not say that the disk is full.
    let isFull = StoreFile.freeBytes(beside: path).map { $0 < 1 << 16 } ?? false
    guard isCommitting || !isFull else { return .full(path) }
    let cause =
      isFull
      ? "the disk is full; make room"
      : "the disk reports an error (SQLite \(error.extendedResultCode.rawValue)); check it"
    return StoreError(
      path: path,
      isCommitting
        ? "\(cause), and look whether the change is there before you repeat it"
        : "the disk reports an error (SQLite \(error.extendedResultCode.rawValue)); "
          + "nothing was written, check it"
    )
  }
}
