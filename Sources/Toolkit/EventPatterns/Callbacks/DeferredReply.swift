public import EventMVVM

/// A reply that is given later, for example after a person's decision (S83).
///
/// The request gets one reply: the first that is given, or the one for the worst case as soon as
/// this object is released, such as with the screen that asked the person, or at the end of the
/// session. Any thread.
///
/// ```swift
/// stream.on(RequestParcel.self) { request, turn in
///   let reply = DeferredReply(to: request, turn, or: Failure(.cancelled, "The office is closed."))
///   replies.withLock { $0.append(reply) }
/// }
/// ```
public final class DeferredReply<R: Request>: Sendable {
  /// The request.
  public let request: R
  private let held: AsyncTurn
  private let worst: R.Reply.Problem
  private let isGiven = Locked(false)

  /// Defers the reply to the request of this turn.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - turn: Its turn.
  ///   - worst: The reply where none is given.
  public init(to request: R, _ turn: borrowing Turn, or worst: R.Reply.Problem) {
    self.request = request
    self.worst = worst
    held = turn.hold()
  }

  deinit { give(.failure(worst)) }

  /// The session or plugin that sent the request's root.
  public var asker: Origin { held.envelope.origin }

  /// Whether the request was cancelled, so that this object may be released.
  public var isCancelled: Bool { held.isCancelled }

  /// Replies.
  ///
  /// - Parameter result: The reply.
  /// - Returns: Whether it counts: it is the first.
  @discardableResult
  public func give(_ result: Result<R.Reply.Value, R.Reply.Problem>) -> Bool {
    let isFirst = isGiven.withLock { isGiven in
      defer { isGiven = true }
      return !isGiven
    }
    guard isFirst else { return false }
    held.send(R.Reply(result))
    held.release()
    return true
  }
}
