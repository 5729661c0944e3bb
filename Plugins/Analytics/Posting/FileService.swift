import Foundation

/// Appends batches to a file, a line each.
struct FileService: FigureService {
  let path: String

  func post(_ batch: [UInt8]) throws(PostProblem) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw problem }
    defer { close(file) }
    // Whoever else posts there waits, so that no line stands inside another one.
    guard flock(file, LOCK_EX) == 0 else { throw problem }
    let line = batch + [UInt8(ascii: "\n")]
    let before = lseek(file, 0, SEEK_END)
    guard writeAll(line, to: file), fsync(file) == 0 else {
      let problem = problem
      // Half a line is no batch.
      if before >= 0 { ftruncate(file, before) }
      throw problem
    }
  }

  private var problem: PostProblem {
    PostProblem(message: "'\(path)' can't be written: \(String(cString: strerror(errno)))")
  }
}

/// Writes everything, however many calls that takes.
///
/// - Returns: Whether it is written; else `errno` says why not.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
