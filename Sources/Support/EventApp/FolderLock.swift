import EventCommands
import EventMVVM
import EventValues
import Foundation

/// A lock on a private folder, which ends with its process in any case.
///
/// It distinguishes a folder in use from one that a killed process has left.
struct FolderLock {
  private let descriptor: Int32

  /// Creates a folder and locks it; nil if that fails, with the reason in `errno`.
  ///
  /// Between the two, a process that cleans up may remove it as abandoned; then it is created
  /// again.
  ///
  /// - Parameter path: The folder, which must not exist.
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
      // If the file system has no locks, no process can lock the folder to remove it.
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

  /// Unlocks it; after closing alone, the copy of a just forked process would keep the lock.
  func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func open(_ path: String) -> Int32 {
    Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  /// Whether an open folder is the user's own, and still the one at its path.
  private static func isThere(_ descriptor: Int32, _ path: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && held.st_ino == named.st_ino && held.st_dev == named.st_dev && held.st_uid == geteuid()
  }

  // MARK: Cleaning up

  /// Returns a path for a new folder.
  static func path(in place: String, named name: String) -> String {
    "\(place)/\(name).\(UniqueID.random().text)"
  }

  /// Removes the folders of a name that belong to the user and that no process uses.
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

  /// Whether a file's name has the form of ``path(in:named:)``.
  private static func isOwn(_ file: String, _ name: String) -> Bool {
    guard file.utf8.starts(with: (name + ".").utf8) else { return false }
    let rest = file.utf8.dropFirst(name.utf8.count + 1)
    return UniqueID(Substring(rest)) != nil
  }
}
