import EventMVVM

/// Notes what happens on a stream, and replays it on another one: its inputs are fed, and everything
/// that follows is compared.
///
/// It replays in memory what `SessionRecorder` writes into a file; units and cancellations are not
/// replayed.
enum MemoryReplay {
  /// An event that was delivered.
  struct Delivery: Sendable {
    let event: any Event
    let envelope: Envelope
    let isInput: Bool
  }

  /// The last part of a sentence about the first difference; nil if there is none.
  static func difference(
    _ plugin: any Plugin,
    replaying recorded: [Delivery]
  ) -> String? {
    let context = AppContext(environment: .counting())
    let tap = Tap(Set(recorded.filter(\.isInput).compactMap(\.envelope.cause)))
    let seen = Locked<[Delivery]>([])
    context.stream.attach(tap)
    context.stream.observeAll(with: Log(seen))
    context.add(plugin)
    let stepper = StreamStepper(context.stream)
    defer { tap.drop() }
    for expected in recorded {
      let count = seen.withLock { $0.count }
      if expected.isInput {
        stepper.nextSequence = expected.envelope.sequence
        feed(expected.event, expected.envelope, stepper, tap)
        stepper.step()
      }
      while seen.withLock({ $0.count }) == count, stepper.step() {}
      guard let got = seen.withLock({ $0.dropFirst(count).first }) else {
        return "\(name(expected)) was recorded, and did not follow"
      }
      guard name(got) == name(expected), isEqual(got.event, expected.event) else {
        return "\(name(expected)) was recorded, and \(name(got)) followed"
      }
    }
    while stepper.step() {}
    return seen.withLock { $0.dropFirst(recorded.count).first }
      .map { "\(name($0)) followed, which was not recorded" }
  }

  private static func name(_ delivery: Delivery) -> String { type(of: delivery.event).name }

  private static func isEqual<E: Event>(_ first: E, _ second: any Event) -> Bool {
    first == second as? E
  }

  private static func feed<E: Event>(
    _ event: E,
    _ envelope: Envelope,
    _ stepper: StreamStepper,
    _ tap: Tap
  ) {
    let round = envelope.cause.flatMap { tap.conversation(of: $0) }
    _ = stepper.prepend(
      event,
      cause: envelope.cause,
      root: envelope.root,
      origin: envelope.origin,
      in: round
    )
  }

  /// Notes each delivery.
  final class Log: EventObserver {
    private let seen: Locked<[Delivery]>

    init(_ seen: Locked<[Delivery]>) { self.seen = seen }

    func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
      let delivery = Delivery(event: event, envelope: turn.envelope, isInput: turn.isInput)
      seen.withLock { $0.append(delivery) }
    }
  }

  /// Stands in for services.
  private final class Tap: EventTap {
    private let answered: Set<UInt64>
    private let held = Locked<[UInt64: AsyncTurn]>([:])

    init(_ answered: Set<UInt64>) { self.answered = answered }

    var isReplay: Bool { true }

    func takesOver(_ turn: borrowing Turn, isAsync: Bool) -> Bool {
      guard isAsync || answered.contains(turn.sequence) else { return false }
      let (sequence, delivery) = (turn.sequence, turn.hold())
      held.withLock { $0[sequence] = delivery }
      return true
    }

    /// The conversation of a delivery that a service would hold.
    func conversation(of sequence: UInt64) -> Conversation? {
      held.withLock { $0[sequence] }?.conversation
    }

    /// Releases what services would hold.
    func drop() {
      let deliveries = held.withLock { held in
        defer { held = [:] }
        return held.values
      }
      for delivery in deliveries { delivery.release() }
    }
  }
}

extension Environment {
  /// A clock that stands still, unless it is given, and ids that count up.
  static func counting(
    now: @escaping @Sendable () -> Instant = { Instant(milliseconds: 0) },
    zone: ZoneRule = .utc,
    executor: (any TaskExecutor)? = nil
  ) -> Environment {
    let ids = Locked<UInt64>(0)
    return Environment(
      now: now,
      makeID: {
        UniqueID(
          high: 0x4000,
          low: ids.withLock { next in
            next += 1
            return 0x8000_0000_0000_0000 | next
          }
        )
      },
      zone: zone,
      executor: executor,
      session: 1
    )
  }
}
