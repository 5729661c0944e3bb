import Foundation

/// Locks a file as flock(2) does, and waits up to a limit for a process that has locked it.
///
/// The other process may be stopped and never unlock it.
/// The lock ends when the descriptor is closed, unless a process that was just forked has a copy of
/// it.
///
/// - Parameters:
///   - descriptor: The file.
///   - operation: `LOCK_EX` or `LOCK_SH`.
///   - limit: How long to wait.
/// - Returns: False if another process has it; true also where the file system supports no locks.
package func lockFile(
  _ descriptor: Int32,
  _ operation: Int32 = LOCK_EX,
  within limit: Duration = .seconds(1)
) -> Bool {
  let end = ContinuousClock.now + limit
  var pause: useconds_t = 100
  while flock(descriptor, operation | LOCK_NB) != 0 {
    guard errno == EWOULDBLOCK || errno == EINTR else { return true }
    guard ContinuousClock.now < end else { return false }
    usleep(pause)
    pause = min(2 * pause, 5000)
  }
  return true
}
