// The engine of the stream: its one queue, its routes and its gate.
//
// All unsafe code of the module stands in this file. Why it is sound:
//
// 1. *Confinement.* Everything behind `_Engine.state`, and every `_Node` and `Conversation` field
//    that is not atomic, is touched by the home thread alone. Each public way in either checks that
//    it runs there (`isHome`) or goes through the inbox, which a lock guards. A `Turn` can't leave
//    the home thread or outlive its delivery: it is not copyable, not sendable, and only lent.
// 2. *Queue memory.* An entry's bytes are initialised by `push`, moved out exactly once by `_take`
//    or `_drop` of the very type recorded beside them, and stay in place until the next `take`, so
//    that a handler may push while the entry before it is being delivered.
// 3. *Routes.* Nodes are linked and unlinked by queue entries only, and two entries are never under
//    way at once, so no list changes while it is being walked. A node keeps its observer retained,
//    and so neither the observer nor its closure is retained again for a call.
// 4. *Downcasts.* A route's key is the identity of the event type (or of the state) that its
//    observers were made for, and a conversation's reply key that of its waiter's reply. Under the
//    key of everything there are observers of everything alone.
// 5. *Lent references.* A turn's engine outlives the turn, as the delivering function holds it. A
//    header's conversation counts its entry in `open`, and is retained from its opening to its
//    closing, when `open` has come down to nothing; a conversation retains its parent.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
public import Synchronization

// MARK: - Entries

/// Anything that takes a turn in the stream's queue: an event, or a change to who observes.
///
/// Not for conforming to; declare an ``Event``.
public protocol StreamEntry: Sendable {
  /// Moves the entry out of the queue's memory and lets it act.
  static func _take(
    _ payload: _Payload,
    _ position: _Position,
    _ engine: _Engine
  )
}

extension StreamEntry {
  /// Destroys an entry that never gets its turn.
  static func drop(_ payload: _Payload) {
    payload.address.assumingMemoryBound(to: Self.self).deinitialize(count: 1)
  }

  /// Moves the value out of the queue's memory.
  @inlinable @inline(__always)
  static func _move(_ payload: _Payload) -> Self {
    payload.address.assumingMemoryBound(to: Self.self).move()
  }
}

extension Event {
  /// Gives the event its turn.
  @inlinable
  public static func _take(
    _ payload: _Payload,
    _ position: _Position,
    _ engine: _Engine
  ) {
    engine.dispatch(_move(payload), position, StreamKey(Self.self))
  }
}

/// The identity of an event type, or of one state.
public struct StreamKey: Sendable, Hashable {
  @usableFromInline let bits: UInt

  /// The identity of a type.
  @inlinable @inline(__always)
  public init(_ type: any Any.Type) {
    bits = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  /// The identity of the n-th state: odd, and so never that of a type.
  init(state number: UInt) {
    bits = number << 1 | 1
  }
}

/// Where an entry's value lies until its turn.
///
/// Not for use outside the stream.
public struct _Payload {
  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(_ address: UnsafeMutableRawPointer) {
    self.address = address
  }
}

/// Where an entry's header lies, lent to the handler for the length of the turn.
///
/// Not for use outside the stream.
public struct _Position {
  @usableFromInline let address: UnsafeMutablePointer<_Header>

  @inlinable @inline(__always)
  init(_ address: UnsafeMutablePointer<_Header>) {
    self.address = address
  }

  /// The header itself.
  @inlinable @inline(__always)
  var header: _Header {
    unsafeAddress { UnsafePointer(address) }
    nonmutating unsafeMutableAddress { address }
  }
}

/// A reference that is not retained, because the lender keeps the object: see 5.
@usableFromInline
struct Lent<Object: AnyObject> {
  @usableFromInline let reference: Unmanaged<Object>

  /// Lends an object that the caller keeps.
  @inlinable @inline(__always)
  init(_ object: Object) {
    reference = .passUnretained(object)
  }

  /// Keeps the object until ``release()``.
  @inlinable
  init(retaining object: Object) {
    reference = .passRetained(object)
  }

  /// The object, retained.
  @inlinable
  var object: Object { reference.takeUnretainedValue() }

  /// Uses the object without retaining it.
  @inlinable @inline(__always)
  func use<Result>(_ body: (Object) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef(body)
  }

  func retain() { _ = reference.retain() }
  func release() { reference.release() }
}

/// What is stored of an entry in addition to its value.
///
/// Not for use outside the stream.
public struct _Header {
  @usableFromInline var cause: UInt64
  @usableFromInline var root: Root
  @usableFromInline var conversation: Lent<Conversation>?
  @usableFromInline var origin: Origin
  /// Whether it came through the inbox, which counts in no conversation until its turn.
  @usableFromInline var isPosted: Bool
  /// Whether it came from outside: no handler of the stream's has sent it.
  @usableFromInline var isInput: Bool

  @inlinable @inline(__always)
  init(
    cause: UInt64 = 0,
    root: Root = Root(session: 0, number: 0),
    conversation: Lent<Conversation>? = nil,
    origin: Origin,
    isPosted: Bool = false,
    isInput: Bool = false
  ) {
    self.cause = cause
    self.root = root
    self.conversation = conversation
    self.origin = origin
    self.isPosted = isPosted
    self.isInput = isInput
  }
}

// MARK: - Queue

/// A first-in first-out queue of values of any type, stored side by side in chunks of memory.
@usableFromInline
struct EntryQueue {
  @usableFromInline
  struct Chunk {
    @usableFromInline var next: UnsafeMutablePointer<Chunk>?
    @usableFromInline var read: Int
    @usableFromInline var write: Int
    @usableFromInline let capacity: Int

    @usableFromInline static let standard = 16_384
    @usableFromInline static var dataOffset: Int { 64 }
  }

  @usableFromInline
  struct Entry {
    @usableFromInline var header: _Header
    @usableFromInline let type: any StreamEntry.Type
    @usableFromInline let payloadOffset: Int
    @usableFromInline let size: Int

    @inlinable
    init(type: any StreamEntry.Type, header: _Header, payloadOffset: Int, size: Int) {
      self.header = header
      self.type = type
      self.payloadOffset = payloadOffset
      self.size = size
    }
  }

  @usableFromInline var head: UnsafeMutablePointer<Chunk>
  @usableFromInline var tail: UnsafeMutablePointer<Chunk>
  private var spare: UnsafeMutablePointer<Chunk>?
  private var spares = 0

  init() {
    head = Self.allocate(Chunk.standard)
    tail = head
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Chunk> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Chunk.dataOffset + capacity,
      alignment: 64
    )
    let chunk = memory.bindMemory(to: Chunk.self, capacity: 1)
    chunk.initialize(to: Chunk(next: nil, read: 0, write: 0, capacity: capacity))
    return chunk
  }

  /// Appends a value; amortised constant time.
  @inlinable @inline(__always)
  mutating func push<E: StreamEntry>(_ value: consuming E, _ header: _Header) {
    let alignment = max(MemoryLayout<E>.alignment, 16)
    let payload = (MemoryLayout<Entry>.size + alignment - 1) & ~(alignment - 1)
    let size = (payload + MemoryLayout<E>.size + 15) & ~15
    if alignment > 16 || tail.pointee.capacity - tail.pointee.write < size {
      grow(size, alignment)
    }
    let position =
      UnsafeMutableRawPointer(tail) + (Chunk.dataOffset + tail.pointee.write)
    position.initializeMemory(
      as: Entry.self,
      to: Entry(type: E.self, header: header, payloadOffset: payload, size: size)
    )
    (position + payload).initializeMemory(as: E.self, to: value)
    tail.pointee.write += size
  }

  /// Links a further chunk with room for `size` bytes.
  @usableFromInline
  mutating func grow(_ size: Int, _ alignment: Int) {
    precondition(alignment <= 64, "an event aligned to more than 64 bytes")
    let next: UnsafeMutablePointer<Chunk>
    if size <= Chunk.standard, let recycled = spare {
      spare = recycled.pointee.next
      spares -= 1
      recycled.pointee.next = nil
      next = recycled
    } else {
      next = Self.allocate(max(size, Chunk.standard))
    }
    tail.pointee.next = next
    tail = next
  }

  /// The oldest entry, taken off the queue; its memory stays in place until the next call.
  mutating func take() -> UnsafeMutablePointer<Entry>? {
    while head.pointee.read == head.pointee.write {
      guard let next = head.pointee.next else {
        head.pointee.read = 0
        head.pointee.write = 0
        return nil
      }
      recycle(head)
      head = next
    }
    let position = UnsafeMutableRawPointer(head) + (Chunk.dataOffset + head.pointee.read)
    let entry = position.assumingMemoryBound(to: Entry.self)
    head.pointee.read += entry.pointee.size
    return entry
  }

  /// The oldest entry, which stays where it is.
  mutating func peek() -> UnsafeMutablePointer<Entry>? {
    guard let entry = take() else { return nil }
    head.pointee.read -= entry.pointee.size
    return entry
  }

  @inlinable @inline(__always)
  var isEmpty: Bool {
    head.pointee.next == nil && head.pointee.read == head.pointee.write
  }

  /// Appends all of `other` to this queue, in constant time.
  mutating func append(_ other: inout EntryQueue) {
    guard !other.isEmpty else { return }
    tail.pointee.next = other.head
    tail = other.tail
    other.restart(with: takeSpare())
  }

  /// Moves all of `other` before this queue's entries, in constant time.
  mutating func prepend(_ other: inout EntryQueue) {
    guard !other.isEmpty else { return }
    other.tail.pointee.next = head
    head = other.head
    other.restart(with: takeSpare())
  }

  private mutating func restart(with chunk: UnsafeMutablePointer<Chunk>?) {
    head = chunk ?? Self.allocate(Chunk.standard)
    tail = head
  }

  private mutating func takeSpare() -> UnsafeMutablePointer<Chunk>? {
    guard let chunk = spare else { return nil }
    spare = chunk.pointee.next
    spares -= 1
    chunk.pointee.next = nil
    return chunk
  }

  private mutating func recycle(_ chunk: UnsafeMutablePointer<Chunk>) {
    guard spares < 8, chunk.pointee.capacity == Chunk.standard else {
      chunk.deallocate()
      return
    }
    chunk.pointee.read = 0
    chunk.pointee.write = 0
    chunk.pointee.next = spare
    spare = chunk
    spares += 1
  }

  /// Destroys all entries, which get no turn.
  mutating func discardAll() {
    while let entry = take() {
      entry.pointee.type.drop(Self.payload(of: entry))
    }
  }

  /// Frees the memory of an empty queue.
  mutating func deallocate() {
    while let chunk = spare {
      spare = chunk.pointee.next
      chunk.deallocate()
    }
    var next: UnsafeMutablePointer<Chunk>? = head
    while let chunk = next {
      next = chunk.pointee.next
      chunk.deallocate()
    }
  }
}

// MARK: - Routes

/// One observer in the list of a route.
@usableFromInline
struct _Node {
  @usableFromInline var next: UnsafeMutablePointer<_Node>?
  @usableFromInline var previous: UnsafeMutablePointer<_Node>?
  @usableFromInline let observer: Unmanaged<_Observer>
}

/// An observer's list of one event type or state.
@usableFromInline
struct _Route {
  @usableFromInline let key: StreamKey
  @usableFromInline var first: UnsafeMutablePointer<_Node>?
  @usableFromInline var last: UnsafeMutablePointer<_Node>?
  var count = 0
  var sweepAt = 16

  mutating func append(_ observer: _Observer) {
    if count >= sweepAt { sweep() }
    let node = UnsafeMutablePointer<_Node>.allocate(capacity: 1)
    node.initialize(to: _Node(next: nil, previous: last, observer: .passRetained(observer)))
    if let last { last.pointee.next = node } else { first = node }
    last = node
    count += 1
    observer.node = node
  }

  mutating func remove(_ node: UnsafeMutablePointer<_Node>) {
    let (next, previous) = (node.pointee.next, node.pointee.previous)
    if let next { next.pointee.previous = previous } else { last = previous }
    if let previous { previous.pointee.next = next } else { first = next }
    count -= 1
    node.pointee.observer._withUnsafeGuaranteedRef { $0.node = nil }
    node.pointee.observer.release()
    node.deallocate()
  }

  /// Unlinks nodes whose owner was deallocated; amortised by doubling, so that dead ones stay
  /// bounded.
  mutating func sweep() {
    var next = first
    while let node = next {
      next = node.pointee.next
      if node.pointee.observer._withUnsafeGuaranteedRef({ $0.isOver }) { remove(node) }
    }
    sweepAt = max(16, count * 2)
  }
}

/// Who observes, as the queue knows it: the base of all typed observers.
@usableFromInline
class _Observer: @unchecked Sendable {
  // Unchecked: `node` belongs to the home thread, `owner` is weak and atomic, the rest is
  // immutable.
  @usableFromInline let isCancelled = Atomic<Bool>(false)
  let key: StreamKey
  let hasOwner: Bool
  weak let owner: AnyObject?
  var node: UnsafeMutablePointer<_Node>?

  init(key: StreamKey, owner: AnyObject?) {
    self.key = key
    self.owner = owner
    hasOwner = owner != nil
  }

  var isOver: Bool {
    isCancelled.load(ordering: .acquiring) || (hasOwner && owner == nil)
  }
}

/// Who waits for a reply.
@usableFromInline
struct Waiter: @unchecked Sendable {
  // Unchecked: called by the home thread alone.
  @usableFromInline let body: (Result<UnsafeRawPointer, Interruption>, borrowing Turn) -> Void

  @inlinable
  init<Reply: Response>(_ then: @escaping (Result<Reply, Interruption>, borrowing Turn) -> Void) {
    body = { outcome, turn in
      // Not by `map`, which would have the runtime look for its types once more.
      switch outcome {
      case .success(let reply):
        then(.success(reply.assumingMemoryBound(to: Reply.self).pointee), turn)
      case .failure(let reason): then(.failure(reason), turn)
      }
    }
  }

  /// Hands a reply over, which is of the type that the waiter was made for: see the downcasts
  /// above.
  @inlinable @inline(__always)
  func take(_ reply: UnsafeRawPointer, _ turn: borrowing Turn) {
    body(.success(reply), turn)
  }

  /// Says why there is no reply.
  func fail(_ reason: Interruption, _ turn: borrowing Turn) {
    body(.failure(reason), turn)
  }
}

/// An observer of one event type.
@usableFromInline
final class _TypedObserver<E>: _Observer, @unchecked Sendable {
  // Unchecked: the closure is called by the home thread alone.
  @usableFromInline let body: (E, borrowing Turn) -> Void

  @usableFromInline
  init(key: StreamKey, owner: AnyObject?, body: @escaping (E, borrowing Turn) -> Void) {
    precondition(!(E.self is AnyObject.Type), "an event is a value, but \(E.self) is a class")
    self.body = body
    super.init(key: key, owner: owner)
  }
}

/// An observer of everything.
class EveryObserver: _Observer, @unchecked Sendable {
  // Unchecked: observers are called by the home thread alone.
  init() {
    super.init(key: .everything, owner: nil)
  }

  func take<E: Event>(_ event: E, _ turn: borrowing Turn) {
    preconditionFailure("an observer of everything says what it does")
  }
}

/// Routes by key: open addressing, never removed from, as there are no more than event types.
@usableFromInline
struct _RouteTable {
  @usableFromInline var slots: UnsafeMutablePointer<UnsafeMutablePointer<_Route>?>
  @usableFromInline var mask: Int
  private var count = 0

  init() {
    slots = Self.allocate(256)
    mask = 255
  }

  private static func allocate(
    _ capacity: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<_Route>?> {
    let slots = UnsafeMutablePointer<UnsafeMutablePointer<_Route>?>.allocate(capacity: capacity)
    slots.initialize(repeating: nil, count: capacity)
    return slots
  }

  @inlinable @inline(__always)
  static func start(_ key: StreamKey, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (key.bits &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  @inlinable @inline(__always)
  func find(_ key: StreamKey) -> UnsafeMutablePointer<_Route>? {
    let start = Self.start(key, mask)
    guard let route = slots[start] else { return nil }
    return route.pointee.key == key ? route : findFurther(key, start)
  }

  /// Looks past the first slot, and moves what it finds to the front, where the next event of the
  /// type meets it at once: that keeps the cost of an event independent of how many types there
  /// are.
  ///
  /// The node that had the first slot stays in the same run of full slots, after its own start.
  @usableFromInline
  func findFurther(_ key: StreamKey, _ start: Int) -> UnsafeMutablePointer<_Route>? {
    var index = (start + 1) & mask
    while let route = slots[index] {
      if route.pointee.key == key {
        slots[index] = slots[start]
        slots[start] = route
        return route
      }
      index = (index + 1) & mask
    }
    return nil
  }

  mutating func findOrMake(_ key: StreamKey) -> UnsafeMutablePointer<_Route> {
    if let route = find(key) { return route }
    if count * 2 > mask { resize() }
    let route = UnsafeMutablePointer<_Route>.allocate(capacity: 1)
    route.initialize(to: _Route(key: key))
    insert(route)
    count += 1
    return route
  }

  private func insert(_ route: UnsafeMutablePointer<_Route>) {
    var index = Self.start(route.pointee.key, mask)
    while slots[index] != nil { index = (index + 1) & mask }
    slots[index] = route
  }

  private mutating func resize(without dropped: StreamKey? = nil) {
    let (old, oldMask) = (slots, mask)
    if dropped == nil { mask = mask * 2 + 1 }
    slots = Self.allocate(mask + 1)
    for index in 0...oldMask {
      if let route = old[index], route.pointee.key != dropped { insert(route) }
    }
    old.deallocate()
  }

  /// Takes a state's route away; linear in the number of routes.
  mutating func remove(_ key: StreamKey) {
    guard let route = find(key) else { return }
    while let node = route.pointee.first { route.pointee.remove(node) }
    resize(without: key)
    count -= 1
    route.deallocate()
  }

  var routes: [UnsafeMutablePointer<_Route>] { (0...mask).compactMap { slots[$0] } }

  func deallocate() {
    for route in routes {
      while let node = route.pointee.first { route.pointee.remove(node) }
      route.deallocate()
    }
    slots.deallocate()
  }
}

// MARK: - Engine

/// What belongs to the home thread.
@usableFromInline
struct _HomeState {
  @usableFromInline var queue = EntryQueue()
  @usableFromInline var routes = _RouteTable()
  /// The observers of every event.
  @usableFromInline var all = _Route(key: StreamKey(state: 0))
  @usableFromInline var sequence: UInt64 = 0
  @usableFromInline var isDelivering = false
  @usableFromInline var unit: OpenUnit?
  /// Whether it matters in which place an entry had its turn of which no event came.
  var notesSilence = false
  /// How many events the observers of every event have received.
  var observedByAll: UInt64 = 0
  /// The tap that is notified of what happens apart from events.
  weak var tap: (any EventTap)?
  /// What a recording takes the place of; nil where everything is as it seems.
  var replay: ReplayState?
  var time: (sequence: UInt64, instant: Instant) = (0, Instant(milliseconds: 0))
}

/// The engine of an ``EventStream``.
///
/// Not for use outside the stream.
public final class _Engine: @unchecked Sendable {
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
    inbox.discard(into: &state.pointee.queue)
    state.pointee.queue.discardAll()
    state.pointee.queue.deallocate()
    state.pointee.routes.deallocate()
    while let node = state.pointee.all.first { state.pointee.all.remove(node) }
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Whether the calling thread is the one that delivers.
  @inlinable @inline(__always)
  var isHome: Bool { home.load(ordering: .relaxed) == currentThread() }

  // MARK: Sending

  /// Sends from outside any handler: delivers at once where nothing is queued, else queues.
  @inlinable @inline(__always)
  func send<E: Event>(_ event: E, from origin: Origin, isInput: Bool = false) {
    guard isHome, !state.pointee.isDelivering, !inbox.hasMail else {
      sendQueued(event, from: origin, isInput)
      return
    }
    var header = _Header(origin: origin, isInput: true)
    if let reply = E._reply { header.conversation = open(E.self, reply, in: nil, origin) }
    state.pointee.isDelivering = true
    withUnsafeMutablePointer(to: &header) { dispatch(event, _Position($0), StreamKey(E.self)) }
    if let conversation = header.conversation { leave(conversation) }
    if !state.pointee.queue.isEmpty || inbox.hasMail { drain() }
    state.pointee.isDelivering = false
  }

  @inlinable @inline(never)
  func sendQueued<E: Event>(_ event: E, from origin: Origin, _ isInput: Bool) {
    submit(
      event,
      _Header(origin: origin, isInput: isInput),
      Conversation.opened(by: E.self, origin: origin)
    )
  }

  /// Appends an entry to the queue, from any thread, and makes sure that it is delivered.
  @inlinable
  func submit<E: StreamEntry>(
    _ entry: E,
    _ header: _Header,
    _ conversation: Conversation? = nil
  ) {
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
    _ causePlace: _Position,
    isInput: Bool = false
  ) {
    if inbox.hasMail { inbox.collect(into: &state.pointee.queue) }
    var header = _Header(
      cause: cause,
      root: causePlace.header.root,
      conversation: causePlace.header.conversation,
      origin: causePlace.header.origin,
      isInput: isInput
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

  /// Delivers all that is queued, unless that is under way already.
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

  /// Gives one entry that was taken off the queue its turn.
  @inline(__always)
  func deliver(_ entry: UnsafeMutablePointer<EntryQueue.Entry>) {
    let position = EntryQueue.position(of: entry)
    if position.header.isPosted { arrive(position) }
    if state.pointee.notesSilence, !position.header.isInput {
      return deliverNoting(entry, position)
    }
    entry.pointee.type._take(EntryQueue.payload(of: entry), position, self)
    if let conversation = position.header.conversation { leave(conversation) }
  }

  /// Gives an internal entry its turn, and notifies the tap if it produces no event.
  ///
  /// It may have queued something all the same: where it stands between two inputs decides what
  /// comes first.
  @inline(never)
  private func deliverNoting(
    _ entry: UnsafeMutablePointer<EntryQueue.Entry>,
    _ position: _Position
  ) {
    let (type, told) = (entry.pointee.type, state.pointee.observedByAll)
    type._take(EntryQueue.payload(of: entry), position, self)
    if let conversation = position.header.conversation { leave(conversation) }
    guard state.pointee.observedByAll == told, type.isWorthNoting else { return }
    state.pointee.tap?.passed(type)
  }

  /// Gives an event its turn: its place in the order, then its observers, then its requester.
  @inlinable @inline(__always)
  func dispatch<E: Event>(
    _ event: E,
    _ position: _Position,
    _ key: StreamKey
  ) {
    if state.pointee.unit != nil, divert(event, position) { return }
    if E._reply != nil, isPrevented(position) { return }
    let turn = begin(position)
    if E._reply != nil { markBegun(turn) }
    announce(event, turn, key)
    if E._isResponse, let conversation = position.header.conversation,
      let waiter = settle(conversation, StreamKey(E.self))
    {
      withUnsafePointer(to: event) { waiter.take($0, turn) }
    }
  }

  /// Numbers an event, and its root if it is one.
  @inlinable @inline(__always)
  func begin(_ position: _Position) -> Turn {
    state.pointee.sequence &+= 1
    let sequence = state.pointee.sequence
    if position.header.root.number == 0 {
      position.header.root = Root(session: session, number: sequence)
    }
    return Turn(self, position, sequence)
  }

  /// A turn that produces no event, and that a replay does not have: it takes no sequence number.
  func beginUnnumbered(_ position: _Position) -> Turn {
    let sequence = state.pointee.sequence
    if position.header.root.number == 0 {
      position.header.root = Root(session: session, number: sequence)
    }
    return Turn(self, position, sequence)
  }

  /// Calls the observers of every event, then those of the key, in order of subscription.
  @inlinable @inline(__always)
  func announce<E: Event>(_ event: E, _ turn: borrowing Turn, _ key: StreamKey) {
    if state.pointee.all.first != nil { announceToAll(event, turn) }
    guard let route = state.pointee.routes.find(key) else { return }
    var next = route.pointee.first
    while let node = next {
      call(node, event, turn)
      next = node.pointee.next
    }
  }

  @inlinable @inline(__always)
  func call<E>(_ node: UnsafeMutablePointer<_Node>, _ event: E, _ turn: borrowing Turn) {
    node.pointee.observer._withUnsafeGuaranteedRef { observer in
      guard !observer.isCancelled.load(ordering: .acquiring) else { return }
      unsafeDowncast(observer, to: _TypedObserver<E>.self).body(event, turn)
    }
  }

  @usableFromInline @inline(never)
  func announceToAll<E: Event>(_ event: E, _ turn: borrowing Turn) {
    state.pointee.observedByAll &+= 1
    var next = state.pointee.all.first
    while let node = next {
      node.pointee.observer._withUnsafeGuaranteedRef { observer in
        guard !observer.isCancelled.load(ordering: .acquiring) else { return }
        unsafeDowncast(observer, to: EveryObserver.self).take(event, turn)
      }
      next = node.pointee.next
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

  /// The time of an event, read once.
  func time(of sequence: UInt64) -> Instant {
    if state.pointee.time.sequence != sequence {
      state.pointee.time = (sequence, environment.now())
    }
    return state.pointee.time.instant
  }
}

extension EntryQueue {
  /// Where an entry's header stands.
  @inlinable @inline(__always)
  static func position(of entry: UnsafeMutablePointer<Entry>) -> _Position {
    _Position(UnsafeMutableRawPointer(entry).assumingMemoryBound(to: _Header.self))
  }

  /// Where an entry's value stands.
  @inlinable @inline(__always)
  static func payload(of entry: UnsafeMutablePointer<Entry>) -> _Payload {
    _Payload(UnsafeMutableRawPointer(entry) + entry.pointee.payloadOffset)
  }
}

// MARK: - Turn

/// The delivery of one event, lent to each of its observers in turn.
///
/// It can be neither kept nor handed to another thread; ``hold()`` gives what can be.
public struct Turn: ~Copyable {
  @usableFromInline let lentEngine: Unmanaged<_Engine>
  @usableFromInline let position: _Position
  /// The event's position in the one order.
  public let sequence: UInt64

  @inlinable @inline(__always)
  init(_ engine: _Engine, _ position: _Position, _ sequence: UInt64) {
    lentEngine = .passUnretained(engine)
    self.position = position
    self.sequence = sequence
  }

  /// The engine, which is there for as long as the turn is.
  @usableFromInline
  var engine: _Engine { lentEngine.takeUnretainedValue() }

  /// Sends an event that this one caused: it is appended to the queue (promise 2).
  @inlinable @inline(__always)
  public borrowing func send<E: Event>(_ event: E) {
    lentEngine._withUnsafeGuaranteedRef { $0.pushNested(event, sequence, position) }
  }
}

// MARK: - Inbox

/// Where other threads leave their entries for the home thread, which may be asleep.
@usableFromInline
final class Inbox: @unchecked Sendable {
  // Unchecked: the queue is touched under the lock alone.
  @usableFromInline let mail = Atomic<Bool>(false)
  @usableFromInline let signal = Signal()
  @usableFromInline @exclusivity(unchecked) var queue = EntryQueue()

  /// Whether anything waits; may lag behind another thread's post that has not returned.
  @inlinable @inline(__always)
  var hasMail: Bool { mail.load(ordering: .acquiring) }

  /// Appends an entry and wakes the home thread; never waits for a delivery.
  @inlinable
  func post<E: StreamEntry>(_ entry: E, _ header: _Header) {
    Seam.pass(.send)
    signal.lock()
    queue.push(entry, header)
    mail.store(true, ordering: .releasing)
    signal.unlock()
    signal.wake()  // After unlocking, so that the woken thread finds the lock free.
  }

  /// Appends all that waits to the home thread's queue, in constant time.
  @usableFromInline
  func collect(into home: inout EntryQueue) {
    Seam.pass(.inbox)
    signal.lock()
    home.append(&queue)
    mail.store(false, ordering: .releasing)
    signal.unlock()
  }

  /// Sleeps until something waits.
  func sleep() {
    signal.lock()
    while !mail.load(ordering: .relaxed) { signal.sleep() }
    signal.unlock()
    Seam.pass(.inbox)
  }

  /// Moves all that waits to `home` and frees the inbox's memory.
  func discard(into home: inout EntryQueue) {
    collect(into: &home)
    queue.deallocate()
  }
}

// MARK: - Locks and threads

/// A lock with a condition, on POSIX threads: ThreadSanitizer knows them, unlike futexes.
@usableFromInline
final class Signal: @unchecked Sendable {
  // Unchecked: both pointers are immutable, and what they point to is made for many threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  @usableFromInline func lock() {
    Seam.pass(.lock)
    pthread_mutex_lock(mutex)
  }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
  @usableFromInline func wake() { pthread_cond_broadcast(condition) }
  /// Gives the lock up until woken.
  func sleep() { pthread_cond_wait(condition, mutex) }
}

/// A value protected by a lock, which is never held while calling out.
public final class Locked<Value>: @unchecked Sendable {
  // Unchecked: the value is touched under the lock alone. Nor is overlapping access looked for at
  // run time, as the thread inside has the lock, and no other gets it.
  @usableFromInline let signal = Signal()
  @usableFromInline @exclusivity(unchecked) var value: Value

  /// Guards a value.
  public init(_ value: sending Value) {
    self.value = value
  }

  /// Reads or changes the value while no other thread does.
  @inlinable
  public func withLock<R, E: Error>(
    _ body: (inout Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    signal.lock()
    defer { signal.unlock() }
    return try body(&value)
  }
}

/// The calling thread, as a number.
@usableFromInline
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// Runs a body on a new thread with a stack of 8 MiB.
///
/// Foundation's threads don't say that they could not be started, and Dispatch waits until they
/// can.
///
/// - Parameter body: What the thread does.
/// - Returns: Whether it was started; the system may have no thread to spare.
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 8 << 20)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let box = Unmanaged.passRetained(
    Box {
      Seam.pass(.thread)
      body()
    }
  )
  var status: Int32 = EAGAIN
  // One that has just ended may count for a moment longer.
  for attempt in 0..<10 where status == EAGAIN {
    if attempt > 0 { usleep(1000) }
    status = pthread_create(
      &thread,
      &attributes,
      { argument in
        #if canImport(Darwin)
          Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        #else
          if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        #endif
        return nil
      },
      box.toOpaque()
    )
  }
  pthread_attr_destroy(&attributes)
  if status != 0 { box.release() }
  return status == 0
}
