import Synchronization

/// A delivery that is held beyond its turn, for work that takes time (promise 6).
///
/// It keeps the conversation open until it is released or deallocated. It can be handed to any
/// thread; what is sent through it is caused by the event that it was taken from.
///
/// ```swift
/// stream.answerAsync(RequestGreeting.self) { request, turn in
///   for _ in 1...3 where !turn.isCancelled { await Task.yield() }
///   return "Hello at last, \(request.name)!"
/// }
/// ```
public final class AsyncTurn: Sendable {
  let router: _Router
  /// The conversation that is held open.
  package let conversation: Conversation?
  private let isReleased = Atomic<Bool>(false)
  /// The envelope of the delivery.
  public let envelope: Envelope

  init(_ turn: borrowing Turn) {
    router = turn.router
    envelope = turn.envelope
    conversation = turn.address.header.conversation?.object
    if let conversation { _ = router.enter(conversation) }
  }

  deinit { release() }

  /// The header of an event that is sent inside the conversation.
  private func header(_ source: _Source = _Source()) -> _Header {
    _Header(cause: envelope.sequence, root: envelope.root, origin: envelope.origin, source: source)
  }

  /// The user's time zone.
  public var zone: ZoneRule { router.environment.zone }
  /// Whether the conversation was cancelled; long work checks it.
  public var isCancelled: Bool {
    guard let conversation else { return false }
    return router.isHome
      ? router.seesCancelled(conversation, amidTurn: true) : conversation.isCancelled
  }

  /// Returns a new id from the environment.
  public func makeID() -> UniqueID { router.environment.makeID() }

  /// Sends an event inside the conversation, from any thread.
  public func send<E: Event>(_ event: E, file: StaticString = #fileID, line: UInt = #line) {
    let nested = Conversation.opened(by: E.self, in: conversation, origin: envelope.origin)
    router.submit(event, header(_Source(file, line)), nested ?? conversation)
  }

  /// Sends a request inside the conversation and returns what its reply carries.
  ///
  /// - Throws: The reply's failure, or an ``Interruption``.
  public func request<R: Request>(
    _ request: R,
    file: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> R.Reply.Value {
    try await router.awaitReply(to: request, parent: conversation, header(_Source(file, line)))
  }

  /// Releases the conversation; what was sent before still belongs to it.
  public func release() {
    guard let conversation = conversationToLeave() else { return }
    router.submit(Release(conversation: conversation), header())
  }

  /// Releases the conversation before all queued entries, on the home thread.
  package func releaseAtOnce() {
    if let conversation = conversationToLeave() { router.leave(Lent(conversation)) }
  }

  /// Returns the conversation at its first release, nil afterwards.
  private func conversationToLeave() -> Conversation? {
    isReleased.exchange(true, ordering: .acquiringAndReleasing) ? nil : conversation
  }
}

/// The queue entry that ends a hold.
private struct Release: StreamEntry {
  let conversation: Conversation

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    if address.header.isInput { router.state.pointee.tap?.released(address.header.cause) }
    router.leave(Lent(_move(address).conversation))
  }
}

extension Turn {
  /// Holds the delivery, so that its conversation stays open after the handler returned.
  public borrowing func hold() -> AsyncTurn {
    AsyncTurn(self)
  }

  /// Runs `body` off the home thread and holds the delivery meanwhile.
  ///
  /// - Parameters:
  ///   - executor: Where to run; nil is the environment's, or else the global one.
  ///   - body: The work.
  public borrowing func perform(
    on executor: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable (AsyncTurn) async -> Void
  ) {
    // In a replay, the service's answer comes from the recording.
    if router.state.pointee.tap?.takesOver(self, isAsync: true) == true { return }
    let held = hold()
    Task(executorPreference: executor ?? router.environment.executor) {
      await body(held)
      held.release()
    }
  }
}

extension EventStream {
  /// Answers a request off the home thread, each request in a task of its own (S90).
  ///
  /// ```swift
  /// stream.answerAsync(RequestMail.self) { [mailbox] request, _ in
  ///   try await mailbox.fetch(for: request.account)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - executor: Where the work runs (S4); nil is the environment's, or else the global one.
  ///   - file: Where it is answered; kept in debug builds alone, for ``Turn/source``.
  ///   - line: The line in that file.
  ///   - body: What it returns or throws becomes the reply.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func answerAsync<R: Request>(
    _ type: R.Type,
    on executor: (any TaskExecutor)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (R, AsyncTurn) async throws -> R.Reply.Value
  ) -> Subscription {
    declareAnswerer(of: type)
    return on(type) { request, turn in
      turn.perform(on: executor) { held in
        do {
          held.send(R.Reply(.success(try await body(request, held))), file: file, line: line)
        } catch {
          held.send(R.Reply(.failure(R.Reply.Problem(error))), file: file, line: line)
        }
      }
    }
  }
}
