import EventMVVM
import EventRPC

/// Tells a client what it did not ask for, from its first request to its last.
///
/// Behind a `shutdown` nothing is told any more: the client is on its way out.
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

  /// Tells nothing any more.
  func end() {
    isOver.withLock { $0 = true }
  }
}
