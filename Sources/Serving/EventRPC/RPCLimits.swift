/// Limits of the calls that are accepted before earlier ones are finished.
public struct RPCLimits: Sendable {
  /// How many calls are passed on while earlier ones are in progress: calls that wait in the pipe
  /// cost nothing, and calls that wait here are evicted from the processor's caches.
  public var ahead = 64
  /// How many calls may be in progress, if earlier ones wait for something.
  public var calls = 65_536
  /// The bytes of their messages.
  public var bytes = 16_777_216
  /// The bytes of answers that wait for the other end before nothing more is read.
  public var waiting = 33_554_432
  /// The bytes of answers that wait for the other end before no further command is begun.
  public var waitingForCommands = 4_194_304
  /// The bytes of answers that wait for all clients of the process: from there on, a client that has
  /// not read its own waits for that.
  public var waitingInProcess = 67_108_864

  /// Creates the limits for a client that started this process.
  public init() {}
}

/// Throttles the other end, on the thread that reads; its methods may wait.
public protocol RPCThrottle: Sendable {
  /// Called with what has been read, before it is processed.
  ///
  /// - Parameter bytes: The number of bytes.
  func hasRead(_ bytes: Int)
  /// Called after each message, as soon as there is room for another.
  ///
  /// - Parameters:
  ///   - time: The time that it took.
  ///   - faults: The number of invalid messages so far.
  func hasServed(in time: Duration, faults: Int)
}
