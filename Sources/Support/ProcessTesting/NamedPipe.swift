import EventMVVMTesting
import Foundation

/// A named pipe in a workplace, by which a test and a process signal their progress.
///
/// Both ends are open here, so that opening it in a process never blocks.
public final class NamedPipe {
  private let name: String
  private var descriptor: Int32

  struct Failed: Error {
    let code: Int32
  }

  /// Creates the pipe.
  public init(_ name: String, in place: Workplace) throws {
    let path = place.folder.appending(path: name).path
    self.name = name
    guard mkfifo(path, 0o600) == 0 else { throw Failed(code: errno) }
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failed(code: errno) }
  }

  deinit { end() }

  /// Waits until a number of bytes has been written, and reads them.
  public func waitUntilWritten(bytes: Int = 1) throws {
    for number in 1...bytes {
      try waitUntil("byte \(number) of \(bytes) is written to the pipe '\(name)'") {
        var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 10) == 1
      }
      var byte: UInt8 = 0
      guard read(descriptor, &byte, 1) == 1 else { throw Failed(code: errno) }
    }
  }

  /// Whether all that was written has been read.
  public var isEmpty: Bool {
    get throws {
      var count: Int32 = 0
      guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { throw Failed(code: errno) }
      return count == 0
    }
  }

  /// Closes it here, so that its readers reach the end.
  public func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Writes a line, for the process that reads the pipe.
  public func write(_ line: String) throws {
    let text = line + "\n"
    guard Foundation.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw Failed(code: errno)
    }
  }
}
