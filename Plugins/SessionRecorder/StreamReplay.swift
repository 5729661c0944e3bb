import EventMVVM

/// The recorded outcomes that a replay can't reproduce.
struct RecordedOutcomes: Sendable {
  /// The events that a service has answered: the answers are fed.
  var answered: Set<UInt64> = []
  /// The units that could not begin, by the sequence of their request.
  var refusedUnits: Set<UInt64> = []
  /// The units that were to be committed and were not, by the number of their root.
  var lostUnits: Set<UInt64> = []
}

/// Replays a recorded session on a stream: feeds the inputs, each at its position, and steps
/// through the stream's entries.
///
/// Services are not called: ``Turn/perform(on:_:)`` runs nothing, and their answers are fed. Used
/// on the home thread, by the code that created the stream.
final class StreamReplay {
  private let stepper: StreamStepper
  private let tap: ReplayTap
  private let wishes: Set<UInt64>
  private var cancellable: [UInt64: Conversation] = [:]

  /// Creates a replay on a stream.
  ///
  /// - Parameters:
  ///   - stream: A stream without any event yet.
  ///   - outcomes: The outcomes that a replay can't reproduce.
  ///   - cancelled: The requests that will be cancelled.
  init(_ stream: EventStream, _ outcomes: RecordedOutcomes, cancelled: Set<UInt64>) {
    tap = ReplayTap(outcomes)
    wishes = cancelled
    stream.attach(tap)
    stepper = StreamStepper(stream)
  }

  deinit { tap.drop() }

  /// Returns the origin with that number and name.
  func origin(_ index: UInt32, named name: String) -> Origin {
    stepper.origin(index, named: name)
  }

  /// Sets the sequence of the next event, as entries that are no events took numbers.
  func skip(to sequence: UInt64) { stepper.nextSequence = sequence }

  /// Delivers an input, before all that is queued.
  func feed<E: Event>(_ event: E, cause: UInt64?, root: Root, origin: Origin) {
    let sequence = stepper.nextSequence
    let round = cause.flatMap {
      tap.held[$0]?.conversation ?? stepper.conversation(ofUnit: root)
    }
    let own = stepper.prepend(event, cause: cause, root: root, origin: origin, in: round)
    if let own, wishes.contains(sequence) { cancellable[sequence] = own }
    if let cause { tap.noteAnswer(to: cause) }
    stepper.step()
  }

  /// Begins a frontend's unit.
  func begin(_ mode: StreamUnit.Mode, origin: Origin) {
    let number = stepper.nextSequence
    stepper.prependBeginning(mode, origin: origin) { [tap] in tap.units[number] = $0 }
    stepper.step()
  }

  /// Ends a frontend's unit, before all that is queued.
  func end(_ unit: Root, _ outcome: ResponseUnit.Outcome) {
    guard let unit = tap.units.removeValue(forKey: unit.number) else { return }
    stepper.prependEnd(of: unit, outcome)
    stepper.step()
  }

  /// Releases an event's delivery, as the service did.
  func release(_ sequence: UInt64) { tap.release(sequence) }

  /// Cancels a request whose work has begun, or a frontend's unit.
  func cancel(_ sequence: UInt64) {
    cancellable.removeValue(forKey: sequence)?.markCancelled()
    tap.units[sequence]?.cancel()
  }

  /// Delivers the next entry of the queue, if it is the one that produced no event in the
  /// recording.
  ///
  /// - Parameter name: Its name in the recording.
  /// - Returns: False if it is another one, or none.
  func pass(_ name: String) -> Bool {
    while let type = stepper.next {
      if type.isWorthNoting { return type.recordedName == name && step() }
      stepper.step()
    }
    return false
  }

  /// Delivers the next entry of the queue.
  ///
  /// - Returns: False if none is queued.
  func step() -> Bool { stepper.step() }
}

/// Stands in for services, and for a store that failed; belongs to the home thread.
private final class ReplayTap: EventTap, @unchecked Sendable {
  // Unchecked: the home thread alone uses it.
  private let outcomes: RecordedOutcomes
  /// The deliveries that services would hold, by sequence.
  private(set) var held: [UInt64: AsyncTurn] = [:]
  /// The deliveries that end with their answer.
  private var untilAnswered: Set<UInt64> = []
  /// The frontends' units that are open, by the number of their root.
  var units: [UInt64: StreamUnit] = [:]

  init(_ outcomes: RecordedOutcomes) {
    self.outcomes = outcomes
  }

  var isReplay: Bool { true }

  func takesOver(_ turn: borrowing Turn, isAsync: Bool) -> Bool {
    guard isAsync || outcomes.answered.contains(turn.sequence) else { return false }
    held[turn.sequence] = turn.hold()
    if !isAsync { untilAnswered.insert(turn.sequence) }
    return true
  }

  func willBegin(_ sequence: UInt64) throws {
    if outcomes.refusedUnits.contains(sequence) { throw Self.asRecorded }
  }

  func willCommit(_ unit: Root) throws {
    if outcomes.lostUnits.contains(unit.number) { throw Self.asRecorded }
  }

  /// Handles a fed answer.
  func noteAnswer(to sequence: UInt64) {
    if untilAnswered.remove(sequence) != nil { release(sequence) }
  }

  /// Releases a delivery before all that is queued.
  func release(_ sequence: UInt64) {
    held.removeValue(forKey: sequence)?.releaseAtOnce()
  }

  /// Releases held deliveries and units that will not end any more, as they retain the stream.
  func drop() {
    held = [:]
    units = [:]
  }

  private static let asRecorded = Failure(.store, "It failed when it was recorded.")
}
