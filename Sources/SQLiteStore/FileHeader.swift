import Foundation

/// What the first bytes of a database say ("Database File Format", §1.3).
enum FileHeader {
  /// Whether a file is kept with a write-ahead log; also if it can't be read.
  ///
  /// Not for a file that this process reads at the same time: closing a file gives up all locks that
  /// the process has on it ("How To Corrupt An SQLite Database File", §2.2), and then others change
  /// what is being read.
  static func isInWAL(_ target: String) -> Bool {
    let descriptor = open(target, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 20)
    guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { return true }
    return bytes[18] == 2
  }
}
