import EventRecords
import Foundation
import GRDB
import Platform

// The errors of a store as messages: the cause, and what to do.

extension StoreError {
  /// Creates the message of an error of SQLite.
  ///
  /// After an I/O error of COMMIT it is unknown whether anything was stored: the log may contain
  /// all of it if only its sync failed.
  init(_ error: DatabaseError, path: String, isCommitting: Bool = false) {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path)
    case .SQLITE_FULL: self = .full(path)
    case .SQLITE_READONLY: self = .readOnly(path)
    case .SQLITE_IOERR: self = .faulty(path, error, isCommitting: isCommitting)
    case .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: self = .unopened(path)
    case .SQLITE_NOMEM:
      let problem = SystemProblem(ENOMEM)
      self.init(
        path: path,
        "\(problem.cause); nothing was written, \(problem.remedy ?? "ask for less at once")",
        isRetryable: true
      )
    case .SQLITE_CONSTRAINT where error.message?.contains("record_") == true:
      self.init(duplicateIn: path)
    case .SQLITE_NOTADB:
      self.init(path: path, "is not a database; name another file with --store")
    case .SQLITE_CORRUPT: self = .damaged(path, error.message)
    case .SQLITE_MISUSE:
      // Another thread has found that the files are no longer the store's, and closed the
      // connection.
      self.init(
        path: path,
        "its files were deleted, moved or replaced while it was open; nothing was written, try again",
        isRetryable: true
      )
    // Statements are compiled anew where tables have changed; all of them fit when the store was opened.
    case .SQLITE_ERROR
    where ["column", "table"].contains { error.message?.hasPrefix("no such \($0)") == true }:
      self.init(
        path: path,
        "was converted by a newer version of the program meanwhile; end this one, and use that version"
      )
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

  static func newer(_ path: String, _ version: Int, known: Int) -> StoreError {
    StoreError(
      path: path,
      "was written by a newer version (schema \(version), this one knows \(known)); "
        + "install that version, or name another file with --store"
    )
  }

  /// Returns the error that the store ends before the last acknowledged revision.
  ///
  /// - Parameters:
  ///   - path: The store, as the user named it.
  ///   - name: The name of the store's file in messages.
  ///   - newest: The last revision in the store.
  ///   - known: The last revision that was acknowledged.
  /// - Returns: The error.
  static func outOfDate(_ path: String, _ name: String, _ newest: Int, _ known: Int) -> StoreError {
    StoreError(
      path: path,
      "lacks changes that were made: it ends with revision \(newest), but had come to \(known). "
        + "Put back \(name)-wal if it was moved away, or a newer copy of the store; "
        + "to go on without them, delete \(ChangeSignal.path(of: name))"
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

  /// The most files that SQLite opens at once for a connection.
  private static var filesOfConnection: Int { 4 }

  private static func unopened(_ path: String) -> StoreError {
    guard let problem = SystemProblem.ofOpening(filesOfConnection) else {
      return StoreError(
        path: path,
        "can't be opened; check that you may read and write it and its folder"
      )
    }
    return StoreError(path: path, "can't be opened: \(problem.text)", isRetryable: true)
  }

  private static func faulty(
    _ path: String,
    _ error: DatabaseError,
    isCommitting: Bool
  ) -> StoreError {
    if !isCommitting, SystemProblem.ofOpening(filesOfConnection) != nil { return unopened(path) }
    // SQLite does not report a full disk when shared memory can't grow, or a sync fails.
    let isFull = StoreFile.freeBytes(beside: path).map { $0 < 1 << 16 } ?? false
    guard isCommitting || !isFull else { return .full(path) }
    let (cause, remedy) =
      isFull
      ? ("the disk is full", "make room")
      : isAtLimit(path)
        ? (SystemProblem(EFBIG).cause, "raise it")
        : ("the disk reports an error (SQLite \(error.extendedResultCode.rawValue))", "check it")
    return StoreError(
      path: path,
      isCommitting
        ? "\(cause); \(remedy), and look whether the change is there before you repeat it"
        : "\(cause); nothing was written, \(remedy)"
    )
  }

  /// Whether a file of a store has reached the size limit of the process, or nearly; SQLite does
  /// not report that as the cause of a failed write.
  private static func isAtLimit(_ path: String) -> Bool {
    guard let limit = SystemLimit.fileSize.value else { return false }
    return ["", "-wal", "-shm", "-journal"]
      .contains { suffix in
        var status = stat()
        // The longest part by which a file grows.
        return stat(path + suffix, &status) == 0
          && Int(status.st_size) + 65_536 > limit
      }
  }
}
