import EventMVVM
import EventRPC

/// Sends a client notifications, from its first request to its last.
///
/// After a `shutdown` nothing is sent any more: the client is about to leave.
final class Notifier: Sendable {
  /// Takes a message, and calls back when it has been handed to the system.
  typealias Post = @Sendable (_ message: [UInt8], _ whenWritten: (@Sendable () -> Void)?) -> Void

  private let post: Post
  private let isOver = Locked(false)

  init(_ post: @escaping Post) {
    self.post = post
  }

  convenience init(_ peer: RPCPeer) {
    self.init { peer.send($0, whenWritten: $1) }
  }

  /// Sends a notification.
  ///
  /// - Parameters:
  ///   - message: The notification.
  ///   - whenWritten: Called when it has been handed to the system, if ever.
  func send(_ message: [UInt8], whenWritten: (@Sendable () -> Void)? = nil) {
    if !isOver.withLock({ $0 }) { post(message, whenWritten) }
  }

  /// Sends nothing any more.
  func end() {
    isOver.withLock { $0 = true }
  }
}
