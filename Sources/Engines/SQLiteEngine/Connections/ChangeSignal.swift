import Platform
import EventMVVM
import EventRecords
import Foundation
import Seams

/// The file next to a store by which writers exclude each other and notify watchers:
/// `todos.sqlite-bell`.
///
/// Writers hold an exclusive `flock` on it from before BEGIN until after COMMIT and its checkpoint,
/// and then write the newest revision into it: a watcher of the file reads the new part of the
/// change log, which remains the truth. The file is never synced, and so can be older than the
/// store; one with a newer revision shows that commits are missing.
///
/// Used by one thread at a time.
final class ChangeSignal: @unchecked Sendable {
  // Unchecked: the owner of a connection uses it, and its signal, on one thread at a time.
  /// Returns the path of a store's signal.
  static func path(of store: String) -> String { store + "-bell" }

  private let store: String
  private let path: String
  private var descriptor: Int32 = -1

  init(store: String) {
    self.store = store
    path = Self.path(of: store)
  }

  deinit { close() }

  /// Returns the revision in the file of a store; nil if there is none or it can't be read.
  static func revision(of store: String) -> Int? {
    let descriptor = open(path(of: store), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { Foundation.close(descriptor) }
    return revision(in: descriptor)
  }

  /// The revision in the locked file; nil if it can't be read.
  var revision: Int? { descriptor < 0 ? nil : Self.revision(in: descriptor) }

  private static func revision(in descriptor: Int32) -> Int? {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0, buffer[count - 1] == UInt8(ascii: "\n") else { return nil }
    let digits = buffer[..<(count - 1)].drop { $0 == UInt8(ascii: " ") }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  // MARK: Writers

  /// Waits until no other process writes.
  ///
  /// - Throws: After `patience`, that the store is locked.
  func lock(patience: TimeInterval) throws {
    try openIfNeeded()
    Seam.pass(.transaction)
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("can't be locked") }
      let locked = try LockWaiter.lock(openFile(), for: patience).orThrow(StoreError.locked(store))
      close()
      descriptor = locked
    }
    // If the file was deleted meanwhile, the next writer locks another file.
    guard !isInPlace else { return }
    close()
    try lock(patience: patience)
  }

  func unlock() {
    Seam.pass(.transaction)
    if descriptor >= 0 { flock(descriptor, LOCK_UN) }
  }

  /// Signals that the store has a new revision; under the lock.
  ///
  /// A failure loses nothing: watchers look for changes each second.
  func send(_ revision: Int) {
    let digits = "\(revision)"
    let line = String(repeating: " ", count: max(0, 20 - digits.count)) + digits + "\n"
    _ = pwrite(descriptor, line, line.utf8.count, 0)
  }

  // MARK: The file

  private func openIfNeeded() throws {
    if descriptor < 0 { descriptor = try openFile() }
  }

  private func openFile() throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw failure("can't be opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Foundation.close(descriptor)
      throw notOrdinary
    }
    return descriptor
  }

  private func failure(_ what: String) -> StoreError {
    let code = errno
    if code == EACCES || code == EROFS || code == EPERM { return .readOnly(store) }
    if code == ENOSPC { return .full(store) }
    if code == EISDIR || code == ELOOP || code == ENXIO { return notOrdinary }
    let problem = SystemProblem(code)
    return StoreError(
      path: path,
      "\(what): \(problem.cause); nothing was written, \(problem.remedy ?? "check the disk")",
      isRetryable: problem.isMomentary
    )
  }

  private var notOrdinary: StoreError {
    StoreError(
      path: path,
      "is no ordinary file, as belongs beside a store; nothing was written, move it away"
    )
  }

  private var isInPlace: Bool {
    guard let named = FileIdentity(at: path) else { return false }
    return named == FileIdentity(of: descriptor)
  }

  private func close() {
    if descriptor >= 0 { Foundation.close(descriptor) }
    descriptor = -1
  }
}

extension Optional {
  fileprivate func orThrow(_ error: @autoclosure () -> StoreError) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
