import Foundation

/// How the files of a store looked from outside: who changes the store changes one of them.
///
/// Looking costs a few microseconds, so that a process that waits for others' changes need not read
/// the store each second to know that there are none.
struct StoreFingerprint: Equatable {
  private struct File: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  private let files: [File?]

  /// Looks at the store, its log and its signal.
  init(of store: String) {
    files = [store, store + "-wal", ChangeSignal.path(of: store)]
      .map { path in
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
          let time = status.st_mtimespec
        #else
          let time = status.st_mtim
        #endif
        return File(
          device: UInt64(truncatingIfNeeded: status.st_dev),
          number: UInt64(status.st_ino),
          size: Int64(status.st_size),
          seconds: time.tv_sec,
          nanoseconds: time.tv_nsec
        )
      }
  }

  /// Whether a further change would show.
  ///
  /// The clock of a file system ticks every few milliseconds, some only each second, and two
  /// changes within a tick look like one. A time in the future tells nothing.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return files.allSatisfy { file in
      guard let file else { return true }
      let age = (now.tv_sec - file.seconds) * 1000 + (now.tv_nsec - file.nanoseconds) / 1_000_000
      return age > (file.nanoseconds == 0 ? 2100 : 50)
    }
  }
}
