import Descriptors
import EventPatterns
import Foundation

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
    store = FileIdentity(at: target)
    log = FileIdentity(at: logPath)
  }

  /// Whether there is a log now and was none at the opening, as a copy has none before somebody writes to it.
  ///
  /// Who opens the store anew knows it.
  var lacksLog: Bool { log == nil && FileIdentity(at: logPath) != nil }

  /// Throws if the names stand for other files now.
  package func check() throws {
    guard FileIdentity(at: target) == store else {
      throw StoreError(
        path: path,
        "was deleted, moved or replaced while it was open; nothing was written. "
          + "Put it back, or try again to use what is there now",
        isRetryable: true
      )
    }
    guard FileIdentity(at: logPath) == log else {
      throw StoreError(
        path: path + "-wal",
        "was deleted, moved or replaced while the store was open; nothing was written. "
          + "Put it back, or try again to use what is there now",
        isRetryable: true
      )
    }
  }
}
