public import EventMVVM

/// Work that the owner of a screen does on request: one run at a time, which a view can show (S91).
///
/// The handler of the request calls ``begin(_:)``, and ``end(_:)`` in the turn of its outcome. A
/// run belongs to the root that began it, so that an answer to another request does not end it; it
/// also ends when the request stays unanswered or is cancelled. Everything happens on the
/// stream's home thread.
///
/// A run that a unit begins counts for the unit alone until that is committed (promise 11): a run
/// that had begun before continues, and is replaced only then. If the unit is rolled back, its run
/// is discarded and the state before it holds; later outcomes of that run are not used.
///
/// ```swift
/// do {
///   try paying.begin(turn)
/// } catch {
///   return then(.failure(error), turn)
/// }
/// let end: Ending = { result, turn in
///   _ = paying.end(turn)
///   then(result, turn)
/// }
/// ```
public final class Action: Sendable {
  /// What happens to a run that is requested during another.
  public enum Overlap: Sendable {
    /// It is refused: the action is disabled while it executes.
    case refused
    /// It begins, and of all current runs the latest counts.
    case latestWins
  }

  private struct Runs {
    /// The root of the run that counts; nil if none is executing.
    var latest: Root?
    /// The run of the open unit, with the unit's root; nil if the unit has begun none.
    var ofUnit: (root: Root, isOver: Bool)?

    var isUnderWay: Bool { latest != nil || ofUnit?.isOver == false }
  }

  /// Whether it is executing; to be shown, and to disable the control that starts it.
  public var isExecuting: ReadOnlyState<Bool> { ReadOnlyState(executing, of: self) }
  private let executing: State<Bool>
  private let name: String
  private let overlap: Overlap
  private let runs = Locked(Runs())

  /// Declares an action that is not executing.
  ///
  /// - Parameters:
  ///   - name: The name for people; errors say `'save' is under way`.
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

  /// Checks that it is not executing, for what must not change during a run.
  ///
  /// - Throws: A failure if it is executing.
  public func checkIsIdle() throws(Failure) {
    if runs.withLock({ $0.isUnderWay }) { throw isUnderWay }
  }

  private var isUnderWay: Failure {
    Failure(.usage, "'\(name)' is under way; wait for its end.")
  }

  /// Begins a run for the root of this turn.
  ///
  /// - Throws: A failure if a run is executing and overlaps are refused.
  public func begin(_ turn: borrowing Turn) throws(Failure) {
    let (root, isInUnit) = (turn.root, turn.isInUnit)
    let isRefused = runs.withLock { runs in
      guard overlap == .latestWins || !runs.isUnderWay else { return true }
      // What begins outside a unit is later than what began inside.
      if isInUnit { runs.ofUnit = (root, isOver: false) } else { runs = Runs(latest: root) }
      return false
    }
    guard !isRefused else { throw isUnderWay }
    turn.set(executing, to: true)
  }

  /// Ends the run for the root of this turn.
  ///
  /// - Returns: Whether it was the latest: the outcome of an earlier one must not be used.
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

  /// Replaces the current run by that of the unit, or drops the latter.
  private func unitEnds(_ outcome: ResponseUnit.Outcome, _ turn: borrowing Turn) {
    let root = turn.root
    let isExecuting: Bool? = runs.withLock { runs in
      guard let run = runs.ofUnit, run.root == root else { return nil }
      if outcome == .committed { runs.latest = run.isOver ? nil : root }
      runs.ofUnit = nil
      return runs.latest != nil
    }
    // The values that the unit set are sent before this, or never.
    if let isExecuting { turn.set(executing, to: isExecuting) }
  }
}
