import Platform
import EventMVVM
import Foundation

/// The file of a recording, private to its user; output is buffered until it is enough for a
/// write.
final class RecordingFile: Sendable {
  private struct State {
    var descriptor: Int32
    var line = RecordingLine()
    /// Why writing has stopped.
    var trouble: String?
    /// Whether the last line was written.
    var isOver = false
  }

  private static let most = 1 << 16

  /// Its path.
  let path: String
  private let state: Locked<State>

  /// Creates a new file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - store: The file of the store.
  /// - Throws: Why there is none: an existing file is left alone, and none is created with a name
  ///   that SQLite uses for its own files.
  init(path: String, excluding store: String? = nil) throws(Failure) {
    self.path = path
    let isStores = store.map { StoreSigns.isName(path, ofStoreAt: $0) } ?? false
    guard access(path, F_OK) == 0 || !isStores && !StoreSigns.isStore(at: path) else {
      let cause = "is what a store's own files are called; name another file"
      throw Failure(.usage, "--record \(path): \(cause)")
    }
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let cause =
        errno == EEXIST ? "is there already; name a new file" : SystemProblem(errno).text
      throw Failure(.usage, "--record \(path): \(cause)")
    }
    state = Locked(State(descriptor: descriptor))
  }

  deinit {
    state.withLock { state in
      Self.flush(&state)
      close(state.descriptor)
    }
  }

  /// Why the file ends before the session does; nil if it doesn't.
  var trouble: String? { state.withLock { $0.trouble } }

  /// Writes a line; after the last one it does nothing.
  func write(isLast: Bool = false, _ body: (inout RecordingLine) -> Void) {
    state.withLock { state in
      guard state.trouble == nil, !state.isOver else { return }
      state.isOver = isLast
      state.line.begin()
      body(&state.line)
      state.line.end()
      if state.line.bytes.count >= Self.most { Self.flush(&state) }
    }
  }

  /// Writes everything to the system.
  func flush() { state.withLock { Self.flush(&$0) } }

  private static func flush(_ state: inout State) {
    let bytes = state.line.take()
    guard state.trouble == nil, let code = writeAll(bytes, to: state.descriptor) else { return }
    state.trouble = SystemProblem(code).text
  }
}
