/// Gives the entries of a stream their turn one at a time, and puts events before them: what a
/// replay is made of.
///
/// Used on the home thread, by the code that made the stream.
package final class StreamStepper {
  private let engine: _Engine

  /// Takes over a stream, once what is queued has had its turn.
  package init(_ stream: EventStream) {
    precondition(stream.isHome, "a stepper belongs to the stream's home thread")
    engine = stream.engine
    engine.deliverAll()
    // From now on entries get their turn one by one, and what is sent waits for that.
    engine.state.pointee.isDelivering = true
  }

  /// The number of the next event; a higher one is set where entries that are no events used
  /// numbers up.
  package var nextSequence: UInt64 {
    get { engine.state.pointee.sequence + 1 }
    set { engine.state.pointee.sequence = max(engine.state.pointee.sequence, newValue &- 1) }
  }

  /// The type of the next entry; nil if none is queued.
  package var next: (any StreamEntry.Type)? {
    if engine.inbox.hasMail { engine.inbox.collect(into: &engine.state.pointee.queue) }
    return engine.state.pointee.queue.peek()?.pointee.type
  }

  /// Gives the next entry its turn; returns false if none is queued.
  @discardableResult
  package func step() -> Bool {
    if engine.inbox.hasMail { engine.inbox.collect(into: &engine.state.pointee.queue) }
    guard let entry = engine.state.pointee.queue.take() else { return false }
    engine.deliver(entry)
    return true
  }

  /// The origin of that number, which gets that name: nobody may have joined under it yet.
  package func origin(_ index: UInt32, named name: String) -> Origin {
    engine.registry.withLock { registry in
      while registry.names.count <= Int(index) { registry.names.append("") }
      registry.names[Int(index)] = name
    }
    return Origin(index: index)
  }

  /// The conversation of the unit that is open, if it has this root.
  package func conversation(ofUnit root: Root) -> Conversation? {
    engine.state.pointee.unit.flatMap { $0.root == root ? $0.conversation : nil }
  }

  /// Puts an event that came from outside before all that is queued.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - cause: The event that it answers; nil for a root.
  ///   - root: Its root; it becomes one itself where that has its own number.
  ///   - origin: Whose intent that was.
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
    if root != Root(session: engine.session, number: nextSequence) {
      header.root = root
      header.cause = cause ?? 0
    }
    let own = Conversation.opened(by: E.self, in: round, origin: origin)
    prepend(event, header, own ?? round)
    return own
  }

  /// Puts the beginning of a frontend's unit before all that is queued.
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

  /// Puts the end of a frontend's unit before all that is queued, rather than after it.
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
    if let conversation, engine.enter(conversation) { header.conversation = Lent(conversation) }
    var front = EntryQueue()
    front.push(entry, header)
    engine.state.pointee.queue.prepend(&front)
    front.destroy()
  }
}
