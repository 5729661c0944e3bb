import CSQLite
import EventMVVM
import EventRecords
import Foundation
import GRDB
import Platform

/// The files that a connection has open, to notice when they are removed.
///
/// A write-ahead log or shared memory that is deleted or replaced while it is open would split the
/// store in two: what one process writes, no other would ever see, and both would give out the same
/// numbers.
final class OpenFiles: Sendable {
  /// The store as the user named it.
  let path: String
  /// The store's file, symbolic links followed.
  let target: String
  let store: NamedFile?
  private let log: NamedFile?
  private let memory: NamedFile?
  /// How much memory processes share: it never shrinks, and to touch what was truncated would end
  /// the process.
  private let memorySize: Locked<Int64>

  /// What the store's file is called in messages.
  var name: String { StoreFile(path: path).name(of: target) }

  /// Notes what the names stand for now, just after the opening.
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

  /// Whether there is a log now and was none at the opening, as a copy has none before the first
  /// write.
  ///
  /// A new opening of the store knows it.
  var lacksLog: Bool { log == nil && NamedFile(target + "-wal") != nil }

  /// Throws ``StaleFiles`` if the names stand for other files now.
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

  /// Throws if SQLite itself has other files open than those that belong together.
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

  /// An error after which the store has to be opened anew.
  func stale(_ error: StoreError) -> StaleFiles { StaleFiles(error: error, target: target) }
}

/// The files of a connection are not the store's any more: all connections of the process have to
/// be closed, without touching the log, before the store can be opened anew.
///
/// SQLite keeps the shared memory of a store for all connections of a process, until the last of
/// them is closed.
struct StaleFiles: Error {
  /// What to tell the user.
  let error: StoreError
  /// The store's file, symbolic links followed.
  let target: String
}

/// What a name stands for itself; a symbolic link is not followed.
struct NamedFile {
  private let identity: FileIdentity
  private let links: UInt64
  let size: Int64
  let isOrdinary: Bool

  /// Nil if there is nothing of this name.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    links = UInt64(status.st_nlink)
    size = Int64(status.st_size)
    isOrdinary = status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether it is the same file, regardless of its contents.
  func isSame(as other: NamedFile?) -> Bool { identity == other?.identity }

  /// Why a file of several names is not used; nil if it has one.
  var hardLinkCause: String? {
    guard links > 1 else { return nil }
    return
      "has \(links) names (hard links), and a program that uses another one would not see what is written here; "
      + "delete the other names"
  }
}

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
