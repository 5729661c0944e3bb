public import EventMVVM

/// Work that the owner of a screen does on request: one run at a time, and a view can tell (S91).
///
/// Whoever handles the request calls ``begin(_:)``, and ``end(_:)`` in the turn of what came of it. A run
/// belongs to the intent that began it, its root, so that an answer to somebody else does not end it; it
/// ends by itself when the request stays unanswered or is cancelled. All of it happens on the stream's
/// home thread.
public final class Action: Sendable {
  /// What happens to a run that is asked for during another.
  public enum Overlap: Sendable {
    /// It is refused: the action is disabled while it executes.
    case refused
    /// It begins, and of all those under way the latest counts.
    case latestWins
  }

  /// Whether it is under way; to be shown, and to disable what starts it.
  public let isExecuting: State<Bool>
  private let name: String
  private let overlap: Overlap
  private let run = Locked<Root?>(nil)

  /// Declares an action that is not under way.
  ///
  /// - Parameters:
  ///   - name: What a person calls it; errors say `'save' is under way`.
  ///   - overlap: What happens to a run during another.
  ///   - stream: The shared stream.
  public init(_ name: String, _ overlap: Overlap = .refused, on stream: EventStream) {
    self.name = name
    self.overlap = overlap
    isExecuting = State(false, name: name, on: stream)
    stream.on(ResponseUnanswered.self, owner: self) { action, _, turn in _ = action.end(turn) }
  }

  /// Checks that it is not under way; what must not change meanwhile calls this.
  ///
  /// - Throws: That it is.
  public func checkIsIdle() throws(Failure) {
    if run.withLock({ $0 != nil }) { throw isUnderWay }
  }

  private var isUnderWay: Failure {
    Failure(.usage, "'\(name)' is under way; wait for its end.")
  }

  /// Begins a run for the intent whose turn this is.
  ///
  /// - Throws: That it is under way, if that is refused.
  public func begin(_ turn: borrowing Turn) throws(Failure) {
    let root = turn.root
    let isRefused = run.withLock { run in
      guard overlap == .latestWins || run == nil else { return true }
      run = root
      return false
    }
    guard !isRefused else { throw isUnderWay }
    turn.set(isExecuting, to: true)
  }

  /// Ends the run of the intent whose turn this is.
  ///
  /// - Returns: Whether it was the latest: the outcome of an earlier one is not to be used.
  public func end(_ turn: borrowing Turn) -> Bool {
    let root = turn.root
    let isLatest = run.withLock { run in
      guard run == root else { return false }
      run = nil
      return true
    }
    if isLatest { turn.set(isExecuting, to: false) }
    return isLatest
  }
}
