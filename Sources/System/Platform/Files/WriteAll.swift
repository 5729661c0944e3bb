import EventMVVM
import Foundation
import Seams

/// Writes all bytes to a descriptor, however many calls that takes.
///
/// Where the descriptor has no room for more, it waits, even on a non-blocking descriptor.
///
/// - Parameters:
///   - bytes: What to write.
///   - descriptor: Where to.
/// - Returns: The number of the error that ended it; nil once everything is written.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      // What is short is written at once or not at all (POSIX: PIPE_BUF).
      let most = piece.count > 4096 ? Seam.part(of: piece.count, at: .write) : piece.count
      let count = write(descriptor, piece.baseAddress, most)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        // No byte is written and there is no error: trying again would never end.
        return EIO
      } else if errno == EAGAIN {
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&place, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
