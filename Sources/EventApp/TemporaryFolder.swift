import EventMVVM
import Foundation
import Platform

/// A private folder for as long as something runs, gone when that ends or a signal ends the
/// process.
struct TemporaryFolder {
  /// Its path.
  let path: String
  /// Whether a signal is about to end the process.
  private let isEnding = Locked(false)

  private init(path: String) {
    self.path = path
  }

  /// The signals by which a process is asked to end.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Makes the folder and runs `body` with it.
  ///
  /// To be called on the main thread, before any other is started: signals that would end the
  /// process are from then on waited for by a thread of their own.
  ///
  /// - Parameters:
  ///   - name: What its name begins with.
  ///   - body: What needs it.
  /// - Returns: What `body` returns.
  /// - Throws: Why there is no such folder, and what `body` throws.
  static func with<T>(_ name: String, _ body: (TemporaryFolder) throws -> T) throws -> T {
    let place = FileManager.default.temporaryDirectory.path
    FolderLock.removeAbandoned(in: place, named: name)
    let folder = TemporaryFolder(path: FolderLock.path(in: place, named: name))
    try folder.removeOnSignals()
    guard let lock = FolderLock(makingFolder: folder.path) else {
      throw Failure(.store, "\(folder.path): can't be made: \(String(cString: strerror(errno)))")
    }
    defer {
      folder.waitIfEnding()
      folder.remove()
      lock.release()
    }
    return try body(folder)
  }

  /// Never returns once a signal is about to end the process: what is found from then on is found
  /// in a folder of which parts are missing, and the user should not read of that.
  func waitIfEnding() {
    while isEnding.withLock({ $0 }) { pause() }
  }

  private func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Removes the folder before a signal ends the process.
  ///
  /// The signals are blocked, in threads that are started later, too, and taken by one that may do
  /// what no handler of a signal may. Those that the parent process had ignored stay so.
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
      // Another thread may add a file there while the others are removed.
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
