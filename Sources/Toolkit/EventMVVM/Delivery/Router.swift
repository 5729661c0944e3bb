// The router of the stream: its one queue, its routes and its gate.
//
// Memory of the module's own, and references that are not retained, are made in this folder alone;
// what `Stream/` does with them goes through it. Why it is sound:
//
// 1. *Confinement.* Everything behind `_Router.state`, and every `_Node` and `Conversation` field
//    that is not atomic, is touched by the home thread alone. Each public entry point either checks
//    that it runs there (`isHome`) or goes through the inbox, which a lock guards. A `Turn` can't
//    leave the home thread or outlive its delivery: it is neither sendable nor escapable, and only
//    lent.
// 2. *Queue memory.* An entry's bytes are initialised by `push`, moved out exactly once by `_take`
//    or `drop` of exactly the type recorded with them, and stay in place until the next `take`, so
//    that a handler may push while the entry before it is being delivered.
// 3. *Routes.* Nodes are linked and unlinked by queue entries only, and two entries are never
//    handled at once, so no list changes while it is being walked. A node retains its observer,
//    and so neither the observer nor its closure is retained again for a call.
// 4. *Downcasts.* A route's key is the identity of the event type (or of the state) that its
//    observers were made for, and a conversation's reply key that of its waiter's reply. The key
//    of every event has observers of every event alone.
// 5. *Lent references.* A turn's router outlives the turn, as the delivering function holds it. A
//    header's conversation counts its entry in `open`, and is retained from its opening to its
//    closing, when `open` has fallen to zero; a conversation retains its parent.

public import Synchronization

/// The state that only the home thread touches.
@usableFromInline
struct _HomeState {
  @usableFromInline var queue = EntryQueue()
  @usableFromInline var routes = _RouteTable()
  /// The observers of every event.
  @usableFromInline var all = _Route(key: .everything)
  /// The number of the latest event that had its turn.
  @usableFromInline var sequence: UInt64 = 0
  /// Whether an entry is being delivered; what is sent meanwhile is queued.
  @usableFromInline var isDelivering = false
  @usableFromInline var unit: OpenUnit?
  /// Whether a thread waits for a unit to stall.
  var isWatchingUnits = false
  /// Whether the tap needs the position of entries that produced no event.
  var notesSilence = false
  /// How many events the observers of every event have received.
  var observedByAll: UInt64 = 0
  /// The tap that is notified of what happens apart from events.
  weak var tap: (any EventTap)?
  /// The time that the clock returned in the turn of an event, with the event's number.
  var time: (sequence: UInt64, instant: Instant) = (0, Instant(milliseconds: 0))
}

/// The router of an ``EventStream``.
///
/// Internal to the stream.
public final class _Router: @unchecked Sendable {
  // Unchecked: see 1. at the top of the file.
  @usableFromInline let state: UnsafeMutablePointer<_HomeState>
  @usableFromInline let inbox = Inbox()
  @usableFromInline let home = Atomic<UInt>(0)
  let environment: Environment
  @usableFromInline let session: UInt64
  let registry = Locked(Registry())

  init(environment: Environment) {
    self.environment = environment
    session = environment.session
    state = .allocate(capacity: 1)
    state.initialize(to: _HomeState())
  }

  deinit {
    state.pointee.queue.destroy()
    state.pointee.routes.deallocate()
    while let node = state.pointee.all.first { state.pointee.all.remove(node) }
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Whether the calling thread is the one that delivers.
  @inlinable @inline(__always)
  var isHome: Bool { home.load(ordering: .relaxed) == currentThread() }

  // MARK: Sending

  /// Sends where no handler runs: delivers at once where nothing is queued, else queues.
  @inlinable @inline(__always)
  func send<E: Event>(_ event: E, from origin: Origin, isInput: Bool, _ source: _Source) {
    guard isHome, !state.pointee.isDelivering, !inbox.hasMail else {
      sendQueued(event, _Header(origin: origin, isInput: isInput, source: source))
      return
    }
    var header = _Header(origin: origin, isInput: true, source: source)
    if let reply = E._reply { header.conversation = open(E.self, reply, in: nil, origin) }
    state.pointee.isDelivering = true
    withUnsafeMutablePointer(to: &header) { dispatch(event, _EntryAddress($0), StreamKey(E.self)) }
    if let conversation = header.conversation { leave(conversation) }
    if !state.pointee.queue.isEmpty || inbox.hasMail { drain() }
    state.pointee.isDelivering = false
  }

  /// Sends from another thread, inside a handler, or behind what is already queued.
  @inlinable @inline(never)
  func sendQueued<E: Event>(_ event: E, _ header: _Header) {
    submit(event, header, Conversation.opened(by: E.self, origin: header.origin))
  }

  /// Appends an entry to the queue, from any thread, and makes sure that it is delivered.
  @inlinable
  func submit<E: StreamEntry>(_ entry: E, _ header: _Header, _ conversation: Conversation? = nil) {
    guard isHome else {
      var header = header
      header.conversation = conversation.map { Lent(retaining: $0) }
      header.isPosted = true
      header.isInput = true
      conversation?.isInput = true
      inbox.post(entry, header)
      return
    }
    var header = header
    if !state.pointee.isDelivering { header.isInput = true }
    push(entry, header, conversation)
    deliverAll()
  }

  /// Appends an entry on the home thread, after other threads' earlier ones (promise 2).
  @inlinable
  func push<E: StreamEntry>(_ entry: E, _ header: _Header, _ conversation: Conversation? = nil) {
    if inbox.hasMail { inbox.collect(into: &state.pointee.queue) }
    var header = header
    if let conversation {
      conversation.isInput = header.isInput
      if enter(conversation) { header.conversation = Lent(conversation) }
    }
    state.pointee.queue.push(entry, header)
  }

  /// Queues what a handler sends, in the conversation of the event that it handles.
  @inlinable @inline(__always)
  func pushNested<E: Event>(
    _ event: E,
    _ cause: UInt64,
    _ causeAddress: _EntryAddress,
    isInput: Bool = false,
    _ source: _Source
  ) {
    if inbox.hasMail { inbox.collect(into: &state.pointee.queue) }
    var header = _Header(
      cause: cause,
      root: causeAddress.header.root,
      conversation: causeAddress.header.conversation,
      origin: causeAddress.header.origin,
      isInput: isInput,
      source: source
    )
    if let reply = E._reply {
      header.conversation = open(E.self, reply, in: header.conversation, header.origin)
      if isInput { header.conversation?.use { $0.isInput = true } }
    } else if let conversation = header.conversation {
      conversation.use { $0.open += 1 }
    }
    state.pointee.queue.push(event, header)
  }

  // MARK: Delivering

  /// Delivers all that is queued, unless a delivery is running already.
  @usableFromInline
  func deliverAll() {
    guard !state.pointee.isDelivering else { return }
    state.pointee.isDelivering = true
    drain()
    state.pointee.isDelivering = false
  }

  /// Delivers entry by entry until nothing is queued; never nested, so the stack stays flat.
  @usableFromInline
  func drain() {
    while true {
      if inbox.hasMail { inbox.collect(into: &state.pointee.queue) }
      guard let entry = state.pointee.queue.take() else { return }
      deliver(entry)
    }
  }

  /// Delivers one entry that was taken off the queue.
  @inline(__always)
  func deliver(_ entry: UnsafeMutablePointer<EntryQueue.Entry>) {
    let address = EntryQueue.address(of: entry)
    if address.header.isPosted { arrive(address) }
    if state.pointee.notesSilence, !address.header.isInput {
      return deliverNoting(entry, address)
    }
    entry.pointee.type._take(address, self)
    if let conversation = address.header.conversation { leave(conversation) }
  }

  /// Delivers an internal entry, and notifies the tap if it produces no event.
  ///
  /// It may still have queued an event: its position between two inputs decides the order.
  @inline(never)
  private func deliverNoting(
    _ entry: UnsafeMutablePointer<EntryQueue.Entry>,
    _ address: _EntryAddress
  ) {
    let (type, told) = (entry.pointee.type, state.pointee.observedByAll)
    type._take(address, self)
    if let conversation = address.header.conversation { leave(conversation) }
    guard state.pointee.observedByAll == told, type.isWorthNoting else { return }
    state.pointee.tap?.passed(type)
  }

  /// Delivers an event: gives it its number, then calls its observers, then its requester.
  @inlinable @inline(__always)
  func dispatch<E: Event>(_ event: E, _ address: _EntryAddress, _ key: StreamKey) {
    if state.pointee.unit != nil, divert(E.self, event, address) { return }
    if E._reply != nil, isPrevented(address) { return }
    let turn = beginNumbered(address)
    if E._reply != nil { markBegun(turn) }
    announce(event, turn, key)
    if E._isResponse, let conversation = address.header.conversation,
      let waiter = waiter(for: StreamKey(E.self), in: conversation)
    {
      withUnsafePointer(to: event) { waiter.body(.success($0), turn) }
    }
  }

  /// Begins the turn of an event: numbers it, and its root if it is one.
  @inlinable @inline(__always) @_lifetime(borrow self)
  func beginNumbered(_ address: _EntryAddress) -> Turn {
    state.pointee.sequence &+= 1
    return beginUnnumbered(address)
  }

  /// Begins a turn that produces no event and takes no sequence number; a replay has no such turn.
  @inlinable @inline(__always) @_lifetime(borrow self)
  func beginUnnumbered(_ address: _EntryAddress) -> Turn {
    let sequence = state.pointee.sequence
    if address.header.root.number == 0 {
      address.header.root = Root(session: session, number: sequence)
    }
    return Turn(self, address, sequence)
  }

  /// Calls the observers of every event, then those of the key, in order of subscription.
  @inlinable @inline(__always)
  func announce<E: Event>(_ event: E, _ turn: borrowing Turn, _ key: StreamKey) {
    if state.pointee.all.first != nil { announceToAll(event, turn) }
    guard let route = state.pointee.routes.find(key) else { return }
    route.pointee.forEach { unsafeDowncast($0, to: _TypedObserver<E>.self).body(event, turn) }
  }

  /// Queues a sweep of a route after a call found an observer whose owner is gone, unless one is
  /// queued: an event pays nothing for it.
  @usableFromInline
  func noteEnd(_ key: StreamKey) {
    guard let route = state.pointee.routes.find(key), route.pointee.sweepAt > 0 else { return }
    route.pointee.sweepAt = 0
    let sweep = Later { $0.state.pointee.routes.find(key)?.pointee.sweep() }
    push(sweep, _Header(origin: .application))
  }

  /// Calls the observers of every event.
  @usableFromInline @inline(never)
  func announceToAll<E: Event>(_ event: E, _ turn: borrowing Turn) {
    state.pointee.observedByAll &+= 1
    state.pointee.all.forEach {
      unsafeDowncast($0, to: EveryObserver.self).observer.observe(event, turn)
    }
  }

  /// Adds an observer to its list.
  func link(_ observer: _Observer) {
    guard !observer.isCancelled.load(ordering: .acquiring) else { return }
    if observer.key == .everything {
      state.pointee.all.append(observer)
    } else {
      state.pointee.routes.findOrMake(observer.key).pointee.append(observer)
    }
  }

  /// Takes an observer off its list, if it is still there.
  func unlink(_ observer: _Observer) {
    guard let node = observer.node else { return }
    if observer.key == .everything {
      state.pointee.all.remove(node)
    } else {
      state.pointee.routes.find(observer.key)?.pointee.remove(node)
    }
  }

  /// Returns the time of an event, read once.
  func time(of sequence: UInt64) -> Instant {
    if state.pointee.time.sequence != sequence {
      state.pointee.time = (sequence, environment.now())
    }
    return state.pointee.time.instant
  }
}
