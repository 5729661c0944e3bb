public import EventMVVM

/// A reply that is owed to a request until somebody has made up his mind, such as a person (S83).
///
/// Whoever asked gets one reply: the first that is given; or the one for the worst case, as soon as whoever owes
/// it is let go of, such as with the screen that asked the person, or when the session ends. Any thread.
public final class DeferredReply<R: Request>: Sendable {
  /// What was asked.
  public let request: R
  private let held: AsyncTurn
  private let worst: R.Reply.Problem
  private let isGiven = Locked(false)

  /// Owes a reply to the request of this turn.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - turn: Its turn.
  ///   - worst: What the reply is where nobody gives one.
  public init(to request: R, _ turn: borrowing Turn, or worst: R.Reply.Problem) {
    self.request = request
    self.worst = worst
    held = turn.hold()
  }

  deinit { give(.failure(worst)) }

  /// Whose intent it was.
  public var asker: Origin { held.envelope.origin }

  /// Whether the asker has cancelled his request, so that whoever owes the reply may let go of it.
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
