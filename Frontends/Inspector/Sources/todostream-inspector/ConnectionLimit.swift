import NIOCore
import Synchronization

/// Limits the connections; shared by all of them.
///
/// Any user of the machine can connect. So a connection on which no secret was shown gives way: the oldest one of them
/// is closed for a new one. Those of the page stay.
final class ConnectionLimit: ChannelInboundHandler, Sendable {
  typealias InboundIn = Any

  private struct State {
    /// The connections without a secret, the oldest first.
    var unknown: [any Channel] = []
    /// Those of the page.
    var known: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: How many there may be.
  init(most: Int) { self.most = most }

  /// Notes that a secret was shown on a connection.
  func accept(_ channel: any Channel) {
    state.withLock { state in
      // It may have been closed since.
      guard let index = state.unknown.firstIndex(where: { $0 === channel }) else { return }
      state.unknown.remove(at: index)
      state.known.insert(ObjectIdentifier(channel))
    }
  }

  func channelActive(context: ChannelHandlerContext) {
    let oldest = state.withLock { state -> (any Channel)? in
      state.unknown.append(context.channel)
      guard state.unknown.count + state.known.count > most else { return nil }
      return state.unknown.removeFirst()
    }
    oldest?.close(promise: nil)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    state.withLock { state in
      state.unknown.removeAll { $0 === context.channel }
      state.known.remove(ObjectIdentifier(context.channel))
    }
    context.fireChannelInactive()
  }
}
