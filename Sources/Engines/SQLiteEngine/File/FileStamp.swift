import Foundation
import Platform

/// The identity, size and modification time of a file, of which a change of the file alters one.
struct FileStamp: Equatable {
  private let identity: FileIdentity
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Reads the stamp of a file, links followed; nil if there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }

  /// Reads the stamp of a store without a log; nil if there is a log, which may contain more than
  /// the file.
  init?(untouched target: String) {
    self.init(target)
    guard StoreFile.size(target + "-wal") ?? 0 == 0, StoreFile.size(target + "-journal") ?? 0 == 0
    else { return nil }
  }

  /// Whether a further change would alter the stamp.
  ///
  /// The clocks of file systems tick every ten milliseconds at most, that of FAT every 2000, and
  /// two changes within a tick look like one. A time in the future proves nothing.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = (now.tv_sec - seconds) * 1000 + (now.tv_nsec - nanoseconds) / 1_000_000
    return age > (nanoseconds == 0 ? 2100 : 50)
  }
}

/// The stamps of a store's files, of which each change of the store alters one.
///
/// They cost a few microseconds, so that a process that waits for external changes need not read
/// the store each second.
struct StoreFingerprint: Equatable {
  private let files: [FileStamp?]

  /// Reads the stamps of the store, its log and its signal.
  init(of store: String) {
    files = [store, store + "-wal", ChangeSignal.path(of: store)].map { FileStamp($0) }
  }

  /// Whether a further change would alter a stamp.
  var isSettled: Bool { files.allSatisfy { $0?.isSettled ?? true } }
}
