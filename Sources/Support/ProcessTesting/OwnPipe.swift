import Foundation

/// Creates a pipe that programs of other tests do not inherit: with a copy of an end in one of
/// them, closing the pipe here would not end the input.
///
/// A named pipe is never inheritable, not even for a moment. The program that writes to it gets no
/// SIGPIPE.
package func pipeOfOurOwn() throws -> (reading: Int32, writing: Int32) {
  let folder = FileManager.default.temporaryDirectory
  let path = folder.appending(path: "pipe-\(UUID().uuidString)").path
  guard mkfifo(path, 0o600) == 0 else { throw NamedPipe.Failed(code: errno) }
  defer { unlink(path) }
  signal(SIGPIPE, SIG_IGN)
  // Opening it only for reading must not wait for a writer.
  let reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  let writing = open(path, O_WRONLY | O_CLOEXEC)
  guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else {
    throw NamedPipe.Failed(code: errno)
  }
  return (reading, writing)
}
