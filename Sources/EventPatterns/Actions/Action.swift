public import EventMVVM

/// Work that the owner of a screen does on request: one run at a time, and a view can tell (S91).
///
/// The handler of the request calls ``begin(_:)``, and ``end(_:)`` in the turn of its outcome. A
/// run belongs to the intent that began it, its root, so that an answer to another intent does not
/// end it; it ends by itself when the request stays unanswered or is cancelled. All of it happens
/// on the stream's home thread.
///
/// A run that a unit begins is the unit's alone until that is kept (promise 11): what was under way
/// before goes on counting, and is overtaken only then. If the unit is rolled back, its run has
/// never been, and everything is as it was before; what is still said of the run later is not used.
public final class Action: Sendable {
  /// What happens to a run that is asked for during another.
  public enum Overlap: Sendable {
    /// It is refused: the action is disabled while it executes.
    case refused
    /// It begins, and of all those under way the latest counts.
    case latestWins
  }

  private struct Runs {
    /// The one that counts; nil if none is under way.
    var latest: Root?
    /// That of the unit which is open, whose root it is; nil if it has begun none.
    var ofUnit: (root: Root, isOver: Bool)?

    var isUnderWay: Bool { latest != nil || ofUnit?.isOver == false }
  }

  /// Whether it is under way; to be shown, and to disable what starts it.
  public var isExecuting: ReadOnlyState<Bool> { ReadOnlyState(executing, of: self) }
  private let executing: State<Bool>
  private let name: String
  private let overlap: Overlap
  private let runs = Locked(Runs())

  /// Declares an action that is not under way.
  ///
  /// - Parameters:
  ///   - name: What a person calls it; errors say `'save' is under way`.
  ///   - overlap: What happens to a run during another.
  ///   - stream: The shared stream.
  public init(_ name: String, _ overlap: Overlap = .refused, on stream: EventStream) {
    self.name = name
    self.overlap = overlap
    executing = State(false, name: name, on: stream)
    stream.on(ResponseUnanswered.self, owner: self) { action, _, turn in _ = action.end(turn) }
    stream.on(ResponseUnit.self, owner: self) { action, unit, turn in
      action.unitEnds(unit.outcome, turn)
    }
  }

  /// Checks that it is not under way; what must not change meanwhile calls this.
  ///
  /// - Throws: That it is.
  public func checkIsIdle() throws(Failure) {
    if runs.withLock({ $0.isUnderWay }) { throw isUnderWay }
  }

  private var isUnderWay: Failure {
    Failure(.usage, "'\(name)' is under way; wait for its end.")
  }

  /// Begins a run for the intent whose turn this is.
  ///
  /// - Throws: That it is under way, if that is refused.
  public func begin(_ turn: borrowing Turn) throws(Failure) {
    let (root, isInUnit) = (turn.root, turn.isInUnit)
    let isRefused = runs.withLock { runs in
      guard overlap == .latestWins || !runs.isUnderWay else { return true }
      // What begins outside of a unit is later than what began inside.
      if isInUnit { runs.ofUnit = (root, isOver: false) } else { runs = Runs(latest: root) }
      return false
    }
    guard !isRefused else { throw isUnderWay }
    turn.set(executing, to: true)
  }

  /// Ends the run of the intent whose turn this is.
  ///
  /// - Returns: Whether it was the latest: the outcome of an earlier one is not to be used.
  public func end(_ turn: borrowing Turn) -> Bool {
    let root = turn.root
    let isLatest = runs.withLock { runs in
      if let run = runs.ofUnit, run.root == root {
        runs.ofUnit?.isOver = true
        return !run.isOver
      }
      guard runs.latest == root else { return false }
      runs.latest = nil
      return true
    }
    if isLatest { turn.set(executing, to: false) }
    return isLatest
  }

  /// Lets the run of a unit replace what was under way, or drops it.
  private func unitEnds(_ outcome: ResponseUnit.Outcome, _ turn: borrowing Turn) {
    let root = turn.root
    let isExecuting: Bool? = runs.withLock { runs in
      guard let run = runs.ofUnit, run.root == root else { return nil }
      if outcome == .committed { runs.latest = run.isOver ? nil : root }
      runs.ofUnit = nil
      return runs.latest != nil
    }
    // What the unit set is sent before, or never.
    if let isExecuting { turn.set(executing, to: isExecuting) }
  }
}
