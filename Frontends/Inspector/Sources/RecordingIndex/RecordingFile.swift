import Foundation

/// The file of a recording, which only grows; any thread may read it.
final class RecordingFile: Sendable {
  private let descriptor: Int32

  /// Opens a file.
  init(path: String) throws(RecordingProblem) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw RecordingProblem("it can't be read: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RecordingProblem("it is no file")
    }
  }

  deinit { close(descriptor) }

  /// Its size, in bytes.
  var size: UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(clamping: status.st_size) : 0
  }

  /// Reads bytes from an offset on, as many as there are and fit.
  ///
  /// - Returns: How many.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
    var count = 0
    while count < buffer.count, let start = buffer.baseAddress {
      let read = pread(
        descriptor,
        start + count,
        buffer.count - count,
        off_t(offset) + off_t(count)
      )
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { break }
      count += read
    }
    return count
  }

  /// Returns the bytes of a range, as far as they are there.
  func bytes(_ count: Int, at offset: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = self.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}
