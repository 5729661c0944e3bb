/// A unit while it is open.
@usableFromInline
final class OpenUnit: @unchecked Sendable {
  // Unchecked: the variables belong to the home thread.
  let root: Root
  let origin: Origin
  let mode: StreamUnit.Mode
  let conversation: Conversation
  /// How it ends or has ended: a unit that is released without an end is rolled back.
  var outcome = ResponseUnit.Outcome.rolledBack
  /// Whether its end was requested.
  var isClosing = false
  /// Called when it has ended.
  var then: ((Result<Void, Failure>, borrowing Turn) -> Void)?
  /// The facts that it emits once it is committed.
  var facts = EntryQueue()
  /// The requests of other roots that write, and the units that begin after it.
  var waiting = EntryQueue()
  /// The origins of those requests: later requests of the same origin wait as well, even reads.
  var waitingOrigins: Set<Origin> = []
  /// How many of its events had their turn.
  var turns = 0
  /// Whether it was rolled back because it was idle while others waited.
  var hasStalled = false

  /// Whether a frontend began it.
  let isInput: Bool
  /// The header of its end.
  var header: _Header { _Header(cause: root.number, root: root, origin: origin) }

  init(_ root: Root, _ origin: Origin, _ mode: StreamUnit.Mode, isInput: Bool) {
    self.isInput = isInput
    self.root = root
    self.origin = origin
    self.mode = mode
    let key = StreamKey(RequestUnit.self)
    conversation = Conversation(RequestUnit.self, key, parent: nil, origin: origin)
  }

  deinit {
    facts.destroy()
    waiting.destroy()
  }
}

/// The queue entry that begins a unit.
struct UnitBeginning: StreamEntry, @unchecked Sendable {
  // Unchecked: the closure is called by the home thread alone.
  let mode: StreamUnit.Mode
  /// Whether a frontend begins the unit.
  let isInput: Bool
  /// Called when it has begun.
  let then: (Result<StreamUnit, Failure>, borrowing Turn) -> Void

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let beginning = _move(address)
    guard beginning.mode != .keepGoing else {
      let turn = router.beginNumbered(address)
      let unit = StreamUnit(router, turn.origin, nil, isInput: beginning.isInput)
      return beginning.then(.success(unit), turn)
    }
    if let unit = router.state.pointee.unit {
      unit.waiting.push(beginning, address.header)
      return router.wait(address.header.origin, for: unit)
    }
    beginning.open(address, router)
  }

  private func open(_ address: _EntryAddress, _ router: _Router) {
    let turn = router.beginNumbered(address)
    router.announce(RequestUnit(mode: mode), turn, StreamKey(RequestUnit.self))
    do {
      try router.state.pointee.tap?.willBegin(turn.sequence)
      try router.registry.withLock { $0.participant }?.begin(turn.root)
    } catch {
      router.announce(ResponseUnit(outcome: .rolledBack), turn, StreamKey(ResponseUnit.self))
      return then(.failure(Failure(error)), turn)
    }
    let unit = OpenUnit(turn.root, turn.origin, mode, isInput: isInput)
    _ = router.enter(unit.conversation)
    unit.conversation.unit = unit
    unit.conversation.root = turn.root
    unit.conversation.sequence = turn.sequence
    router.state.pointee.unit = unit
    then(.success(StreamUnit(router, turn.origin, unit, isInput: isInput)), turn)
  }
}

/// The queue entry that requests the end of a unit: it ends when none of its work is running.
struct UnitClosing: StreamEntry, @unchecked Sendable {
  // Unchecked: the closure is called by the home thread alone.
  let unit: OpenUnit?
  let outcome: ResponseUnit.Outcome
  let then: (Result<Void, Failure>, borrowing Turn) -> Void

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let closing = _move(address)
    guard let unit = closing.unit, !unit.hasStalled else {
      let isLost = closing.unit != nil && closing.outcome == .committed
      let turn = router.beginUnnumbered(address)
      return closing.then(isLost ? .failure(.stalled) : .success(()), turn)
    }
    unit.isClosing = true
    unit.outcome = closing.outcome
    unit.then = closing.then
    router.leave(Lent(unit.conversation))
  }
}

/// The queue entry that ends a unit, which is committed or rolled back.
struct UnitEnd: StreamEntry {
  let unit: OpenUnit
  let result: Result<Void, Failure>

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let (unit, result) = { ($0.unit, $0.result) }(_move(address))
    // A commit off the home thread: for a recording, the unit ends now.
    guard !address.header.isInput else { return router.queueEnd(of: unit, result) }
    if (try? result.get()) == nil { unit.outcome = .rolledBack }
    unit.conversation.unit = nil
    router.state.pointee.unit = nil
    router.state.pointee.queue.prepend(&unit.waiting)
    if unit.outcome == .committed { router.state.pointee.queue.prepend(&unit.facts) }
    let turn = router.beginNumbered(address)
    router.announce(ResponseUnit(outcome: unit.outcome), turn, StreamKey(ResponseUnit.self))
    unit.then?(result, turn)
  }
}

extension _Router {
  /// Commits or rolls back a unit whose work is done, through the participant, and queues its end; a
  /// commit that fails is a rollback.
  func end(_ unit: OpenUnit) {
    markCancelled(unit.conversation)
    let participant = registry.withLock { $0.participant }
    guard unit.outcome == .committed else {
      participant?.rollBack(unit.root)
      return queueEnd(of: unit, .success(()))
    }
    do { try state.pointee.tap?.willCommit(unit.root) } catch {
      return queueEnd(of: unit, .failure(Failure(error)))
    }
    guard let participant else { return queueEnd(of: unit, .success(())) }
    participant.commit(unit.root) { [weak self] in self?.queueEnd(of: unit, $0) }
  }

  fileprivate func queueEnd(of unit: OpenUnit, _ result: Result<Void, Failure>) {
    guard isHome else { return submit(UnitEnd(unit: unit, result: result), unit.header) }
    if unit.isInput { state.pointee.tap?.unitEnds(unit.root, unit.outcome) }
    push(UnitEnd(unit: unit, result: result), unit.header)
  }

  /// While a unit is open, holds back its facts and the writes of other roots; the entry is the
  /// event, or what sends it.
  ///
  /// - Returns: Whether the event waits and has no turn now.
  @usableFromInline
  func divert<E: Event>(_: E.Type, _ entry: some StreamEntry, _ address: _EntryAddress) -> Bool {
    guard let unit = state.pointee.unit else { return false }
    if address.header.root == unit.root {
      unit.turns += 1
      guard E.isFact else { return false }
      var later = address.header
      later.conversation = nil
      unit.facts.push(entry, later)
      return true
    }
    guard E._reply != nil, !isPrevented(address),
      let conversation = address.header.conversation?.object,
      E._writes
        || (conversation.parent == nil && unit.waitingOrigins.contains(address.header.origin))
    else { return false }
    conversation.open += 1
    unit.waiting.push(entry, address.header)
    wait(address.header.origin, for: unit)
    return true
  }

  /// Notes that an origin waits for a unit.
  fileprivate func wait(_ origin: Origin, for unit: OpenUnit) {
    unit.waitingOrigins.insert(origin)
    watch(unit)
  }

  /// Watches a unit that others wait for: a frontend that begins one and sends nothing more would
  /// block them for ever.
  private func watch(_ unit: OpenUnit) {
    guard !state.pointee.isWatchingUnits else { return }
    let turns = unit.turns
    state.pointee.isWatchingUnits = startThread(after: environment.longestStall) { [weak self] in
      let look = Later { $0.look(after: unit, turns) }
      self?.submit(look, _Header(origin: unit.origin))
    }
  }

  /// Rolls a unit back if it has had no turn since its count of turns was read.
  private func look(after unit: OpenUnit, _ turns: Int) {
    state.pointee.isWatchingUnits = false
    guard let open = state.pointee.unit, !open.waiting.isEmpty else { return }
    guard open === unit, unit.turns == turns, unit.conversation.open == 1, !unit.isClosing else {
      return watch(open)
    }
    unit.hasStalled = true
    leave(Lent(unit.conversation))
  }
}

extension Failure {
  /// The failure of a unit that was rolled back because others waited.
  fileprivate static let stalled = Failure(
    .cancelled,
    "Nothing was asked while others waited, so all of it was rolled back."
  )
}
