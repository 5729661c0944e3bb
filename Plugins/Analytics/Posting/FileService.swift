import Platform
import EventMVVM
import Foundation

/// Appends batches to a file, a line each.
struct FileService: StatisticsService {
  private let path: String
  /// Its name in messages.
  private let name: String
  /// Whether a file of another program is continued.
  private let isForced: Bool
  /// The pauses before repeated checks whether another process still has the file locked.
  private let pauses: [Duration]

  /// Creates the service of a file.
  init(
    path: String,
    named name: String? = nil,
    isForced: Bool = false,
    pauses: [Duration] = Array(repeating: .milliseconds(50), count: 40)
  ) {
    self.path = path
    self.name = name ?? path
    self.isForced = isForced
    self.pauses = pauses
  }

  /// Why statistics can never be posted there; nil if that can't be determined yet.
  var refusal: Failure? {
    do throws(OutputFile.Refusal) {
      try file.checkToAppend(isForced: isForced)
      return nil
    } catch {
      return Failure(.usage, "--post: \(error.message)", field: "post")
    }
  }

  func post(_ batch: [UInt8]) async throws(PostProblem) {
    let file: Int32
    do throws(OutputFile.Refusal) {
      file = try self.file.openToAppend(isForced: isForced)
    } catch {
      throw PostProblem(message: error.message)
    }
    // Closing alone leaves the file locked while a process that was just forked has a copy.
    defer {
      flock(file, LOCK_UN)
      close(file)
    }
    try await lock(file)
    let line = batch + [UInt8(ascii: "\n")]
    let before = lseek(file, 0, SEEK_END)
    if let code = writeAll(line, to: file) ?? (fsync(file) == 0 ? nil : errno) {
      // Half a line is no batch.
      if before >= 0 { ftruncate(file, before) }
      throw problem(code)
    }
  }

  /// Waits for another process that posts there, up to a limit, so that no line is inside another
  /// one.
  private func lock(_ file: Int32) async throws(PostProblem) {
    var rest = pauses[...]
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard code == EWOULDBLOCK || code == EINTR else { throw problem(code) }
      guard let pause = rest.popFirst() else {
        throw PostProblem(message: "'\(name)' is locked by another program")
      }
      try? await Task.sleep(for: pause)
    }
  }

  /// The file, which begins with a batch if the plugin has written it.
  private var file: OutputFile {
    OutputFile(path, named: name) { head in
      // A UUID has 36 digits and hyphens (RFC 9562, §4).
      let (start, end) = (#"{"id":""#.utf8, #"","time":""#.utf8)
      return head.starts(with: start) && head.dropFirst(start.count + 36).starts(with: end)
    }
  }

  private func problem(_ code: Int32) -> PostProblem {
    PostProblem(message: "'\(name)' can't be written: \(SystemProblem(code).text)")
  }
}
