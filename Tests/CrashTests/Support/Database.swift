import Foundation
import GRDBSQLite

/// A database as SQLite itself sees it: nothing of the program is asked.
final class Database {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private var handle: OpaquePointer?

  /// Opens a database; what a crash has left behind is recovered.
  init(_ path: String) throws {
    let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK else { throw failure("open") }
    sqlite3_busy_timeout(handle, 5000)
    // Nothing that is done from here on has to outlive a power loss.
    _ = try rows("PRAGMA synchronous = OFF")
  }

  deinit { sqlite3_close_v2(handle) }

  /// All rows, each value as text; NULL is empty.
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw failure(sql)
    }
    var rows: [[String]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement))
            .map { column in
              sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
            }
        )
      case SQLITE_DONE: return rows
      default: throw failure(sql)
      }
    }
  }

  private func failure(_ what: String) -> Failed {
    Failed(
      description: "\(what): \(String(cString: sqlite3_errmsg(handle))) "
        + "(\(sqlite3_extended_errcode(handle)))"
    )
  }
}
