/// Delivers the entries of a stream one at a time, and inserts events before them, for a replay.
///
/// Used on the home thread, by the code that created the stream.
package final class StreamStepper {
  private let router: _Router

  /// Takes over a stream, once what is queued has been delivered.
  package init(_ stream: EventStream) {
    precondition(stream.isHome, "a stepper belongs to the stream's home thread")
    router = stream.router
    router.deliverAll()
    // From now on entries are delivered one by one, and what is sent is queued.
    router.state.pointee.isDelivering = true
  }

  /// The number of the next event; a replay sets a higher one where entries that are no events took
  /// numbers.
  package var nextSequence: UInt64 {
    get { router.state.pointee.sequence + 1 }
    set { router.state.pointee.sequence = max(router.state.pointee.sequence, newValue &- 1) }
  }

  /// The type of the next entry; nil if none is queued.
  package var next: (any StreamEntry.Type)? {
    if router.inbox.hasMail { router.inbox.collect(into: &router.state.pointee.queue) }
    return router.state.pointee.queue.peek()?.pointee.type
  }

  /// Delivers the next entry; returns false if none is queued.
  @discardableResult
  package func step() -> Bool {
    if router.inbox.hasMail { router.inbox.collect(into: &router.state.pointee.queue) }
    guard let entry = router.state.pointee.queue.take() else { return false }
    router.deliver(entry)
    return true
  }

  /// Returns the origin of that number with that name, which must not be registered yet.
  package func origin(_ index: UInt32, named name: String) -> Origin {
    router.registry.withLock { registry in
      while registry.names.count <= Int(index) { registry.names.append("") }
      registry.names[Int(index)] = name
    }
    return Origin(index: index)
  }

  /// Returns the conversation of the unit that is open, if it has this root.
  package func conversation(ofUnit root: Root) -> Conversation? {
    router.state.pointee.unit.flatMap { $0.root == root ? $0.conversation : nil }
  }

  /// Inserts an input before all that is queued.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - cause: The event that it answers; nil for a root.
  ///   - root: Its root; the event becomes a root itself where that has its own number.
  ///   - origin: The frontend or plugin that sent the root.
  ///   - round: The conversation that it belongs to.
  /// - Returns: The conversation that it opens, if it is a request.
  package func prepend<E: Event>(
    _ event: E,
    cause: UInt64?,
    root: Root,
    origin: Origin,
    in round: Conversation?
  ) -> Conversation? {
    var header = _Header(origin: origin, isInput: true)
    if root != Root(session: router.session, number: nextSequence) {
      header.root = root
      header.cause = cause ?? 0
    }
    let own = Conversation.opened(by: E.self, in: round, origin: origin)
    prepend(event, header, own ?? round)
    return own
  }

  /// Inserts the beginning of a frontend's unit before all that is queued.
  package func prependBeginning(
    _ mode: StreamUnit.Mode,
    origin: Origin,
    then: @escaping (StreamUnit?) -> Void
  ) {
    let beginning = UnitBeginning(mode: mode, isInput: true) { result, _ in
      then(try? result.get())
    }
    prepend(beginning, _Header(origin: origin, isInput: true))
  }

  /// Inserts the end of a frontend's unit before all that is queued, rather than after it.
  package func prependEnd(of unit: StreamUnit, _ outcome: ResponseUnit.Outcome) {
    guard let open = unit.takeEnd() else { return }
    let closing = UnitClosing(unit: open, outcome: outcome) { _, _ in }
    prepend(closing, _Header(origin: open.origin, isInput: true))
  }

  private func prepend<E: StreamEntry>(
    _ entry: E,
    _ header: _Header,
    _ conversation: Conversation? = nil
  ) {
    var header = header
    if let conversation, router.enter(conversation) { header.conversation = Lent(conversation) }
    var front = EntryQueue()
    front.push(entry, header)
    router.state.pointee.queue.prepend(&front)
    front.destroy()
  }
}
