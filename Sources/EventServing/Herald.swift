import EventMVVM
import EventRPC

/// Tells a client what it did not ask for, from its first request to its last.
///
/// Behind a `shutdown` nothing is told any more: the client is on its way out.
final class Herald: Sendable {
  private let peer: RPCPeer
  private let isOver = Locked(false)

  init(_ peer: RPCPeer) {
    self.peer = peer
  }

  /// Sends a notification.
  ///
  /// - Parameters:
  ///   - message: The notification.
  ///   - whenWritten: Called when it has been handed to the system, if ever.
  func send(_ message: [UInt8], whenWritten: (@Sendable () -> Void)? = nil) {
    if !isOver.withLock({ $0 }) { peer.send(message, whenWritten: whenWritten) }
  }

  /// Tells nothing any more.
  func end() {
    isOver.withLock { $0 = true }
  }
}
