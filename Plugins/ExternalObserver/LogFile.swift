import Platform
import Foundation

/// A file of limited size, private to its user, with the newest output: when it is full it is
/// renamed to `….1`, replacing the one before, and a new one is begun.
///
/// Several processes can write to it at once. Output that can't be stored is lost without a
/// message: it is for a person who debugs an observer, and must not cause failures.
final class LogFile {
  /// The most bytes of the two files together.
  static let mostBytes = 262_144

  private let path: String
  private var file: Int32 = -1

  /// - Parameter path: Its path; created with the first bytes.
  init(_ path: String) {
    self.path = path
  }

  deinit { if file >= 0 { close(file) } }

  /// Appends bytes, at most half of the limit.
  func append(_ bytes: [UInt8]) {
    follow()
    guard file >= 0 else { return }
    if size + bytes.count > Self.mostBytes / 2 { beginAnew() }
    guard file >= 0, size + bytes.count <= Self.mostBytes / 2 else { return }
    _ = writeAll(bytes, to: file)
  }

  /// Opens the file if it is not open, or was replaced.
  private func follow() {
    guard file < 0 || !isCurrent else { return }
    if file >= 0 { close(file) }
    let folder = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    guard !StoreSigns.isStore(at: path) else {
      file = -1
      return
    }
    // Opening anything but a file must not block, and nothing is written to it.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    file = open(path, flags, 0o600)
    if file >= 0, status.st_mode & S_IFMT != S_IFREG {
      close(file)
      file = -1
    }
  }

  /// Renames the full file, unless another process is about to.
  private func beginAnew() {
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return }
    if isCurrent { rename(path, path + ".1") }
    follow()
  }

  private var isCurrent: Bool {
    var there = stat()
    let mine = status
    return lstat(path, &there) == 0 && there.st_ino == mine.st_ino && there.st_dev == mine.st_dev
  }

  private var size: Int { Int(status.st_size) }

  private var status: stat {
    var status = stat()
    fstat(file, &status)
    return status
  }
}
