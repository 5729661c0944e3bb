import Foundation

/// Sleeps until a store's change signal is sent: on Linux by inotify, at no cost in between.
///
/// It also wakes once a second, for writers that send no signal, and for signals whose file was
/// replaced.
final class ChangeSignalListener: Sendable {
  /// The store's own file, links followed.
  let target: String
  private let signal: String
  /// A pipe; closing its other end stops the waiting.
  private let stopping: (wake: Int32, close: Int32)
  #if canImport(Glibc)
    private let notices = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
  #endif

  init(store: String) {
    target = (try? StoreFile(path: store).locate().target) ?? store
    signal = ChangeSignal.path(of: target)
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopping = (ends[0], ends[1])
    listen()
  }

  /// Makes ``wait()`` return `.stopped` from now on; any thread, once.
  func stop() {
    close(stopping.close)
  }

  deinit {
    close(stopping.wake)
    #if canImport(Glibc)
      close(notices)
    #endif
  }

  /// The reason why a wait has ended.
  enum Reason {
    /// The signal was sent.
    case signalled
    /// A second has passed.
    case time
    /// ``stop()`` was called.
    case stopped
  }

  /// Sleeps until the signal is sent, or a second has passed.
  func wait() -> Reason {
    listen()
    #if canImport(Glibc)
      var sources = [
        pollfd(fd: stopping.wake, events: Int16(POLLIN), revents: 0),
        pollfd(fd: notices, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&sources, 2, 1000)
      if sources[1].revents != 0 { takeNotices() }
      let isSignalled = sources[1].revents != 0
    #else
      // Without inotify it wakes ten times a second.
      var sources = [pollfd(fd: stopping.wake, events: Int16(POLLIN), revents: 0)]
      _ = poll(&sources, 1, 100)
      let isSignalled = false
    #endif
    return sources[0].revents != 0 ? .stopped : isSignalled ? .signalled : .time
  }

  /// Watches the present file, unless it is watched already.
  private func listen() {
    #if canImport(Glibc)
      _ = inotify_add_watch(notices, signal, UInt32(IN_MODIFY))
    #endif
  }

  #if canImport(Glibc)
    private func takeNotices() {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(notices, &buffer, buffer.count) > 0 {}
    }
  #endif
}
