/// The delivery of one event, lent to each of its observers in turn.
///
/// It can be neither kept nor handed to another thread, nor used in a closure that is: that does not
/// compile. ``hold()`` gives what can be.
public struct Turn: ~Escapable {
  @usableFromInline let lentEngine: Unmanaged<_Engine>
  @usableFromInline let address: _EntryAddress
  /// The event's position in the one order.
  public let sequence: UInt64

  @inlinable @inline(__always) @_lifetime(borrow engine)
  init(_ engine: borrowing _Engine, _ address: _EntryAddress, _ sequence: UInt64) {
    lentEngine = .passUnretained(engine)
    self.address = address
    self.sequence = sequence
  }

  /// The engine, which is there for as long as the turn is.
  @usableFromInline
  var engine: _Engine { lentEngine.takeUnretainedValue() }

  /// Sends an event that this one caused: it is appended to the queue (promise 2).
  @inlinable @inline(__always)
  public borrowing func send<E: Event>(_ event: E) {
    lentEngine._withUnsafeGuaranteedRef { $0.pushNested(event, sequence, address) }
  }
}

extension Turn {
  /// The stream, with the event's origin; what is sent through it starts a new root.
  public var stream: EventStream { EventStream(engine, origin) }
  /// The sequence of the event being handled when this one was sent; nil for a root.
  public var cause: UInt64? { address.header.cause == 0 ? nil : address.header.cause }
  /// The intent that started it all.
  public var root: Root { address.header.root }
  /// Whose intent that was.
  public var origin: Origin { address.header.origin }
  /// The name of the frontend or plugin whose intent it was.
  public var originName: String { EventStream(engine, origin).name(of: origin) }
  /// When the event's turn came; the clock is read at most once an event.
  public var time: Instant { engine.time(of: sequence) }
  /// A new id, from the environment.
  public func makeID() -> UniqueID { engine.environment.makeID() }
  /// The user's time zone.
  public var zone: ZoneRule { engine.environment.zone }
  /// Whether the conversation was cancelled; long work checks it.
  public var isCancelled: Bool {
    address.header.conversation?.use { engine.seesCancelled($0, amidTurn: true) } ?? false
  }
  /// Whether the event belongs to the unit that is open.
  public var isInUnit: Bool {
    engine.state.pointee.unit.map { $0.root == root } ?? false
  }
  /// Whether the event came from outside: no handler on the stream has sent it.
  ///
  /// It is a frontend's, another thread's or a service's. A replay feeds these, and no others.
  public var isInput: Bool { address.header.isInput }
  /// Whether the event belongs to a request by which its sender only keeps itself up to date: the
  /// words at a prompt, a state that is watched.
  ///
  /// What a person or a client asks for is none. It is said of the request's own turn, and not of
  /// what is asked for in its conversation.
  public var isHousekeeping: Bool {
    address.header.conversation?.use { $0.isHousekeeping } ?? false
  }
  /// Whether this is a replay of a recording: code that would write a
  /// file or wake a program leaves that be.
  public var isReplay: Bool { engine.state.pointee.tap?.isReplay ?? false }
  /// All that is known of the delivery, as a value that can be kept.
  public var envelope: Envelope {
    Envelope(sequence: sequence, cause: cause, root: root, origin: origin, time: time)
  }
}
