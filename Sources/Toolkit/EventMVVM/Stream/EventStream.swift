import Synchronization

/// The one typed stream through which all parts of an application communicate (S1).
///
/// A stream is a handle: copies use the same stream, each with its ``origin``.
///
/// ```swift
/// let stream = EventStream()
/// stream.observeAll { event, turn in print(turn.sequence, event) }
/// stream.on(RequestGreeting.self) { request, turn in
///   turn.send(ResponseGreeting(.success("Hello, \(request.name)")))
/// }
/// stream.send(RequestGreeting(name: "you"))
/// ```
///
/// ## What it promises
///
/// 1. **One order.** An event gets its sequence number when its turn comes, and all observers get
///    all their events in that one order, whatever thread sent them (S4). Delivery happens on the
///    stream's home thread; other threads hand over and never wait.
/// 2. **No re-entrancy.** Sending inside a handler queues behind what is already queued,
///    other threads' events included, and returns; the delivery of the handler's own event
///    finishes first. There is no recursion, no deadlock and no scheduler to remember (S5).
/// 3. **Typed routing.** An observer of one event type costs nothing when another type is sent
///    (S11). Observing everything costs one call an event. Time is read at most once an event.
/// 4. **Snapshots.** An event is delivered to its observers at the time of its turn;
///    subscribing takes effect at its own position in the queue. Each delivery begins with a check
///    of the subscription: once ``Subscription/cancel()`` has returned, on any thread, no check
///    passes; a delivery that had begun may still run, and is not waited for. A subscription ends
///    with its owner (S12), and the owner is retained while its handler runs.
/// 5. **Envelopes.** Each delivery carries sequence, cause, root, origin and time; see
///    ``Envelope``.
/// 6. **Conversations.** A request gets the reply to *that* request (S16): a reply answers the
///    nearest enclosing request of its kind that is still unanswered, and a surplus reply answers
///    none. When a conversation closes without a reply, the request fails at once, and an event
///    states it: ``ResponseUnanswered``. Cancelling before the work began prevents it; afterwards
///    the reply is delivered. See ``Conversation``.
/// 7. **State is sticky, one-shots are not.** A new observer of a ``State`` gets its latest value
///    as its first turn, and equal values are not repeated; a state belongs to its owner. Any other
///    event reaches the present observers and is not stored.
/// 8. **A slow observer delays only itself.** Asynchronous observers have a bounded buffer with a
///    policy that they choose, and receive the number of events they missed; see ``Buffer``.
/// 9. **Failures are events.** Nothing is thrown across the stream: `answer`
///    turns what its body throws into the failure of the reply, and observers keep running (S68).
/// 10. **Layers are types.** A view holds a ``ViewPort``, through which only view-model events
///    pass; sending a model event does not compile (S7).
/// 11. **Units.** Requests can be bracketed into a ``StreamUnit`` that is committed or rolled back
///     as one.
///
/// ## Threads
///
/// One home thread delivers: the thread that created the stream, or the stream's own
/// (``Home``). Observers therefore need no locks of their own. Nothing on the home thread should
/// run longer than 10 ms: long reads go to an asynchronous handler, bulk work becomes a unit that
/// is fed a request a turn. Cancelling bypasses the queue. Time, ids and executors come from the
/// ``Environment``.
public struct EventStream: Sendable {
  /// Which thread delivers.
  public enum Home: Sendable {
    /// The thread that creates the stream; it delivers in `send`, ``EventStream/deliver()`` and
    /// ``EventStream/run(until:)``.
    case thisThread
    /// A thread that the stream starts, and that delivers until ``EventStream/stop()``; where the
    /// system has none available, the stream is stopped from the beginning.
    case ownThread
  }

  @usableFromInline let router: _Router
  /// The origin of what this handle sends.
  public let origin: Origin
  /// Whether it belongs to a frontend: what it sends is an input, even inside a handler.
  @usableFromInline let isFrontends: Bool

  /// Creates a stream without observers.
  public init(home: Home = .thisThread, environment: Environment = Environment()) {
    router = _Router(environment: environment)
    origin = .application
    isFrontends = false
    switch home {
    case .thisThread: router.home.store(currentThread(), ordering: .releasing)
    case .ownThread: router.startOwnThread()
    }
  }

  /// The header of an entry that this handle queues.
  @inlinable @inline(__always)
  func header(_ source: _Source = _Source()) -> _Header {
    _Header(origin: origin, isInput: isFrontends, source: source)
  }

  init(_ router: _Router, _ origin: Origin, isFrontends: Bool = false) {
    self.router = router
    self.origin = origin
    self.isFrontends = isFrontends
  }

  /// Whether the stream has stopped delivering, or never began for lack of a thread.
  public var isStopped: Bool { router.registry.withLock { $0.isStopped } }

  /// The same handle as a frontend's.
  var ofFrontend: EventStream { EventStream(router, origin, isFrontends: true) }

  /// Where time and ids come from.
  public var environment: Environment { router.environment }

  /// The session that this stream's roots belong to.
  public var session: UInt64 { router.session }

  /// Returns a handle on the same stream with a new origin, for a frontend session or a plugin.
  public func joined(as name: String) -> EventStream {
    EventStream(router, router.register(name))
  }

  /// Returns the name of an origin of this stream.
  public func name(of origin: Origin) -> String {
    router.registry.withLock { $0.names[Int(origin.index)] }
  }

  // MARK: Sending

  /// Sends an event that nothing on the stream caused: it becomes a root.
  ///
  /// On the home thread, outside handlers, it and all that follows from it is delivered before this
  /// returns; from another thread it is handed over. Inside a handler, send through the ``Turn``.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - file: Where it is sent; kept in debug builds alone, for ``Turn/source``.
  ///   - line: The line in that file.
  @inlinable @inline(__always)
  public func send<E: Event>(_ event: E, file: StaticString = #fileID, line: UInt = #line) {
    router.send(event, from: origin, isInput: isFrontends, _Source(file, line))
  }

  // MARK: Running the home thread

  /// Delivers what other threads have handed over, on the home thread.
  public func deliver() {
    precondition(router.isHome, "deliver() belongs to the stream's home thread")
    router.deliverAll()
  }

  /// Delivers, sleeping in between, until `isDone` is true after a delivery; on the home thread.
  public func run(until isDone: () -> Bool) {
    precondition(router.isHome, "run(until:) belongs to the stream's home thread")
    router.deliverAll()
    while !isDone() {
      router.inbox.sleep()
      router.deliverAll()
    }
  }

  /// Returns the object of a class that all parts on the stream share, created at first use.
  package func shared<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    let made = make()
    return router.registry.withLock { registry in
      let key = ObjectIdentifier(Object.self)
      if let object = registry.shared[key] as? Object { return object }
      registry.shared[key] = made
      return made
    }
  }

  /// Ends the stream's own thread once it has delivered what is queued so far.
  public func stop() {
    router.submit(
      Later { router in router.registry.withLock { $0.isStopped = true } },
      _Header(origin: origin)
    )
  }
}

extension EventStream {
  /// Runs a closure on the home thread, after what is queued, and waits for its end.
  func perform(_ body: @escaping @Sendable () -> Void) {
    guard !router.isHome else {
      router.deliverAll()
      return body()
    }
    let isDone = Locked(false)
    afterQueued {
      body()
      isDone.withLock { $0 = true }
      isDone.signal.wake()
    }
    isDone.signal.lock()
    while !isDone.value { isDone.signal.sleep() }
    isDone.signal.unlock()
  }

  /// Calls back on the home thread once everything that is queued at that time has been delivered.
  ///
  /// It is no event: it has no number, is not observed, and is in no recording. Any thread may call
  /// it; there is no callback if the stream ends before.
  package func afterQueued(_ body: @escaping @Sendable () -> Void) {
    router.submit(Later { _ in body() }, _Header(origin: origin))
  }
}

extension Turn {
  /// Whether more entries are queued, to be delivered next.
  public var isFollowed: Bool { !router.state.pointee.queue.isEmpty || router.inbox.hasMail }

  /// Calls back once everything that is queued now has been delivered, so that work can be shared
  /// by all that wait for it.
  ///
  /// It is no event: it has no number, is not observed, and is in no recording.
  ///
  /// - Parameter body: Called on the home thread; not if the stream ends before.
  public func afterQueued(_ body: @escaping @Sendable () -> Void) {
    router.push(Later { _ in body() }, _Header(origin: origin))
  }
}

/// The queue entry of a closure for the home thread.
///
/// It is given the router, which it must not capture: the router owns the queue.
struct Later: StreamEntry {
  let body: @Sendable (_Router) -> Void

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    _move(address).body(router)
  }
}

/// The stream's origins, servers, states and shared objects, for any thread.
struct Registry {
  /// The names, by origin.
  var names = ["application"]
  /// The names of the servers, each with its request.
  ///
  /// Few enough to be searched: for a dictionary a process would search its conformances, which
  /// takes as long as fifty thousand comparisons.
  var answerers: [(key: StreamKey, request: any Request.Type, name: String)] = []
  /// The requests with two servers, as messages.
  var clashes: [String] = []
  /// Whether the stream's own thread has ended, or never began.
  var isStopped = false
  /// The participant that backs units by transactions.
  weak var participant: (any UnitParticipant)?
  /// How many states were declared, so that each has a number of its own.
  var stateCount: UInt = 0
  /// The objects that all parts on the stream share, by type.
  var shared: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  var cancelWatches: [CancelWatch] = []
}

extension _Router {
  /// Registers a name and returns its new origin.
  func register(_ name: String) -> Origin {
    registry.withLock {
      $0.names.append(name)
      return Origin(index: UInt32($0.names.count - 1))
    }
  }

  /// Starts the thread that delivers; what is sent before it has begun waits in the inbox.
  func startOwnThread() {
    let isStarted = startThread { [self] in
      home.store(currentThread(), ordering: .releasing)
      while !registry.withLock({ $0.isStopped }) {
        inbox.sleep()
        deliverAll()
      }
    }
    if !isStarted { registry.withLock { $0.isStopped = true } }
  }
}
