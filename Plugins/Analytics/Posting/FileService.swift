import Descriptors
import Foundation

/// Appends batches to a file, a line each.
struct FileService: FigureService {
  let path: String

  func post(_ batch: [UInt8]) throws(PostProblem) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw problem(errno) }
    defer { close(file) }
    // Whoever else posts there waits, so that no line stands inside another one.
    guard flock(file, LOCK_EX) == 0 else { throw problem(errno) }
    let line = batch + [UInt8(ascii: "\n")]
    let before = lseek(file, 0, SEEK_END)
    if let code = writeAll(line, to: file) ?? (fsync(file) == 0 ? nil : errno) {
      // Half a line is no batch.
      if before >= 0 { ftruncate(file, before) }
      throw problem(code)
    }
  }

  private func problem(_ code: Int32) -> PostProblem {
    PostProblem(message: "'\(path)' can't be written: \(String(cString: strerror(code)))")
  }
}
