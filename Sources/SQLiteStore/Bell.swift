import Descriptors
import EventPatterns
import EventMVVM
import Foundation

/// The file beside a store that says how far it has got: `todos.sqlite-bell`.
///
/// Writers hold an exclusive `flock` on it from before BEGIN until after COMMIT and its checkpoint,
/// and then write the newest revision into it: whoever watches the file reads on in the change log,
/// which remains the truth. The file is never synced, and so can be behind the store; one that is
/// ahead of it shows that commits are missing.
///
/// Used by one thread at a time.
final class Bell: @unchecked Sendable {
  // Unchecked: whoever holds a connection uses it, and its bell, on one thread at a time.
  /// What it is called beside a store.
  static func path(of store: String) -> String { store + "-bell" }

  private let store: String
  private let path: String
  private var descriptor: Int32 = -1

  init(store: String) {
    self.store = store
    path = Self.path(of: store)
  }

  deinit { close() }

  /// What it says; nil if it is not there or can't be read.
  static func revision(of store: String) -> Int? {
    let descriptor = open(path(of: store), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { Foundation.close(descriptor) }
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
      let locked = try BellWaiter.lock(openFile(), for: patience).orThrow(StoreError.locked(store))
      close()
      descriptor = locked
    }
    // Whoever deleted the file meanwhile has the next writer lock another one.
    guard !isInPlace else { return }
    close()
    try lock(patience: patience)
  }

  func unlock() {
    Seam.pass(.transaction)
    if descriptor >= 0 { flock(descriptor, LOCK_UN) }
  }

  /// Says that the store has a further revision; under the lock.
  ///
  /// That it can't be said loses nothing: watchers look for themselves each second.
  func ring(_ revision: Int) {
    let digits = "\(revision)"
    let line = String(repeating: " ", count: max(0, 20 - digits.count)) + digits + "\n"
    _ = pwrite(descriptor, line, line.utf8.count, 0)
  }

  // MARK: The file

  private func openIfNeeded() throws {
    if descriptor < 0 { descriptor = try openFile() }
  }

  private func openFile() throws -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("can't be opened") }
    return descriptor
  }

  private func failure(_ what: String) -> StoreError {
    let code = errno
    if code == EACCES || code == EROFS || code == EPERM { return .readOnly(store) }
    if code == ENOSPC { return .full(store) }
    return StoreError(
      path: path,
      "\(what): \(String(cString: strerror(code))); nothing was written, check the disk"
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

/// Waits for a lock on a thread of its own, as the system knows no `flock` with a time limit.
///
/// Looking again and again instead would starve: whoever commits begins again at once, and is there
/// before the next look. Those who wait in the system get the lock in turn.
private final class BellWaiter: Sendable {
  private enum State {
    case waiting, locked, abandoned
  }

  private let state = Locked(State.waiting)
  private let isOver = DispatchSemaphore(value: 0)

  /// The descriptor, locked; nil if the time is over, and then the descriptor is closed by and by.
  static func lock(_ descriptor: Int32, for patience: TimeInterval) -> Int32? {
    let waiter = BellWaiter()
    Thread.detachNewThread { waiter.wait(descriptor) }
    if waiter.isOver.wait(timeout: .now() + patience) == .success { return descriptor }
    let wasLate = waiter.state.withLock { state in
      defer { state = .abandoned }
      return state == .locked
    }
    return wasLate ? descriptor : nil
  }

  private func wait(_ descriptor: Int32) {
    Seam.pass(.thread)
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    let isWanted = state.withLock { state in
      if state == .waiting { state = .locked }
      return state == .locked
    }
    if isWanted {
      isOver.signal()
    } else {
      flock(descriptor, LOCK_UN)
      Foundation.close(descriptor)
    }
  }
}

extension Optional {
  fileprivate func orThrow(_ error: @autoclosure () -> StoreError) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
