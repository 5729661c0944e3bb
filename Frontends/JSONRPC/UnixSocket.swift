import EventMVVM
import Foundation

/// What sockets of the Unix domain have in common.
enum UnixSocket {
  #if os(Linux)
    static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    static let stream = SOCK_STREAM
  #endif

  /// Calls a body with the address of a path.
  static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Failure) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    let bytes = Array(path.utf8)
    guard bytes.count < room, !bytes.isEmpty else {
      throw Failure(
        .usage,
        "\(path): the path of a socket has at most \(room - 1) bytes; name a shorter one."
      )
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // An address of one family is handed over as one of any, as socket(7) has it.
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Connects to one that listens; nil if none does, and `errno` says why.
  static func connect(to path: String) throws(Failure) -> Int32? {
    let descriptor = socket(AF_UNIX, stream, 0)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard try withAddress(path, { Foundation.connect(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    return descriptor
  }
}
