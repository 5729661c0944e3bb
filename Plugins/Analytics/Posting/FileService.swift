import Descriptors
import EventMVVM
import Foundation

/// Appends batches to a file, a line each.
struct FileService: FigureService {
  let path: String
  /// How long to wait before each further look whether somebody else still holds the file.
  var pauses = Array(repeating: Duration.milliseconds(50), count: 40)

  /// Why figures can't be posted there, whatever is tried; nil if that is not known yet.
  var refusal: Failure? {
    var status = stat()
    guard stat(path, &status) == 0, !status.isRegularFile else { return nil }
    return Failure(.usage, "--post: \(notRegular.message).", field: "post")
  }

  func post(_ batch: [UInt8]) async throws(PostProblem) {
    // A pipe that nobody reads would otherwise be waited for.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = open(path, flags, 0o600)
    guard file >= 0 else { throw errno == ENXIO ? notRegular : problem(errno) }
    // Closing alone leaves it locked while a process that was just forked has a copy.
    defer {
      flock(file, LOCK_UN)
      close(file)
    }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw problem(errno) }
    guard status.isRegularFile else { throw notRegular }
    try await lock(file)
    let line = batch + [UInt8(ascii: "\n")]
    let before = lseek(file, 0, SEEK_END)
    if let code = writeAll(line, to: file) ?? (fsync(file) == 0 ? nil : errno) {
      // Half a line is no batch.
      if before >= 0 { ftruncate(file, before) }
      throw problem(code)
    }
  }

  /// Whoever else posts there is waited for, so that no line stands inside another one; but not for ever.
  private func lock(_ file: Int32) async throws(PostProblem) {
    var rest = pauses[...]
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR else { throw problem(code) }
      guard let pause = rest.popFirst() else {
        throw PostProblem(message: "'\(path)' is locked by another program")
      }
      try? await Task.sleep(for: pause)
    }
  }

  private var notRegular: PostProblem {
    PostProblem(message: "'\(path)' is no regular file, and only to one can figures be appended")
  }

  private func problem(_ code: Int32) -> PostProblem {
    PostProblem(message: "'\(path)' can't be written: \(String(cString: strerror(code)))")
  }
}

extension stat {
  /// Whether it describes a regular file: no folder, pipe or device.
  fileprivate var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
