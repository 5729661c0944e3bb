extension EventStream {
  /// Sends a request and calls back with its reply, or with why there is none (promise 6).
  ///
  /// - Parameters:
  ///   - request: The request; it becomes a root.
  ///   - isHousekeeping: Whether the sender only updates itself, without a request of a person or a
  ///     client; see ``Turn/isHousekeeping``.
  ///   - file: Where it is sent; kept in debug builds alone, for ``Turn/source``.
  ///   - line: The line in that file.
  ///   - then: Called once, on the home thread, in the reply's turn, after its observers.
  /// - Returns: The conversation, to cancel it by.
  @discardableResult @inlinable
  public func request<R: Request>(
    _ request: R,
    isHousekeeping: Bool = false,
    file: StaticString = #fileID,
    line: UInt = #line,
    then: @escaping (Result<R.Reply, Interruption>, borrowing Turn) -> Void
  ) -> Conversation {
    let conversation = Conversation(of: R.self, in: nil, origin, then)
    conversation.isHousekeeping = isHousekeeping
    router.submit(request, header(_Source(file, line)), conversation)
    return conversation
  }

  /// Sends a request and returns what its reply carries.
  ///
  /// Cancelling the task cancels the conversation: work that has not begun never does, and work
  /// that has is waited for.
  ///
  /// - Throws: The reply's failure, or an ``Interruption``.
  public func request<R: Request>(
    _ request: R,
    file: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> R.Reply.Value {
    try await router.awaitReply(to: request, parent: nil, header(_Source(file, line)))
  }

  /// Cancels a conversation, from any thread, without waiting.
  ///
  /// If its work has not begun it never will, and the requester is notified at the next turn; else
  /// the reply is delivered as if nothing had happened.
  public func cancel(_ conversation: Conversation) {
    router.cancel(conversation, isInput: isFrontends)
  }

  /// Answers a request: what `body` returns or throws becomes the reply (promise 9).
  ///
  /// ```swift
  /// stream.answer(RequestTally.self) { [counts] request, _ in
  ///   try request.tally(of: counts.withLock { $0 })
  /// }
  /// ```
  ///
  /// A request type has one server; two are reported when the application starts.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - file: Where it is answered; kept in debug builds alone, for ``Turn/source``.
  ///   - line: The line in that file.
  ///   - body: Called on the home thread with each request, in order.
  /// - Returns: The subscription, to end it by.
  @discardableResult @inlinable
  public func answer<R: Request>(
    _ type: R.Type,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (R, borrowing Turn) throws -> R.Reply.Value
  ) -> Subscription {
    declareAnswerer(of: type)
    let source = _Source(file, line)
    return on(type) { request, turn in
      turn.send(R.Reply(of: turn) { turn throws in try body(request, turn) }, source)
    }
  }

  /// Declares that this handle's owner answers a request, where it uses ``on(_:_:)``.
  ///
  /// ```swift
  /// stream.declareAnswerer(of: RequestPay.self)
  /// stream.on(RequestPay.self, owner: self) { _, _, turn in
  ///   Self.pay(paying, turn) { result, turn in turn.send(ResponseCart(result)) }
  /// }
  /// ```
  ///
  /// A request type has one server; two are reported when the application starts.
  public func declareAnswerer<R: Request>(of type: R.Type) {
    router.registry.withLock { registry in
      let (key, name) = (StreamKey(type), registry.names[Int(origin.index)])
      let other = registry.answerers.last { $0.key == key }.map { "'\($0.name)' and '\(name)'" }
      registry.clashes += other.map { ["\(type.name) is answered by both \($0)"] } ?? []
      registry.answerers.append((key, type, name))
    }
  }

  /// Answers a request for as long as `owner` lives, as `answer` without an owner does.
  @discardableResult @inlinable
  public func answer<R: Request, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (Owner, R, borrowing Turn) throws -> R.Reply.Value
  ) -> Subscription {
    declareAnswerer(of: type)
    let source = _Source(file, line)
    return on(type, owner: owner) { owner, request, turn in
      turn.send(R.Reply(of: turn) { turn throws in try body(owner, request, turn) }, source)
    }
  }
}

extension Turn {
  /// Replies with what is outside the stream, such as a file: the reply is an input.
  ///
  /// A replay does not read it again: it takes the reply from the recording.
  ///
  /// - Parameters:
  ///   - find: Finds the reply.
  ///   - file: Where it is sent; kept in debug builds alone, for ``Turn/source``.
  ///   - line: The line in that file.
  ///   - isOutside: Whether it depends on anything but the events on the stream.
  @inlinable
  public borrowing func reply<E: Response>(
    from find: (borrowing Turn) -> E,
    file: StaticString = #fileID,
    line: UInt = #line,
    where isOutside: (E) -> Bool = { _ in true }
  ) {
    guard !isTakenOver() else { return }
    let reply = find(self)
    router.pushNested(reply, sequence, address, isInput: isOutside(reply), _Source(file, line))
  }

  /// Whether a recording has the reply, which the request then waits for.
  @usableFromInline
  borrowing func isTakenOver() -> Bool {
    router.state.pointee.tap?.takesOver(self, isAsync: false) ?? false
  }

  /// Sends a request inside this event's conversation, and calls back with its reply.
  ///
  /// ```swift
  /// turn.request(RequestTally(requests: ["RequestGreeting"])) { result, turn in
  ///   let count = try? result.get().result.get().lines.first?.count
  ///   turn.send(ResponseGreeting(.success("Hello, \(request.name), number \(count ?? 0)!")))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - file: Where it is sent; kept in debug builds alone, for ``Turn/source``.
  ///   - line: The line in that file.
  ///   - then: Called once, on the home thread, in the reply's turn, after its observers.
  @inlinable
  public borrowing func request<R: Request>(
    _ request: R,
    file: StaticString = #fileID,
    line: UInt = #line,
    then: @escaping (Result<R.Reply, Interruption>, borrowing Turn) -> Void
  ) {
    self.request(request, isInput: false, _Source(file, line), then: then)
  }

  @inlinable
  borrowing func request<R: Request>(
    _ request: R,
    isInput: Bool,
    _ source: _Source,
    then: @escaping (Result<R.Reply, Interruption>, borrowing Turn) -> Void
  ) {
    let (parent, origin) = (address.header.conversation?.object, address.header.origin)
    let conversation = Conversation(of: R.self, in: parent, origin, then)
    var nested = _Header(cause: sequence, origin: origin, isInput: isInput, source: source)
    nested.root = address.header.root
    router.push(request, nested, conversation)
  }
}

extension _Router {
  func cancel(_ conversation: Conversation, isInput: Bool = false) {
    markCancelled(conversation)
    let header = _Header(origin: conversation.origin, isInput: isInput)
    submit(Cancellation(conversation: conversation), header)
  }

  func awaitReply<R: Request>(
    to request: R,
    parent: Conversation?,
    _ header: _Header
  ) async throws -> R.Reply.Value {
    let requester = Requester<R.Reply>()
    let conversation = Conversation(of: R.self, in: parent, header.origin) { result, _ in
      requester.continuation?.resume(returning: result)
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        requester.continuation = continuation
        submit(request, header, conversation)
      }
    } onCancel: {
      cancel(conversation)
    }
    return try R.Reply._value(of: result)
  }
}

/// A task that waits for its reply.
private final class Requester<Reply: Response>: @unchecked Sendable {
  // Unchecked: set before the request is handed over, and read when it is answered.
  var continuation: CheckedContinuation<Result<Reply, Interruption>, Never>?
}
