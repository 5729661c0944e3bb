/// Requests bracketed into one: committed together or rolled back together (promise 11).
///
/// Everything inside has the unit as its root. Replies flow inside it; facts are emitted when it is
/// committed, and never when it is rolled back. Requests of other roots that write wait until it
/// ends; those that read do not. A unit that is released without an end is rolled back.
public final class StreamUnit: Sendable {
  /// How a unit treats its requests.
  public enum Mode: Sendable, Equatable, Codable {
    /// All of them take effect, or none.
    case allOrNothing
    /// Each of them stands for itself: its own root, nothing waits.
    case keepGoing
    /// They run, and are rolled back in any case.
    case rehearse
  }

  private let engine: _Engine
  private let origin: Origin
  /// Nil where each request stands for itself.
  private let open: OpenUnit?
  /// Whether it is a frontend's, whose every word is an input.
  private let isInput: Bool
  private let isEnding = Locked(false)

  init(_ engine: _Engine, _ origin: Origin, _ open: OpenUnit?, isInput: Bool) {
    self.engine = engine
    self.origin = origin
    self.open = open
    self.isInput = isInput
  }

  deinit { end(.rolledBack) { _, _ in } }

  /// Takes its end over from it, as a replay does: nothing ends it any more, not even its release.
  func takeEnd() -> OpenUnit? { beginsEnding() ? open : nil }

  /// Whether nothing has ended it before.
  private func beginsEnding() -> Bool {
    isEnding.withLock { isEnding in
      defer { isEnding = true }
      return !isEnding
    }
  }

  /// Sends a request inside the unit, from any thread, and calls back with its reply.
  public func request<R: Request & ViewModelEvent>(
    _ request: R,
    then: @escaping (Result<R.Reply, Interruption>, borrowing ViewTurn) -> Void
  ) {
    let conversation = Conversation(of: R.self, in: open?.conversation, origin) { result, turn in
      then(result, ViewTurn(turn))
    }
    var header = _Header(origin: origin, isInput: isInput)
    if let open {
      header.cause = open.root.number
      header.root = open.root
    }
    engine.submit(request, header, conversation)
  }

  /// Commits the unit, once nothing in it is under way any more.
  ///
  /// - Parameter then: Called on the home thread; with a failure if nothing was kept after all.
  public func commit(then: @escaping (Result<Void, Failure>, borrowing ViewTurn) -> Void) {
    end(open?.mode == .rehearse ? .rolledBack : .committed, then: then)
  }

  /// Rolls back the unit, once nothing in it is under way any more.
  ///
  /// - Parameter then: Called on the home thread.
  public func rollBack(then: @escaping (Result<Void, Failure>, borrowing ViewTurn) -> Void) {
    end(.rolledBack, then: then)
  }

  /// Cancels those of its requests whose work has not begun; the unit itself stays open.
  public func cancel() {
    if let open { engine.markCancelled(open.conversation) }
  }

  private func end(
    _ outcome: ResponseUnit.Outcome,
    then: @escaping (Result<Void, Failure>, borrowing ViewTurn) -> Void
  ) {
    guard beginsEnding() else { return }
    let callback = UnitCallback<Void> { result, turn in then(result, ViewTurn(turn)) }
    let closing = UnitClosing(unit: open, outcome: outcome, callback: callback)
    engine.submit(closing, _Header(origin: origin, isInput: isInput))
  }
}

/// Backs a unit by a transaction; a stream has at most one, the model server.
public protocol UnitParticipant: AnyObject, Sendable {
  /// Opens the transaction; a throw refuses the unit.
  func begin(_ unit: Root) throws
  /// Commits it; a throw means that nothing was committed.
  func commit(_ unit: Root) throws
  /// Rolls it back.
  func rollBack(_ unit: Root)
}

/// Says that a unit has begun.
public struct RequestUnit: ModelEvent, ViewModelEvent, Codable {
  /// How it treats its requests.
  public let mode: StreamUnit.Mode
}

/// Says how a unit has ended.
public struct ResponseUnit: ModelEvent, ViewModelEvent, Codable {
  /// How a unit can end.
  public enum Outcome: Sendable, Equatable, Codable {
    /// Everything in it took effect.
    case committed
    /// Nothing in it took effect.
    case rolledBack
  }

  /// How it has ended.
  public let outcome: Outcome
}

extension EventStream {
  /// Begins a unit, once no other is open.
  ///
  /// - Parameters:
  ///   - mode: How it treats its requests.
  ///   - then: Called on the home thread with the unit, or with why there is none.
  public func begin(
    _ mode: StreamUnit.Mode,
    then: @escaping (Result<StreamUnit, Failure>, borrowing Turn) -> Void
  ) {
    engine.submit(
      UnitBeginning(mode: mode, origin: origin, isInput: isFrontends, callback: UnitCallback(then)),
      _Header(origin: origin, isInput: isFrontends)
    )
  }

  /// Names the participant that backs units by transactions, for as long as it lives; the first one
  /// stays.
  public func participate(_ participant: any UnitParticipant) {
    engine.registry.withLock { registry in
      if registry.participant == nil { registry.participant = participant }
    }
  }
}

/// A unit while it is open.
@usableFromInline
final class OpenUnit: @unchecked Sendable {
  // Unchecked: the variables belong to the home thread.
  let root: Root
  let origin: Origin
  let mode: StreamUnit.Mode
  let conversation: Conversation
  var outcome = ResponseUnit.Outcome.rolledBack
  var callback: UnitCallback<Void>?
  var facts = EntryQueue()
  var waiting = EntryQueue()
  var waitingOrigins: Set<Origin> = []

  init(_ root: Root, _ origin: Origin, _ mode: StreamUnit.Mode) {
    self.root = root
    self.origin = origin
    self.mode = mode
    let key = StreamKey(RequestUnit.self)
    conversation = Conversation(RequestUnit.self, key, parent: nil, origin: origin)
  }

  deinit {
    facts.discardAll()
    facts.deallocate()
    waiting.discardAll()
    waiting.deallocate()
  }
}

/// The closure that is called when a unit has begun or ended.
struct UnitCallback<Value>: @unchecked Sendable {
  // Unchecked: called by the home thread alone.
  let body: (Result<Value, Failure>, borrowing Turn) -> Void

  init(_ body: @escaping (Result<Value, Failure>, borrowing Turn) -> Void) {
    self.body = body
  }
}

struct UnitBeginning: StreamEntry {
  let mode: StreamUnit.Mode
  let origin: Origin
  /// Whether the unit is a frontend's.
  let isInput: Bool
  let callback: UnitCallback<StreamUnit>

  static func _take(_ position: _Position, _ engine: _Engine) {
    let beginning = _move(position)
    guard beginning.mode != .keepGoing else {
      let turn = engine.begin(position)
      let unit = StreamUnit(engine, beginning.origin, nil, isInput: beginning.isInput)
      return beginning.callback.body(.success(unit), turn)
    }
    if let unit = engine.state.pointee.unit {
      unit.waitingOrigins.insert(beginning.origin)
      return unit.waiting.push(beginning, position.header)
    }
    beginning.open(position, engine)
  }

  private func open(_ position: _Position, _ engine: _Engine) {
    let turn = engine.begin(position)
    engine.announce(RequestUnit(mode: mode), turn, StreamKey(RequestUnit.self))
    do {
      try engine.state.pointee.tap?.willBegin(turn.sequence)
      try engine.registry.withLock { $0.participant }?.begin(turn.root)
    } catch {
      engine.announce(ResponseUnit(outcome: .rolledBack), turn, StreamKey(ResponseUnit.self))
      return callback.body(.failure(Failure(error)), turn)
    }
    let unit = OpenUnit(turn.root, origin, mode)
    _ = engine.enter(unit.conversation)
    unit.conversation.unit = unit
    unit.conversation.root = turn.root
    unit.conversation.sequence = turn.sequence
    engine.state.pointee.unit = unit
    callback.body(.success(StreamUnit(engine, origin, unit, isInput: isInput)), turn)
  }
}

/// The request to end a unit: it ends when nothing in it is under way any more.
struct UnitClosing: StreamEntry {
  let unit: OpenUnit?
  let outcome: ResponseUnit.Outcome
  let callback: UnitCallback<Void>

  static func _take(_ position: _Position, _ engine: _Engine) {
    let closing = _move(position)
    guard let unit = closing.unit else {
      let turn = engine.beginUnnumbered(position)
      return closing.callback.body(.success(()), turn)
    }
    if position.header.isInput {
      engine.state.pointee.tap?.unitEnds(unit.root, closing.outcome)
    }
    unit.outcome = closing.outcome
    unit.callback = closing.callback
    engine.leave(Lent(unit.conversation))
  }
}

/// The end of a unit, in the queue.
struct UnitEnd: StreamEntry {
  let unit: OpenUnit

  static func _take(_ position: _Position, _ engine: _Engine) {
    let unit = _move(position).unit
    let result = engine.settle(unit)
    unit.conversation.unit = nil
    engine.state.pointee.unit = nil
    engine.state.pointee.queue.prepend(&unit.waiting)
    if unit.outcome == .committed { engine.state.pointee.queue.prepend(&unit.facts) }
    let turn = engine.begin(position)
    engine.announce(ResponseUnit(outcome: unit.outcome), turn, StreamKey(ResponseUnit.self))
    unit.callback?.body(result, turn)
  }
}

extension _Engine {
  /// Commits or rolls back by the participant; a commit that fails is a rollback.
  fileprivate func settle(_ unit: OpenUnit) -> Result<Void, Failure> {
    markCancelled(unit.conversation)
    let participant = registry.withLock { $0.participant }
    guard unit.outcome == .committed else {
      participant?.rollBack(unit.root)
      return .success(())
    }
    do {
      try state.pointee.tap?.willCommit(unit.root)
      try participant?.commit(unit.root)
      return .success(())
    } catch {
      unit.outcome = .rolledBack
      return .failure(Failure(error))
    }
  }

  /// While a unit is open: holds its facts back, and the writes of others.
  @usableFromInline
  func divert<E: Event>(_ event: E, _ position: _Position) -> Bool {
    guard let unit = state.pointee.unit else { return false }
    if position.header.root == unit.root {
      guard E.isFact else { return false }
      var later = position.header
      later.conversation = nil
      unit.facts.push(event, later)
      return true
    }
    guard E._reply != nil, !isPrevented(position),
      let conversation = position.header.conversation?.object,
      E._writes
        || (conversation.parent == nil && unit.waitingOrigins.contains(position.header.origin))
    else { return false }
    conversation.open += 1
    unit.waitingOrigins.insert(position.header.origin)
    unit.waiting.push(event, position.header)
    return true
  }
}
