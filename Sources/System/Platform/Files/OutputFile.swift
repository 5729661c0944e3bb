import EventMVVM
import Foundation
import Seams

/// A file that a person names for a command to write.
///
/// A command replaces or continues only files that it has written itself, which begin with the
/// command's mark; any other file is refused unless forced. A store is refused even then: a
/// database, a file that SQLite keeps next to one, and any file that this process has open.
package struct OutputFile {
  /// Why a file is not written.
  package struct Refusal: Error, Equatable {
    /// A message that states what to do instead.
    package let message: String
  }

  private let path: String
  private let name: String
  private let isOwn: ([UInt8]) -> Bool

  /// Creates a reference to a file.
  ///
  /// - Parameters:
  ///   - path: Its path; a symbolic link stands for what it leads to.
  ///   - name: Its name in messages; the path unless given.
  ///   - isOwn: Whether a file that begins with these bytes, at most 512, is the command's own.
  package init(_ path: String, named name: String? = nil, isOwn: @escaping ([UInt8]) -> Bool) {
    self.path = path
    self.name = name ?? path
    self.isOwn = isOwn
  }

  /// Writes the whole file: a new one, or in one step in the place of one that may be replaced.
  ///
  /// - Parameters:
  ///   - bytes: Its new contents.
  ///   - isForced: Whether it may replace an ordinary file that is not the command's own.
  /// - Throws: Why nothing was written; an existing file is then unchanged.
  package func write(_ bytes: [UInt8], isForced: Bool) throws(Refusal) {
    guard let target = try existing(isForced: isForced) else { return try writeNew(bytes) }
    try replace(target, with: bytes)
  }

  /// Opens the file to append to it: a new one, private to its user, or one that may be continued.
  ///
  /// - Parameter isForced: Whether it may continue an ordinary file that is not the command's own.
  /// - Returns: A descriptor, which the caller closes.
  /// - Throws: Why there is none.
  package func openToAppend(isForced: Bool) throws(Refusal) -> Int32 {
    let always = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    var target = try existing(isForced: isForced, orEmpty: true)
    if target == nil {
      let file = open(path, always | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
      if file >= 0 { return file }
      // Another process may have created it meanwhile.
      guard errno == EEXIST else { throw unwritable(errno) }
      target = try existing(isForced: isForced, orEmpty: true)
    }
    let file = open(target?.path ?? path, always)
    guard file >= 0 else { throw unwritable(errno) }
    guard let target, FileIdentity(of: file) == target.identity else {
      close(file)
      throw Refusal(message: "'\(name)' was just replaced by another program: try again.")
    }
    return file
  }

  /// Checks whether the file could be appended to, and writes nothing.
  ///
  /// - Throws: Why it would be refused in any case.
  package func checkToAppend(isForced: Bool) throws(Refusal) {
    _ = try existing(isForced: isForced, orEmpty: true)
  }

  // MARK: The existing file

  private struct Target {
    let path: String
    let identity: FileIdentity
    let mode: mode_t
  }

  /// Returns the file to replace or continue; nil if there is none yet.
  ///
  /// An empty file may be continued, as it has no contents to lose.
  private func existing(isForced: Bool, orEmpty: Bool = false) throws(Refusal) -> Target? {
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let end = isThere ? realpath(path, nil) : nil
    defer { free(end) }
    let file = end.map { String(cString: $0) } ?? path
    guard !isThere || stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else {
      throw Refusal(message: "'\(name)' is no ordinary file: name another.")
    }
    guard !StoreSigns.isStoreOrInUse(file) else {
      throw Refusal(message: "'\(name)' is a store, or in use by this program: name another file.")
    }
    guard isThere else { return nil }
    guard let head = FileHead.read(file, count: 512) else { throw unwritable(errno) }
    guard isForced || isOwn(head) || orEmpty && head.isEmpty else {
      throw Refusal(
        message: "'\(name)' is there already, and this command has not written it: "
          + "name another file, or add --force."
      )
    }
    return Target(path: file, identity: FileIdentity(status), mode: status.st_mode & 0o777)
  }

  // MARK: Writing

  private func writeNew(_ bytes: [UInt8]) throws(Refusal) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw unwritable(errno) }
    try write(bytes, to: file, made: path)
  }

  /// Keeps the permissions of what it replaces.
  private func replace(_ target: Target, with bytes: [UInt8]) throws(Refusal) {
    let partial = "\(target.path).partial-\(getpid())"
    let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw unwritable(errno) }
    fchmod(file, target.mode)
    try write(bytes, to: file, made: partial)
    Seam.pass(.file)
    guard FileIdentity(at: target.path) == target.identity, rename(partial, target.path) == 0 else {
      let code = errno
      unlink(partial)
      throw unwritable(code)
    }
  }

  /// Writes and closes a file that was created for it, and removes it where that fails.
  private func write(_ bytes: [UInt8], to file: Int32, made path: String) throws(Refusal) {
    let code = writeAll(bytes, to: file) ?? (fsync(file) == 0 ? nil : errno)
    close(file)
    guard let code else { return }
    unlink(path)
    throw unwritable(code)
  }

  private func unwritable(_ code: Int32) -> Refusal {
    Refusal(message: "'\(name)' can't be written: \(SystemProblem(code).text)")
  }
}
