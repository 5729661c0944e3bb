import EventMVVM
import Foundation
import Platform

/// A Unix socket for this user's programs, and those of root.
///
/// Its mode is 0600, which can be changed, and which not all systems check. So each client's user is checked, too.
final class ListeningSocket: Sendable {
  /// Its path.
  let path: String
  private let descriptor: Int32
  /// The identity of the socket's file, while it is at the path.
  private let identity: FileIdentity?
  /// The read end of a pipe that wakes the thread that accepts clients, and its write end.
  private let (waking, wake): (Int32, Int32)

  /// Creates the socket.
  ///
  /// A socket at the path without a listening process is replaced, as a process that was killed
  /// leaves one behind. Any other file there is left alone.
  ///
  /// - Parameter path: Its path, in an existing folder.
  /// - Throws: Why it can't be created.
  init(at path: String) throws(Failure) {
    let folder = open(path.folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure(path, "its folder can't be opened") }
    defer { close(folder) }
    // Between the check of the path and its replacement, no other process may do the same.
    guard lockFile(folder) else {
      throw Failure(.usage, "\(path): another program keeps its folder locked; try again later.")
    }
    try Self.removeStale(path)
    let descriptor = socket(AF_UNIX, UnixSocket.stream, 0)
    guard descriptor >= 0 else { throw Self.failure(path, "no socket can be made") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Linux takes the mode from here, so that it is private from the start.
    fchmod(descriptor, 0o600)
    var ends: [Int32] = [-1, -1]
    guard try UnixSocket.withAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
      defer { close(descriptor) }
      throw Self.failure(path, "can't listen there")
    }
    guard chmod(path, 0o600) == 0, listen(descriptor, 16) == 0, pipe(&ends) == 0 else {
      defer {
        unlink(path)
        close(descriptor)
      }
      throw Self.failure(path, "can't listen there")
    }
    // A client that is gone before it is accepted must not block the next.
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.path = path
    self.descriptor = descriptor
    identity = FileIdentity(at: path)
    (waking, wake) = (ends[0], ends[1])
  }

  deinit {
    for descriptor in [descriptor, waking, wake] { close(descriptor) }
  }

  /// Waits for the next client.
  ///
  /// - Parameter refused: Called with the user of each client that is refused, whose connection is closed by then; nil
  ///   if the system does not say whose it was.
  /// - Returns: Its connection; nil once the socket is ended.
  func accept(_ refused: (uid_t?) -> Void) -> Int32? {
    while true {
      var places = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: waking, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&places, 2, -1) >= 0 || errno == EINTR else { return nil }
      guard places[1].revents == 0 else {
        // Clients that connected and were not accepted are notified at once.
        shutdown(descriptor, Int32(SHUT_RDWR))
        return nil
      }
      guard places[0].revents != 0 else { continue }
      let client = Foundation.accept(descriptor, nil, nil)
      guard client >= 0 else {
        // Without a free descriptor or memory it waits for some.
        if ![EAGAIN, EINTR, ECONNABORTED].contains(errno) { usleep(100_000) }
        continue
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      let user = UnixSocket.user(of: client)
      guard UnixSocket.isTrusted(user) else {
        close(client)
        refused(user)
        continue
      }
      // Some systems inherit that flag.
      _ = fcntl(client, F_SETFL, fcntl(client, F_GETFL) & ~O_NONBLOCK)
      return client
    }
  }

  /// Ends it: ``accept(_:)`` returns nil, and removes its file, unless another one has replaced it.
  func end() {
    var byte: UInt8 = 0
    _ = write(wake, &byte, 1)
    if FileIdentity(at: path) == identity { unlink(path) }
  }

  // MARK: The path

  private static func removeStale(_ path: String) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
      throw Failure(
        .usage,
        "\(path) is there already, and is no socket of yours: name another path with --listen=PATH."
      )
    }
    let probe = socket(AF_UNIX, UnixSocket.stream, 0)
    defer { close(probe) }
    // A stopped process accepts no connection, and connecting would block.
    _ = fcntl(probe, F_SETFL, O_NONBLOCK)
    if try UnixSocket.withAddress(path, { connect(probe, $0, $1) }) == 0 || errno == EAGAIN {
      throw Failure(
        .usage,
        "\(path): another process listens there; name another path with --listen=PATH."
      )
    }
    guard errno == ECONNREFUSED, unlink(path) == 0 else { throw failure(path, "can't be replaced") }
  }

  private static func failure(_ path: String, _ problem: String) -> Failure {
    Failure(.usage, "\(path): \(problem): \(SystemProblem(errno).text).")
  }
}
