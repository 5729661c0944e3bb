/// Is notified of what happens on a stream apart from its events, as the recording of a session
/// needs it.
///
/// Everything is said on the home thread, in its place among the events.
package protocol EventTap: AnyObject, Sendable {
  /// A service has released the delivery of an event that it held.
  func released(_ sequence: UInt64)
  /// A request was cancelled after its work had begun, or a unit; it matters from here on.
  ///
  /// - Parameters:
  ///   - sequence: That of the request, or of the unit's beginning.
  ///   - amidTurn: Whether that was found while the last event was handled.
  func cancelled(_ sequence: UInt64, amidTurn: Bool)
  /// A frontend wishes its unit to end.
  func unitEnds(_ unit: Root, _ outcome: ResponseUnit.Outcome)
  /// An entry that no frontend has queued had its turn, and produced no event: it was held back, or
  /// is something else than an event.
  func passed(_ entry: any StreamEntry.Type)
}

extension EventStream {
  /// Attaches the tap, from its turn on; a stream has one.
  package func attach(_ tap: any EventTap) {
    engine.submit(TapEntry(tap: tap), _Header(origin: origin))
  }

  /// Whether the calling thread is the one that delivers.
  package var isHome: Bool { engine.isHome }

  /// Whether more is to follow from what was said already; on the home thread.
  package var isUnderWay: Bool {
    precondition(engine.isHome, "isUnderWay belongs to the stream's home thread")
    return !engine.state.pointee.queue.isEmpty
  }
}

/// The beginning of a tap, in the queue.
private struct TapEntry: StreamEntry {
  let tap: any EventTap

  static func _take(
    _ payload: _Payload,
    _ position: _Position,
    _ engine: _Engine
  ) {
    engine.state.pointee.tap = _move(payload).tap
    engine.state.pointee.notesSilence = true
  }
}

extension StreamEntry {
  /// Whether its position matters even if it produces no event: an end takes effect before its
  /// turn, and what is left for later brings nothing about.
  static var isWorthNoting: Bool {
    self != Leave.self && self != StateLeave.self && self != Later.self
  }

  /// What a recording calls it.
  package static var recordedName: String {
    (self as? any Event.Type)?.name ?? _typeName(self, qualified: false)
  }
}

/// What a recording says of what can't be found out again.
package struct RecordedOutcomes: Sendable {
  /// The events that a service has answered: the answers are fed.
  package var answered: Set<UInt64> = []
  /// The units that could not begin, by the sequence at which they were to.
  package var refusedUnits: Set<UInt64> = []
  /// The units that were to be kept and were not, by the number of their root.
  package var lostUnits: Set<UInt64> = []

  /// Nothing failed, and no service was asked.
  package init() {}
}

/// What a recording supplies during a replay; belongs to the home thread.
final class ReplayState {
  private let outcomes: RecordedOutcomes
  /// The deliveries that services would hold, by sequence.
  private(set) var held: [UInt64: AsyncTurn] = [:]
  /// The frontends' units that are open, by the number of their root.
  var units: [UInt64: StreamUnit] = [:]

  init(_ outcomes: RecordedOutcomes) {
    self.outcomes = outcomes
  }

  var answered: Set<UInt64> { outcomes.answered }

  /// Those of them that are over with their answer.
  private var untilAnswered: Set<UInt64> = []

  /// Holds a delivery in the service's place.
  func keep(_ turn: AsyncTurn, untilAnswered isBrief: Bool = false) {
    held[turn.envelope.sequence] = turn
    if isBrief { untilAnswered.insert(turn.envelope.sequence) }
  }

  /// Notes that an answer was fed.
  func noteAnswer(to sequence: UInt64) {
    if untilAnswered.remove(sequence) != nil { release(sequence) }
  }

  /// Releases it.
  func release(_ sequence: UInt64) {
    held.removeValue(forKey: sequence)?.releaseAtOnce()
  }

  /// Fails where the unit could not begin.
  func checkBeginning(_ sequence: UInt64) throws {
    if outcomes.refusedUnits.contains(sequence) { throw Self.asRecorded }
  }

  /// Fails where the unit could not be kept.
  func checkCommit(_ unit: Root) throws {
    if outcomes.lostUnits.contains(unit.number) { throw Self.asRecorded }
  }

  /// Drops what will not be released or ended any more, as it retains the stream.
  func drop() {
    held = [:]
    units = [:]
  }

  private static let asRecorded = Failure(.store, "It failed when it was recorded.")
}

/// Replays a recorded session: feeds the inputs, each in its position, and lets the
/// stream do the rest, an entry at a time.
///
/// Services are not asked: ``Turn/perform(on:_:)`` runs nothing, and what they answered is fed.
/// Used on the home thread, by the code that made the stream.
package final class StreamReplay {
  private let engine: _Engine
  private let replay: ReplayState
  private let wishes: Set<UInt64>
  private var cancellable: [UInt64: Conversation] = [:]

  /// Takes a stream over.
  ///
  /// - Parameters:
  ///   - stream: A stream that nothing was said on yet.
  ///   - outcomes: What can't be found out again.
  ///   - cancelled: The requests that will be cancelled.
  package init(_ stream: EventStream, _ outcomes: RecordedOutcomes, cancelled: Set<UInt64>) {
    precondition(stream.isHome, "a replay belongs to the stream's home thread")
    engine = stream.engine
    replay = ReplayState(outcomes)
    wishes = cancelled
    engine.state.pointee.replay = replay
    engine.deliverAll()
    // From now on entries get their turn one by one, and what is sent waits for that.
    engine.state.pointee.isDelivering = true
  }

  deinit { replay.drop() }

  /// The origin of that number, of that name.
  ///
  /// - Parameters:
  ///   - index: The number that it had.
  ///   - name: Its name.
  /// - Returns: The origin.
  package func origin(_ index: UInt32, named name: String) -> Origin {
    engine.registry.withLock { registry in
      while registry.names.count <= Int(index) { registry.names.append(name) }
    }
    return Origin(index: index)
  }

  /// Sets the sequence of the next event, as entries that are no events used numbers up.
  package func skip(to sequence: UInt64) {
    engine.state.pointee.sequence = max(engine.state.pointee.sequence, sequence &- 1)
  }

  /// Gives an event that came from outside its turn, before all that is queued.
  package func feed<E: Event>(_ event: E, cause: UInt64?, root: Root, origin: Origin) {
    let sequence = engine.state.pointee.sequence + 1
    var header = _Header(origin: origin, isInput: true)
    if root.number != sequence || root.session != engine.session {
      header.root = root
      header.cause = cause ?? 0
    }
    let round = cause.flatMap { around($0, root) }
    let own = Conversation.opened(by: E.self, in: round, origin: origin)
    if let own, wishes.contains(sequence) { cancellable[sequence] = own }
    deliver(event, header, own ?? round) { [replay] in
      if let cause { replay.noteAnswer(to: cause) }
    }
  }

  /// The conversation that an event with a cause belongs to.
  private func around(_ cause: UInt64, _ root: Root) -> Conversation? {
    if let held = replay.held[cause] { return held.conversation }
    guard let unit = engine.state.pointee.unit, unit.root == root else { return nil }
    return unit.conversation
  }

  /// Begins a frontend's unit.
  package func begin(_ mode: StreamUnit.Mode, origin: Origin) {
    let number = engine.state.pointee.sequence + 1
    let beginning = UnitBeginning(
      mode: mode,
      origin: origin,
      isInput: true,
      callback: UnitCallback { [replay] result, _ in replay.units[number] = try? result.get() }
    )
    deliver(beginning, _Header(origin: origin, isInput: true), nil)
  }

  /// Wishes a frontend's unit to end.
  package func end(_ unit: Root, _ outcome: ResponseUnit.Outcome) {
    // It ends here, and not after what is queued.
    guard let unit = replay.units.removeValue(forKey: unit.number), let open = unit.openUnit else {
      return
    }
    unit.disown()
    let closing = UnitClosing(unit: open, outcome: outcome, callback: UnitCallback { _, _ in })
    deliver(closing, _Header(origin: open.origin, isInput: true), nil)
  }

  /// Releases an event's delivery, as the service did.
  package func release(_ sequence: UInt64) {
    replay.release(sequence)
  }

  /// Cancels a request whose work has begun, or a frontend's unit.
  package func cancel(_ sequence: UInt64) {
    cancellable.removeValue(forKey: sequence)?.markCancelled()
    replay.units[sequence]?.cancel()
  }

  /// Gives the next entry of the queue its turn, if it is the one that had it when nothing was
  /// told.
  ///
  /// - Parameter name: What the recording calls it.
  /// - Returns: False if it is another one, or none.
  package func pass(_ name: String) -> Bool {
    while true {
      if engine.inbox.hasMail { engine.inbox.collect(into: &engine.state.pointee.queue) }
      guard let type = engine.state.pointee.queue.peek()?.pointee.type else { return false }
      if type.isWorthNoting { return type.recordedName == name && step() }
      _ = step()
    }
  }

  /// Gives the next entry of the queue its turn.
  ///
  /// - Returns: False if none is queued.
  package func step() -> Bool {
    if engine.inbox.hasMail { engine.inbox.collect(into: &engine.state.pointee.queue) }
    guard let entry = engine.state.pointee.queue.take() else { return false }
    engine.deliver(entry)
    return true
  }

  private func deliver<E: StreamEntry>(
    _ entry: E,
    _ header: _Header,
    _ conversation: Conversation?,
    whenQueued: () -> Void = {}
  ) {
    var header = header
    if let conversation, engine.enter(conversation) { header.conversation = Lent(conversation) }
    var front = EntryQueue()
    front.push(entry, header)
    engine.state.pointee.queue.prepend(&front)
    front.deallocate()
    whenQueued()
    _ = step()
  }
}
