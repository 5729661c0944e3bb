import GRDB
import TodoModels

extension StoreError {
  /// Puts an error of SQLite in words: the cause, and what to do.
  init(_ error: DatabaseError, path: String) {
    self.init(path: path, Self.cause(error))
  }

  private static func cause(_ error: DatabaseError) -> String {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      "is locked by another process; nothing was written, try again"
    case .SQLITE_FULL: "the disk is full; nothing was written, make room and try again"
    case .SQLITE_READONLY: "is read-only; change its permissions or its folder's"
    case .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      "can't be opened; check that it is a file that you may read and write"
    case .SQLITE_NOTADB: "is not a database; name another file with --store"
    case .SQLITE_CORRUPT: "is damaged; restore it from a backup"
    case .SQLITE_IOERR: "the disk reports an error; nothing was written, check it"
    default: error.message ?? "SQLite reports error \(error.resultCode.rawValue)"
    }
  }
}
