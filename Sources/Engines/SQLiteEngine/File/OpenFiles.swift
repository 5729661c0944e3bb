import CSQLite
import EventMVVM
import EventRecords
import Foundation
import GRDB
import Platform

/// The files that a connection has open, to detect that they are removed.
///
/// If a write-ahead log or shared memory is deleted or replaced while it is open, the store would
/// split in two: neither process would see the other's changes, and both would assign the same
/// numbers.
final class OpenFiles: Sendable {
  /// The store as the user named it.
  let path: String
  /// The store's file, symbolic links followed.
  let target: String
  let store: NamedFile?
  private let log: NamedFile?
  private let memory: NamedFile?
  /// The size of the memory that processes share: it never shrinks, and access to a truncated part
  /// would crash the process.
  private let memorySize: Locked<Int64>

  /// The name of the store's file in messages.
  var name: String { StoreFile(path: path).name(of: target) }

  /// Notes the files that have the names now, just after the opening.
  init(path: String, target: String) {
    self.path = path
    self.target = target
    store = NamedFile(target)
    log = NamedFile(target + "-wal")
    memory = NamedFile(target + "-shm")
    memorySize = Locked(memory?.size ?? 0)
  }

  /// Whether the connection uses memory that all connections of the process to this store share.
  var sharesMemory: Bool { memory != nil }

  /// Whether a log exists that did not exist at the opening; a copy has none before its first
  /// write.
  ///
  /// A new connection to the store includes the log.
  var lacksLog: Bool { log == nil && NamedFile(target + "-wal") != nil }

  /// Throws ``StaleFiles`` if other files have the names now.
  func check() throws {
    guard let found = NamedFile(target), found.isSame(as: store) else {
      throw stale(
        path,
        "was deleted, moved or replaced while it was open; nothing was written. "
          + "Put it back, or try again to use what is there now"
      )
    }
    if let cause = found.hardLinkCause { throw stale(path, cause) }
    try check(log, "-wal")
    if let found = try check(memory, "-shm") {
      let isWhole = memorySize.withLock { size in
        defer { size = max(size, found.size) }
        return found.size >= size
      }
      guard isWhole else { throw replaced(path + "-shm") }
    }
  }

  /// Throws if the files that SQLite has open do not belong together.
  func check(_ files: FileComparison) throws {
    switch files {
    case .match: return
    case .noLoggedDatabase:
      throw stale(
        path,
        "was truncated, or a copy was written into it, while it was open; nothing was written. "
          + "Put it back, or try again to use what is there now"
      )
    case .otherLog: throw replaced(path + "-wal")
    }
  }

  @discardableResult
  private func check(_ file: NamedFile?, _ suffix: String) throws -> NamedFile? {
    let found = NamedFile(target + suffix)
    guard let file else { return found }
    guard let found, found.isSame(as: file) else { throw replaced(path + suffix) }
    return found
  }

  private func replaced(_ path: String) -> StaleFiles {
    stale(
      path,
      "was deleted, moved, truncated or replaced while the store was open; nothing was written. "
        + "Put it back, or try again to use what is there now"
    )
  }

  private func stale(_ path: String, _ cause: String) -> StaleFiles {
    stale(StoreError(path: path, cause, isRetryable: true))
  }

  /// Returns an error after which the store has to be opened anew.
  func stale(_ error: StoreError) -> StaleFiles { StaleFiles(error: error, target: target) }
}

/// The files of a connection are no longer the store's: all connections of the process have to be
/// closed, without changing the log, before the store can be opened anew.
///
/// SQLite retains the shared memory of a store for all connections of a process, until the last of
/// them is closed.
struct StaleFiles: Error {
  /// The message for the user.
  let error: StoreError
  /// The store's file, symbolic links followed.
  let target: String
}

/// The file that has a name; a symbolic link is not followed.
struct NamedFile {
  private let identity: FileIdentity
  private let links: UInt64
  let size: Int64
  let isOrdinary: Bool

  /// Nil if no file has the name.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    links = UInt64(status.st_nlink)
    size = Int64(status.st_size)
    isOrdinary = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether two are the same file, regardless of its contents.
  func isSame(as other: NamedFile?) -> Bool { identity == other?.identity }

  /// The reason why a file with several names is not used; nil if it has one.
  var hardLinkCause: String? {
    guard links > 1 else { return nil }
    return
      "has \(links) names (hard links), and a program that uses another one would not see what is written here; "
      + "delete the other names"
  }
}

/// The state of the files that SQLite has open, by its own descriptors.
enum FileComparison {
  /// A database with a write-ahead log, and the log that the shared memory describes.
  case match
  /// Not a database with a write-ahead log: a copy, for example, or a truncated file.
  case noLoggedDatabase
  /// A log that the shared memory does not describe.
  case otherLog
}

extension Database {
  /// Compares the files that the connection has open; inside a transaction that writes, the result
  /// holds until its end.
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
