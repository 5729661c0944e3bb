/// How much of what the other end says is taken before it has been dealt with.
public struct RPCLimits: Sendable {
  /// How many calls are handed on while those before them are being dealt with: what waits in the
  /// pipe costs nothing, and what waits here falls out of the processor's caches.
  public var ahead = 64
  /// How many calls may be under way, if those before wait for something.
  public var calls = 65_536
  /// The bytes of the messages that they came in.
  public var bytes = 16_777_216
  /// The bytes of answers that wait for the other end before nothing more is read.
  public var waiting = 268_435_456

  /// Those for a client that started us.
  public init() {}
}

/// Holds back an other end that says too much, on the thread that reads; its methods may wait.
public protocol RPCThrottle: Sendable {
  /// Called with what has been read, before it is looked at.
  ///
  /// - Parameter bytes: How many bytes.
  func hasRead(_ bytes: Int)
  /// Called after each message, as soon as there is room for another.
  ///
  /// - Parameters:
  ///   - time: How long it took.
  ///   - faults: How many messages so far were none.
  func hasServed(in time: Duration, faults: Int)
}
