import EventMVVM
import EventRPC

/// Sends a client notifications, from its first request to its last.
///
/// After a `shutdown` nothing more is sent, as the client is about to end.
final class Notifier: Sendable {
  /// Posts a message, and calls back when it is written to the system.
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
  ///   - whenWritten: Called when it is written to the system, if ever.
  func send(_ message: [UInt8], whenWritten: (@Sendable () -> Void)? = nil) {
    if !isOver.withLock({ $0 }) { post(message, whenWritten) }
  }

  /// Stops sending.
  func end() {
    isOver.withLock { $0 = true }
  }
}
