/// Is notified of what happens on a stream apart from its events, and may stand in for what lies
/// outside: all that the core knows of recordings and their replays.
///
/// Everything is called on the home thread, in its place among the events.
package protocol EventTap: AnyObject, Sendable {
  /// Whether it feeds a recorded session; see ``Turn/isReplay``.
  var isReplay: Bool { get }
  /// A service has released the delivery of an event that it held.
  func released(_ sequence: UInt64)
  /// The home thread has found a conversation cancelled, itself or one that it is part of; any
  /// thread may have cancelled it before, and it may be found more than once.
  ///
  /// - Parameters:
  ///   - conversation: The conversation.
  ///   - amidTurn: Whether that was found while the last event was handled.
  func sawCancelled(_ conversation: Conversation, amidTurn: Bool)
  /// A frontend wishes its unit to end.
  func unitEnds(_ unit: Root, _ outcome: ResponseUnit.Outcome)
  /// An entry that no frontend has queued had its turn, and produced no event: it was held back, or
  /// is something else than an event. Not called for a replay.
  func passed(_ entry: any StreamEntry.Type)
  /// Takes over the delivery of an event that a service would answer.
  ///
  /// - Parameters:
  ///   - turn: The delivery.
  ///   - isAsync: Whether the service would hold it beyond its turn.
  /// - Returns: False if the service is to answer.
  func takesOver(_ turn: borrowing Turn, isAsync: Bool) -> Bool
  /// Throws where the unit that begins with this event is not to begin.
  func willBegin(_ sequence: UInt64) throws
  /// Throws where the unit is not to be committed.
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
  /// On the home thread, outside handlers, that is at once, before what other threads have handed
  /// over; else from its turn on.
  package func attach(_ tap: any EventTap) {
    let attachment = Later { engine in
      engine.state.pointee.tap = tap
      engine.state.pointee.notesSilence = !tap.isReplay
    }
    guard !engine.isHome || engine.state.pointee.isDelivering else {
      return attachment.body(engine)
    }
    engine.submit(attachment, _Header(origin: origin))
  }

  /// Whether the calling thread is the one that delivers.
  package var isHome: Bool { engine.isHome }

  /// Whether more is to follow from what was said already; on the home thread.
  package var isUnderWay: Bool {
    precondition(engine.isHome, "isUnderWay belongs to the stream's home thread")
    return !engine.state.pointee.queue.isEmpty
  }
}

extension StreamEntry {
  /// Whether its position matters even if it produces no event: an end takes effect before its
  /// turn, and what is left for later brings nothing about.
  package static var isWorthNoting: Bool { self != Leave.self && self != Later.self }

  /// What a recording calls it.
  package static var recordedName: String {
    (self as? any Event.Type)?.name ?? _typeName(self, qualified: false)
  }
}
