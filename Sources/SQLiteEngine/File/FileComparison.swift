import CSQLite
import GRDB

/// What the files are that SQLite has open, as its own descriptors show.
enum FileComparison {
  /// A database with a write-ahead log, and the log that the shared memory describes.
  case match
  /// No database with a write-ahead log: a copy, for example, or a truncated file.
  case noLoggedDatabase
  /// A log that the shared memory does not describe.
  case otherLog
}

extension Database {
  /// Compares the files that the connection has open; inside a transaction that writes, for good.
  func compareFiles() throws -> FileComparison {
    switch csqlite_compare_files(sqliteConnection) {
    case CSQLITE_FILES_MATCH: return .match
    case CSQLITE_OTHER_LOG: return .otherLog
    case CSQLITE_UNREADABLE: throw DatabaseError(resultCode: .SQLITE_IOERR_READ)
    default: return .noLoggedDatabase
    }
  }

  /// Leaves the log as it is when the connection closes.
  func keepLogAtClose() { csqlite_keep_log(sqliteConnection) }
}
