import EventCommands
import EventMVVM
import Foundation

/// A lock on a private folder, which ends with its process, however that ends: by it others can
/// tell a folder that is in use from one that a killed process has left behind.
struct FolderLock {
  private let descriptor: Int32

  /// Makes a folder and locks it; nil if it can't be made, and `errno` says why.
  ///
  /// Between the two, a process that cleans up may take it for abandoned; then it is made again.
  ///
  /// - Parameter path: The folder, which must not be there yet.
  init?(makingFolder path: String) {
    for _ in 0..<100 {
      guard mkdir(path, 0o700) == 0 else { return nil }
      let descriptor = Self.open(path)
      guard descriptor >= 0 || errno == ENOENT else {
        let code = errno
        rmdir(path)
        errno = code
        return nil
      }
      // Where there are no locks, no process gets one to clean up by.
      while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      if descriptor >= 0, Self.isThere(descriptor, path) {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    return nil
  }

  private init?(ofAbandoned path: String) {
    descriptor = Self.open(path)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isThere(descriptor, path) else {
      close(descriptor)
      return nil
    }
  }

  /// Unlocks it; closing alone leaves it locked while a process that was just forked has a copy.
  func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func open(_ path: String) -> Int32 {
    Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  /// Whether an open folder is our own, and still the one at its path.
  private static func isThere(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev && held.st_uid == geteuid()
  }

  // MARK: Cleaning up

  /// A path for a further folder.
  static func path(in place: String, named name: String) -> String {
    "\(place)/\(name).\(UniqueID.random().text)"
  }

  /// Removes the folders of a name that are our user's own and that no process uses any more.
  static func removeAbandoned(in place: String, named name: String) {
    guard let entries = opendir(place) else { return }
    defer { closedir(entries) }
    var abandoned: [String] = []
    while let entry = readdir(entries) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let file, isOwn(file, name) { abandoned.append("\(place)/\(file)") }
    }
    for path in abandoned {
      guard let lock = FolderLock(ofAbandoned: path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      lock.release()
    }
  }

  /// Whether a file is called as ``path(in:named:)`` calls folders.
  private static func isOwn(_ file: String, _ name: String) -> Bool {
    guard file.utf8.starts(with: (name + ".").utf8) else { return false }
    let rest = file.utf8.dropFirst(name.utf8.count + 1)
    return UniqueID(Substring(rest)) != nil
  }
}
