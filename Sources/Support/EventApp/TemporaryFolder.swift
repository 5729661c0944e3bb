import EventMVVM
import Foundation
import Platform

/// A private folder for the time of a call; it is removed at the end, also when a signal ends the
/// process.
struct TemporaryFolder {
  /// Its path.
  let path: String
  /// Whether a signal is about to end the process.
  private let isEnding = Locked(false)

  private init(path: String) {
    self.path = path
  }

  /// The signals that ask a process to end.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Creates the folder and runs `body` with it.
  ///
  /// Must be called on the main thread, before any other is started: from then on a thread waits
  /// for the signals that would end the process.
  ///
  /// - Parameters:
  ///   - name: The beginning of its name.
  ///   - body: The work that needs the folder.
  /// - Returns: The result of `body`.
  /// - Throws: The reason why there is no folder, or the error of `body`.
  static func with<T>(_ name: String, _ body: (TemporaryFolder) throws -> T) throws -> T {
    let place = FileManager.default.temporaryDirectory.path
    FolderLock.removeAbandoned(in: place, named: name)
    let folder = TemporaryFolder(path: FolderLock.path(in: place, named: name))
    try folder.removeOnSignals()
    guard let lock = FolderLock(makingFolder: folder.path) else {
      throw Failure(.store, "\(folder.path): can't be made: \(SystemProblem(errno).text)")
    }
    defer {
      folder.waitIfEnding()
      folder.remove()
      lock.release()
    }
    return try body(folder)
  }

  /// Never returns once a signal is about to end the process: parts of the folder are missing then,
  /// and the user should not read what follows from that.
  func waitIfEnding() {
    while isEnding.withLock({ $0 }) { pause() }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folder before a signal ends the process.
  ///
  /// The signals are blocked, also in threads that are started later, and received by one thread,
  /// which may do more than a signal handler. Signals that the parent process ignored are still
  /// ignored.
  private func removeOnSignals() throws(Failure) {
    var awaited = sigset_t()
    sigemptyset(&awaited)
    for number in Self.signals where !Self.isIgnored(number) { sigaddset(&awaited, number) }
    pthread_sigmask(SIG_BLOCK, &awaited, nil)
    let isStarted = startThread { [awaited, isEnding] in
      var awaited = awaited
      var number: Int32 = 0
      guard sigwait(&awaited, &number) == 0 else { return }
      isEnding.withLock { $0 = true }
      // Another thread may add a file while the folder is being removed.
      for _ in 0..<10 where access(path, F_OK) == 0 { remove() }
      signal(number, SIG_DFL)
      pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
      kill(getpid(), number)
    }
    guard !isStarted else { return }
    pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
    throw .noThread
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    // The default is nil; a process begins with that or with "ignore".
    let before = signal(number, SIG_IGN)
    signal(number, before)
    return before != nil
  }
}
