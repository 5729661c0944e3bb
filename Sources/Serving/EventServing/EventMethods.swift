import EventCommands
import EventMVVM
import EventRPC
import EventValues
import JSONText

/// Subscribes to events.
struct SubscribeEvents: ServerMethod {
  var types: [String] = []
  var from: Int?
  static let spec = CommandSpec<Self>(
    "events/subscribe",
    "Sends view-model events as they happen: `events/append`."
  )
  .option(\.types, "The types of events; all if none is named")
  .option(
    \.from,
    "The number from which to begin; the next event unless given, for an observer the first of the process"
  )

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    let known = session.events.types.names
    for (index, type) in types.enumerated() where !known.containsText(type) {
      throw CommandError(
        "/types/\(index): there is no event '\(type.quotable)'; 'initialize' lists them",
        field: "types",
        path: "/types/\(index)"
      )
    }
    let next = try from.map { number throws(CommandError) in
      try sequence(number, "from")
    }
    // Without an id the answer could not name the subscription.
    guard let responder = call.responder else { return }
    session.events.begin()
    let head = session.events.log.head
    let choice = types.isEmpty ? nil : Set(types)
    let first = next ?? session.options.resumePoints?.first(of: choice) ?? head + 1
    guard let subscription = session.events.subscribe(choice, from: first) else {
      let problem = "A session has at most \(EventFeed.mostSubscriptions) subscriptions."
      return responder.fail(RPCError(RPCError.requestFailed, problem))
    }
    var json = JSONWriter()
    json.object { json in
      json.member("subscription", subscription.number)
      json.member("head", Int64(clamping: head))
    }
    responder.succeed(json.bytes)
    subscription.send()
  }
}

/// Ends a subscription to events.
struct UnsubscribeEvents: ServerMethod {
  var subscription = 0
  static let spec = CommandSpec<Self>("events/unsubscribe", "Ends a subscription.")
    .word(\.subscription, "Its number")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    guard let subscription = session.events.remove(subscription) else {
      throw CommandError(
        "/subscription: there is no subscription \(subscription)",
        field: "subscription",
        path: "/subscription"
      )
    }
    subscription.cancel()
    call.responder?.succeed(.null)
  }
}

/// Reads past events.
struct ReadEvents: ServerMethod {
  var from = 0
  var limit: Int?
  static let spec = CommandSpec<Self>(
    "events/read",
    "Gives events that have happened, from a number on; they are kept from the first call of this or of "
      + "`events/subscribe` on."
  )
  .word(\.from, "The number of the first")
  .option(\.limit, "How many at most; 1000 unless given")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    let next = try sequence(from, "from")
    let limit = limit ?? 1000
    guard limit > 0 else {
      throw CommandError("/limit: expected 1 or more", field: "limit", path: "/limit")
    }
    session.events.begin()
    session.readEvents(call) { log in
      Self.result(log.read(from: next, limit: limit, bytes: 4_194_304), head: log.head)
    }
  }

  private static func result(_ slice: EventLog.Slice, head: UInt64) -> [UInt8] {
    var bytes = Array(#"{"events":["#.utf8)
    for (index, entry) in slice.entries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += entry.json
    }
    bytes += #"],"next":\#(slice.next),"head":\#(head),"missed":\#(slice.isMissing)}"#.utf8
    return bytes
  }
}

extension Session {
  /// Answers a call with past events: after the client's own writes, like any command.
  fileprivate func readEvents(
    _ call: IncomingCall,
    _ read: @escaping @Sendable (EventLog) -> [UInt8]
  ) {
    let running = RunningCall(call)
    calls.begin(running)
    let answer = { @Sendable [self] in
      if calls.isCancelled(running) {
        call.responder?.fail(RPCError(Failure(Interruption.cancelled)))
      } else {
        call.responder?.succeed(read(events.log))
      }
      close(running)
    }
    sequence.add(writes: false) { [self] turn in
      calls.take(turn, of: running)
      readLong(running) { [self] in
        // A write is answered before its change is sent.
        port.afterQueued { [self] in events.whenWritten(answer) }
      } refuse: {
        answer()
      }
    }
  }
}

/// The number of an event, as a parameter.
private func sequence(_ number: Int, _ name: String) throws(CommandError) -> UInt64 {
  guard number >= 0 else {
    throw CommandError("/\(name): expected 0 or more", field: name, path: "/\(name)")
  }
  return UInt64(number)
}
