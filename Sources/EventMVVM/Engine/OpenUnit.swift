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
