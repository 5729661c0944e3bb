/// Is notified of what happens on a stream apart from its events, and may stand in for external
/// services: the core's only interface to recordings and replays.
///
/// Every method is called on the home thread, in order with the events.
package protocol EventTap: AnyObject, Sendable {
  /// Whether it replays a recorded session; see ``Turn/isReplay``.
  var isReplay: Bool { get }
  /// A service has released the delivery of an event that it held.
  func released(_ sequence: UInt64)
  /// The home thread has found a conversation cancelled, itself or one that it is part of; any
  /// thread may have cancelled it before, and it may be found more than once.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - amidTurn: Whether it was found while the last event was handled.
  func sawCancelled(_ conversation: Conversation, amidTurn: Bool)
  /// A frontend's unit ends: its work is done and, if that takes long, it is committed.
  func unitEnds(_ unit: Root, _ outcome: ResponseUnit.Outcome)
  /// An entry that no frontend has queued had its turn and produced no event: it was held back, or
  /// is no event. Not called for a replay.
  func passed(_ entry: any StreamEntry.Type)
  /// Takes over the delivery of an event that a service would answer.
  ///
  /// - Parameters:
  ///   - turn: The delivery.
  ///   - isAsync: Whether the service would hold it beyond its turn.
  /// - Returns: False if the service is to answer.
  func takesOver(_ turn: borrowing Turn, isAsync: Bool) -> Bool
  /// Throws where the unit that begins with this event must not begin.
  func willBegin(_ sequence: UInt64) throws
  /// Throws where the unit must not be committed.
  func willCommit(_ unit: Root) throws
}

extension EventTap {
  package var isReplay: Bool { false }
  package func released(_ sequence: UInt64) {}
  package func sawCancelled(_ conversation: Conversation, amidTurn: Bool) {}
  package func unitEnds(_ unit: Root, _ outcome: ResponseUnit.Outcome) {}
  package func passed(_ entry: any StreamEntry.Type) {}
  package func takesOver(_ turn: borrowing Turn, isAsync: Bool) -> Bool { false }
  package func willBegin(_ sequence: UInt64) throws {}
  package func willCommit(_ unit: Root) throws {}
}

extension EventStream {
  /// Attaches the tap; a stream has one, which it does not retain.
  ///
  /// On the home thread, outside handlers, it takes effect at once, before what other threads have
  /// handed over; else from its turn on.
  package func attach(_ tap: any EventTap) {
    let attachment = Later { router in
      router.state.pointee.tap = tap
      router.state.pointee.notesSilence = !tap.isReplay
    }
    guard !router.isHome || router.state.pointee.isDelivering else {
      return attachment.body(router)
    }
    router.submit(attachment, _Header(origin: origin))
  }

  /// The types of events that parts of the stream answer, reply with or observe; on the home thread.
  package var knownEvents: [any Event.Type] {
    var types = router.registry.withLock { $0.answerers.flatMap { $0.request._types } }
    for route in router.state.pointee.routes.routes {
      route.pointee.forEach { if let event = $0.event { types.append(event) } }
    }
    return types
  }

  /// Whether the calling thread is the one that delivers.
  package var isHome: Bool { router.isHome }

  /// Whether consequences of earlier events are still to come; on the home thread.
  package var isUnderWay: Bool {
    precondition(router.isHome, "isUnderWay belongs to the stream's home thread")
    return !router.state.pointee.queue.isEmpty
  }
}

extension StreamEntry {
  /// Whether its position matters even if it produces no event: an end takes effect before its
  /// turn, and a closure for later has no consequences.
  package static var isWorthNoting: Bool { self != Leave.self && self != Later.self }

  /// Its name in a recording.
  package static var recordedName: String {
    (self as? any Event.Type)?.name ?? _typeName(self, qualified: false)
  }
}

extension Request {
  /// The types of the request and of its reply.
  fileprivate static var _types: [any Event.Type] { [self, Reply.self] }
}
