import NIOCore
import NIOHTTP1

/// Closes a connection on which a request takes too long to come, or is too large.
///
/// The parser limits the lines and headers of a request itself, to 80 KiB.
final class RequestLimits: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart

  /// How long a request may take from the end of the answer before, or the beginning of the connection.
  private static let patience = TimeAmount.seconds(20)
  /// The most bytes of a body, of which none is needed.
  private static let mostBytes = 65_536

  private var deadline: Scheduled<Void>?
  private var bytes = 0

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: bytes = 0
    case .body(let part):
      bytes += part.readableBytes
      guard bytes <= Self.mostBytes else { return context.close(promise: nil) }
    case .end: deadline?.cancel()
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { begin(context) }
    context.write(data, promise: promise)
  }

  private func begin(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }
}
