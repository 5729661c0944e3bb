import Foundation
import Platform

/// How a file looks from outside: who changes it changes this.
struct FileStamp: Equatable {
  private let identity: FileIdentity
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Looks at a file, links followed; nil if there is none.
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

  /// Looks at a store that is complete as it stands; nil if it has a log, which may hold more than
  /// the file does.
  init?(untouched target: String) {
    self.init(target)
    guard StoreFile.size(target + "-wal") ?? 0 == 0, StoreFile.size(target + "-journal") ?? 0 == 0
    else { return nil }
  }

  /// Whether a further change would show.
  ///
  /// The clocks of file systems tick every ten milliseconds at most, that of FAT every 2000, and
  /// two changes within a tick look like one. A time in the future tells nothing.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = (now.tv_sec - seconds) * 1000 + (now.tv_nsec - nanoseconds) / 1_000_000
    return age > (nanoseconds == 0 ? 2100 : 50)
  }
}

/// How the files of a store look: who changes the store changes one of them.
///
/// Looking costs a few microseconds, so that a process that waits for others' changes need not read
/// the store each second to know that there are none.
struct StoreFingerprint: Equatable {
  private let files: [FileStamp?]

  /// Looks at the store, its log and its signal.
  init(of store: String) {
    files = [store, store + "-wal", ChangeSignal.path(of: store)].map { FileStamp($0) }
  }

  /// Whether a further change would show.
  var isSettled: Bool { files.allSatisfy { $0?.isSettled ?? true } }
}
