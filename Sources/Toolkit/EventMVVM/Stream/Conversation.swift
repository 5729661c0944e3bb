import Synchronization

/// A request and all that follows from it, until its reply or its end (promise 6).
///
/// It is open while an event that it caused is queued or being handled, an asynchronous handler of
/// it runs, or it is held. The handle that `request` returns cancels it, from
/// any thread.
///
/// ```swift
/// stream.request(RequestGreeting(name: "Ann")) { answer, _ in answers.append(answer) }
/// #expect(answers == [.failure(.unanswered)])
///
/// stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)!" }
/// stream.request(RequestGreeting(name: "Bob")) { answer, _ in answers.append(answer) }
/// ```
public final class Conversation: @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread; the rest is immutable or atomic.
  /// Whether any of its work has begun, is running, or has ended.
  enum Phase { case new, open, closed }

  /// The conversation that the request was made in.
  @usableFromInline package let parent: Conversation?
  let replyKey: StreamKey
  let request: any Event.Type
  let origin: Origin
  private let cancelled = Atomic<Bool>(false)

  /// How many things keep it open: entries, holds, nested conversations.
  @usableFromInline @exclusivity(unchecked) var open = 0
  var phase = Phase.new
  /// Whether the reply has come, or can no longer come.
  var isAnswered = false
  /// Whether the request has had its turn.
  var hasBegun = false
  /// Whether the enclosing one is kept open by this one: not if it had closed before.
  var countsInParent = false
  /// Whether the request is an input.
  @usableFromInline @exclusivity(unchecked) var isInput = false
  /// Whether no person or client asked for it; see ``Turn/isHousekeeping``.
  @usableFromInline @exclusivity(unchecked) var isHousekeeping = false
  /// The request's position in the one order, and its root, once it has begun.
  var sequence: UInt64 = 0
  package var root = Root(session: 0, number: 0)
  var waiter: Waiter?
  /// The unit that this conversation encloses, if any.
  var unit: OpenUnit?

  @usableFromInline
  init(
    _ request: any Event.Type,
    _ reply: StreamKey,
    parent: Conversation?,
    origin: Origin,
    waiter: Waiter? = nil
  ) {
    self.request = request
    self.replyKey = reply
    self.parent = parent
    self.origin = origin
    self.waiter = waiter
  }

  /// The conversation of a request whose reply is waited for.
  @inlinable
  convenience init<R: Request>(
    of request: R.Type,
    in parent: Conversation?,
    _ origin: Origin,
    _ then: @escaping (Result<R.Reply, Interruption>, borrowing Turn) -> Void
  ) {
    let key = StreamKey(R.Reply.self)
    self.init(request, key, parent: parent, origin: origin, waiter: Waiter(then))
  }

  /// Returns a conversation for an event that is sent, if that is a request.
  @inlinable
  static func opened<E: Event>(
    by event: E.Type,
    in parent: Conversation? = nil,
    origin: Origin
  ) -> Conversation? {
    E._reply.map { Conversation(event, $0, parent: parent, origin: origin) }
  }

  /// Whether it, or one that it is part of, was cancelled; any thread.
  public var isCancelled: Bool {
    cancelled.load(ordering: .acquiring) || parent?.isCancelled == true
  }

  /// The enclosing conversation, not retained.
  var lentParent: Lent<Conversation>? { parent.map { Lent($0) } }

  /// Sets the flag of its cancellation, from any thread.
  package func markCancelled() {
    cancelled.store(true, ordering: .releasing)
  }

  /// The number of the request, or of the unit's beginning, if it was cancelled after that.
  ///
  /// Nil if only the conversation that it is part of was cancelled. On the home thread.
  package var cancelledSequence: UInt64? {
    cancelled.load(ordering: .acquiring) && (hasBegun || unit != nil) ? sequence : nil
  }

  /// Accepts a reply if this is its request: nil if it is not, else its waiter.
  @inline(__always)
  func acceptReply(_ reply: StreamKey) -> Waiter?? {
    guard replyKey == reply, !isAnswered, phase == .open else { return nil }
    isAnswered = true
    defer { waiter = nil }
    return .some(waiter)
  }
}

/// States that a request ended without a reply (promise 6).
///
/// ```swift
/// stream.on(ResponseUnanswered.self, owner: self) { server, event, turn in
///   if event.isOfMail { server.change(state, turn) { $0.loads -= 1 } }
/// }
/// ```
public struct ResponseUnanswered: ModelEvent, ViewModelEvent, Codable {
  /// The name of the request.
  public let request: String
  /// The sequence of the request; 0 if it never had its turn.
  public let sequence: UInt64
  /// Why there is no reply.
  public let reason: Interruption
  /// The name of the request.
  public var subject: String? { request }
}

extension _Router {
  /// Counts one more thing that keeps a conversation open; false if it has closed.
  @usableFromInline
  func enter(_ conversation: Conversation) -> Bool {
    switch conversation.phase {
    case .closed: return false
    case .open: conversation.open += 1
    case .new:
      conversation.phase = .open
      conversation.open = 1
      conversation.countsInParent = conversation.parent.map { enter($0) } ?? false
      Lent(conversation).retain()
    }
    return true
  }

  /// Enters the conversation of an entry from the inbox, and releases the entry's reference to it.
  func arrive(_ address: _EntryAddress) {
    address.header.isPosted = false
    guard let posted = address.header.conversation else { return }
    if !enter(posted.use { $0 }) { address.header.conversation = nil }
    posted.release()
  }

  /// Opens a conversation for a request that is sent without a waiter.
  @usableFromInline
  func open(
    _ request: any Event.Type,
    _ reply: StreamKey,
    in parent: Lent<Conversation>?,
    _ origin: Origin
  ) -> Lent<Conversation> {
    let conversation = Conversation(request, reply, parent: parent?.object, origin: origin)
    // Does what `enter` does without its check; the parent is used without being retained.
    conversation.phase = .open
    conversation.open = 1
    if let parent { conversation.countsInParent = parent.use { enter($0) } }
    let lent = Lent(conversation)
    lent.retain()
    return lent
  }

  /// Counts one thing less; if it was the last, closes the conversation and its enclosing ones.
  @usableFromInline
  func leave(_ left: Lent<Conversation>) {
    var next: Lent<Conversation>? = left
    while let conversation = next, conversation.use({ countDown($0) }) {
      next = conversation.use { $0.countsInParent ? $0.lentParent : nil }
      conversation.release()
    }
  }

  /// Whether that was the last thing that kept a conversation open.
  private func countDown(_ conversation: Conversation) -> Bool {
    conversation.open -= 1
    guard conversation.open == 0 else { return false }
    conversation.phase = .closed
    // Units have no answer, so most conversations are checked once.
    guard !conversation.isAnswered else { return true }
    if let unit = conversation.unit {
      end(unit)
    } else {
      closeUnanswered(conversation)
    }
    return true
  }

  /// Queues the event which states that a request got no reply.
  func closeUnanswered(_ conversation: Conversation) {
    conversation.isAnswered = true
    // A request that never had its turn has no root yet, but the enclosing one has.
    let known = conversation.hasBegun ? conversation : conversation.parent
    let header = _Header(
      cause: known?.sequence ?? 0,
      root: known?.root ?? conversation.root,
      origin: conversation.origin,
      // An input request that never had its turn is recorded nowhere else.
      isInput: conversation.isInput && !conversation.hasBegun
    )
    let isCancelled = seesCancelled(conversation, amidTurn: true)
    let reply = ResponseUnanswered(
      request: conversation.request.name,
      sequence: conversation.sequence,
      reason: isCancelled ? .cancelled : .unanswered
    )
    push(UnansweredEntry(reply: reply, waiter: conversation.waiter), header, conversation.parent)
    conversation.waiter = nil
  }

  /// Whether a request's work must not begin: it was cancelled, or was abandoned.
  @usableFromInline
  func isPrevented(_ address: _EntryAddress) -> Bool {
    address.header.conversation?.use { $0.isAnswered || seesCancelled($0, amidTurn: false) }
      ?? false
  }

  /// Returns whether a conversation is cancelled, as the home thread finds it: any thread may set
  /// the flag at any time, and a recording needs the turn in which it was first seen.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - amidTurn: Whether a handler calls it, rather than the delivery between two handlers.
  /// - Returns: Whether it is cancelled.
  func seesCancelled(_ conversation: Conversation, amidTurn: Bool) -> Bool {
    guard conversation.isCancelled else { return false }
    state.pointee.tap?.sawCancelled(conversation, amidTurn: amidTurn)
    return true
  }

  /// Notes that a request has had its turn.
  @usableFromInline
  func markBegun(_ turn: borrowing Turn) {
    let (sequence, root) = (turn.sequence, turn.address.header.root)
    turn.address.header.conversation?
      .use { conversation in
        conversation.hasBegun = true
        conversation.sequence = sequence
        conversation.root = root
      }
  }

  /// Answers the nearest enclosing request of the response's kind that is still unanswered.
  ///
  /// - Returns: The caller that waits for it, if there is one.
  @usableFromInline
  func waiter(for key: StreamKey, in innermost: Lent<Conversation>) -> Waiter? {
    var next: Lent<Conversation>? = innermost
    while let conversation = next {
      if let asked = conversation.use({ $0.acceptReply(key) }) { return asked }
      next = conversation.use { $0.lentParent }
    }
    return nil
  }
}

/// The queue entry that ends a conversation without a reply.
struct UnansweredEntry: StreamEntry {
  let reply: ResponseUnanswered
  let waiter: Waiter?

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let entry = _move(address)
    let turn = router.beginNumbered(address)
    router.announce(entry.reply, turn, StreamKey(ResponseUnanswered.self))
    entry.waiter?.body(.failure(entry.reply.reason), turn)
  }
}

/// The queue entry of a cancellation, whose flag takes effect before its turn.
struct Cancellation: StreamEntry {
  let conversation: Conversation

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let conversation = _move(address).conversation
    guard conversation.phase == .open else { return }
    if conversation.hasBegun {
      _ = router.seesCancelled(conversation, amidTurn: false)
    } else if !conversation.isAnswered {
      router.closeUnanswered(conversation)
    }
  }
}
