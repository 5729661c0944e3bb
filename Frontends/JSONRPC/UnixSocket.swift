import EventMVVM
import Foundation

/// Common functions for sockets of the Unix domain.
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
    // An address of one family is passed as one of any, as socket(7) defines.
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Connects to a listening socket of this user or of root; nil if none listens, with the reason in `errno`.
  ///
  /// A stopped process accepts no connection, and is not waited for.
  static func connect(to path: String) throws(Failure) -> Int32? {
    let descriptor = socket(AF_UNIX, stream, 0)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    var isOpen = false
    defer {
      let code = errno
      if !isOpen { close(descriptor) }
      errno = code
    }
    guard try withAddress(path, { Foundation.connect(descriptor, $0, $1) }) == 0 else { return nil }
    guard isTrusted(user(of: descriptor)) else {
      throw Failure(.unanswered, "\(path): what listens there is another user's.")
    }
    _ = fcntl(descriptor, F_SETFL, flags)
    isOpen = true
    return descriptor
  }

  /// Returns the user of the process at the other end, as it was when that connected or began to
  /// listen; nil if the system does not say.
  static func user(of descriptor: Int32) -> uid_t? {
    #if os(Linux)
      // Its process, user and group (unix(7): struct ucred), which Swift does not import.
      var peer: [UInt32] = [0, .max, 0]
      var size = socklen_t(MemoryLayout<UInt32>.size * peer.count)
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return nil }
      return peer[1]
    #else
      var (user, group) = (uid_t(), gid_t())
      return getpeereid(descriptor, &user, &group) == 0 ? user : nil
    #endif
  }

  /// Whether a user may be at the other end: this one, or root, who can do everything as this one.
  static func isTrusted(_ user: uid_t?) -> Bool { user == geteuid() || user == 0 }
}
