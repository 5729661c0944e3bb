import EventPatterns
import Foundation

/// Which file it is, whatever it is called.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  /// The file that a path names, links followed; nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file behind a descriptor.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The files that a connection has open, to notice when somebody takes them away.
///
/// A write-ahead log that is deleted or replaced while it is open would split the store in two:
/// what one process writes, no other would ever see.
package final class OpenFiles: Sendable {
  /// The store as the user named it.
  package let path: String
  private let target: String
  private let logPath: String
  private let store: FileIdentity?
  private let log: FileIdentity?

  /// Notes what the names stand for now, just behind the opening.
  init(path: String, target: String) {
    self.path = path
    self.target = target
    logPath = target + "-wal"
    store = FileIdentity(target)
    log = FileIdentity(logPath)
  }

  /// Whether there is a log now and was none at the opening, as a copy has none before somebody writes to it.
  ///
  /// Who opens the store anew knows it.
  var lacksLog: Bool { log == nil && FileIdentity(logPath) != nil }

  /// Throws if the names stand for other files now.
  package func check() throws {
    guard FileIdentity(target) == store else {
      throw StoreError(
        path: path,
        "was deleted, moved or replaced while it was open; nothing was written. "
          + "Put it back, or try again to use what is there now",
        isRetryable: true
      )
    }
    guard FileIdentity(logPath) == log else {
      throw StoreError(
        path: path + "-wal",
        "was deleted, moved or replaced while the store was open; nothing was written. "
          + "Put it back, or try again to use what is there now",
        isRetryable: true
      )
    }
  }
}
