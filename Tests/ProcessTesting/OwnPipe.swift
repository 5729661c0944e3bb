import Foundation

/// A pipe that no program gets which another test starts meanwhile: as long as that had an end,
/// too, closing it here would be the end of nothing.
///
/// One with a name has no moment in which it could be inherited. What writes to it need not fear a
/// signal.
package func pipeOfOurOwn() throws -> (reading: Int32, writing: Int32) {
  let folder = FileManager.default.temporaryDirectory
  let path = folder.appending(path: "pipe-\(UUID().uuidString)").path
  guard mkfifo(path, 0o600) == 0 else { throw NamedPipe.Failed(code: errno) }
  defer { unlink(path) }
  signal(SIGPIPE, SIG_IGN)
  // Whoever reads it alone must not wait for somebody to write it.
  let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  let writing = open(path, O_WRONLY | O_CLOEXEC)
  guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else {
    throw NamedPipe.Failed(code: errno)
  }
  return (reading, writing)
}
