/// The delivery of one event, lent to each of its observers in turn.
///
/// It can be neither stored nor handed to another thread, nor captured by a closure that is: the
/// compiler rejects it. ``hold()`` returns a delivery that can be.
///
/// ```swift
/// stream.answer(RequestGreeting.self) { request, turn in
///   "Hello, \(request.name)! It is \(turn.time.iso8601), and this is \(turn.makeID().text)."
/// }
/// ```
public struct Turn: ~Escapable {
  @usableFromInline let lentRouter: Unmanaged<_Router>
  @usableFromInline let address: _EntryAddress
  /// The event's position in the one order.
  public let sequence: UInt64

  @inlinable @inline(__always) @_lifetime(borrow router)
  init(_ router: borrowing _Router, _ address: _EntryAddress, _ sequence: UInt64) {
    lentRouter = .passUnretained(router)
    self.address = address
    self.sequence = sequence
  }

  /// The router, which lives as long as the turn.
  @usableFromInline
  var router: _Router { lentRouter.takeUnretainedValue() }

  /// Sends an event that this one caused: it is appended to the queue (promise 2).
  @inlinable @inline(__always)
  public borrowing func send<E: Event>(
    _ event: E,
    file: StaticString = #fileID,
    line: UInt = #line
  ) {
    send(event, _Source(file, line))
  }

  @inlinable @inline(__always)
  borrowing func send<E: Event>(_ event: E, _ source: _Source) {
    lentRouter._withUnsafeGuaranteedRef { $0.pushNested(event, sequence, address, source) }
  }
}

extension Turn {
  /// The stream, with the event's origin; what is sent through it starts a new root.
  public var stream: EventStream { EventStream(router, origin) }
  /// The sequence of the event being handled when this one was sent; nil for a root.
  public var cause: UInt64? { address.header.cause == 0 ? nil : address.header.cause }
  /// The first event of the chain of causes.
  public var root: Root { address.header.root }
  /// The frontend or plugin that sent the root.
  public var origin: Origin { address.header.origin }
  /// The name of the frontend or plugin that sent the root.
  public var originName: String { EventStream(router, origin).name(of: origin) }
  /// When the event's turn came; the clock is read at most once an event.
  public var time: Instant { router.time(of: sequence) }
  /// Returns a new id from the environment.
  public func makeID() -> UniqueID { router.environment.makeID() }
  /// The user's time zone.
  public var zone: ZoneRule { router.environment.zone }
  /// Whether the conversation was cancelled; long work checks it.
  public var isCancelled: Bool {
    address.header.conversation?.use { router.seesCancelled($0, amidTurn: true) } ?? false
  }
  /// Whether the event belongs to the unit that is open.
  public var isInUnit: Bool {
    router.state.pointee.unit.map { $0.root == root } ?? false
  }
  /// Whether the event is an input: no handler on the stream sent it.
  ///
  /// It comes from a frontend, another thread or a service. A replay feeds these, and no others.
  public var isInput: Bool { address.header.isInput }
  /// Whether the event belongs to a request by which its sender only updates itself: completions at
  /// a prompt, a state that is watched.
  ///
  /// False for what a person or a client asks for. It holds for the request's own turn, and not for
  /// requests in its conversation.
  public var isHousekeeping: Bool {
    address.header.conversation?.use { $0.isHousekeeping } ?? false
  }
  /// The line of code that sent the event, as `Module/File.swift:12`; nil in a release build.
  public var source: String? { address.header.source.text }
  /// Whether this is a replay of a recording: code that would write a file or notify a program
  /// does neither.
  public var isReplay: Bool { router.state.pointee.tap?.isReplay ?? false }
  /// The delivery's envelope, as a value that can be stored.
  public var envelope: Envelope {
    Envelope(sequence: sequence, cause: cause, root: root, origin: origin, time: time)
  }
}
