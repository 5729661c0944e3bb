import EventCommands
import EventMVVM
import EventRPC
import EventValues
import JSONText

/// Follows the result of a command that goes on.
struct SubscribeLive: ServerMethod {
  var method = ""
  var params = LiveParameters()
  static let spec = CommandSpec<Self>(
    "live/subscribe",
    "Follows a list: its rows, and how each change by any process changes them, as `live/changed`."
  )
  .word(\.method, "The method, such as `todo/list`")
  .option(
    \.params,
    "Its parameters: what is asked for, the order, a limit; `from` goes on after a change"
  )

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    guard case .command(let type)? = session.methods[method], type.goesOn else {
      throw CommandError(
        "/method: '\(method.quotable)' is no method that can be followed",
        field: "method",
        path: "/method"
      )
    }
    try begin(type, call, session)
  }

  private func begin<C: Command>(
    _ type: C.Type,
    _ call: IncomingCall,
    _ session: Session
  ) throws(CommandError) {
    var members = params.members.filter { $0.name != "follow" }
    members.append(JSON.Member("follow", true))
    // Without an id the answer could not name the subscription.
    guard let responder = call.responder else { return }
    do {
      _ = try C.read(parameters: .object(members))
    } catch {
      let isAtPath = error.message.hasPrefix("/")
      throw CommandError(
        (isAtPath ? "/params" : "") + error.message,
        field: error.field,
        path: error.path.map { "/params" + $0 }
      )
    }
    session.lives.begin(type, members, responder, session)
  }
}

/// Ends following.
struct UnsubscribeLive: ServerMethod {
  var subscription = 0
  static let spec = CommandSpec<Self>("live/unsubscribe", "Follows a list no more.")
    .word(\.subscription, "The number of the subscription")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    guard session.lives.end(subscription) else {
      throw CommandError(
        "/subscription: there is no subscription \(subscription)",
        field: "subscription",
        path: "/subscription"
      )
    }
    call.responder?.succeed(.null)
  }
}

/// The parameters of a method that is followed.
struct LiveParameters: CommandValue {
  private(set) var members: [JSON.Member] = []

  init() {}

  init(word: String) throws(ValueError) { throw ValueError("expected an object") }

  init(json: JSON) throws(ValueError) {
    guard case .object(let members) = json else {
      throw ValueError("expected an object, found \(json.kind)")
    }
    self.members = members
  }

  static var shape: ValueShape { ValueShape("PARAMS", schema: ["type": "object"]) }
}

extension Command {
  /// Whether it has the option to go on.
  fileprivate static var goesOn: Bool { command.flags.containsText("--follow") }
}

/// The lists that a session follows.
final class LiveFeed: Sendable {
  private struct Live {
    let run: CommandRun
    /// Begins it anew.
    let again: @Sendable () -> Void
    var responder: Responder?
    /// Whether rows were told.
    var hasBegun = false
    /// Whether it was ended for the time being, as the client does not read.
    var isPaused = false
  }

  private struct State {
    var lives: [Int: Live] = [:]
    var last = 0
    var isListening = false
    /// Whether the session has ended.
    var isOver = false
  }

  private let state = Locked(State())

  /// Begins to follow a command; the answer has the number of the subscription.
  func begin<C: Command>(
    _ type: C.Type,
    _ parameters: [JSON.Member],
    _ responder: Responder,
    _ session: Session
  ) {
    let number: Int? = state.withLock { state in
      guard state.lives.count < EventFeed.mostSubscriptions else { return nil }
      state.last += 1
      return state.last
    }
    guard let number else {
      let problem = "A session has at most \(EventFeed.mostSubscriptions) subscriptions."
      return responder.fail(RPCError(RPCError.requestFailed, problem))
    }
    start(number, type, parameters, responder, session)
  }

  /// Starts a subscription, on the home thread: there the conversation is known before its first lines.
  private func start<C: Command>(
    _ number: Int,
    _ type: C.Type,
    _ parameters: [JSON.Member],
    _ responder: Responder?,
    _ session: Session,
    inPlaceOf earlier: CommandRun? = nil
  ) {
    let run = CommandRun(
      sender: session.port,
      Rendering(isJSON: true),
      saysYes: true,
      mayFollow: true
    )
    let again: @Sendable () -> Void = { [weak self, weak session] in
      guard let session else { return }
      // From a change that there is not: all rows are told anew.
      var later = parameters.filter { $0.name != "from" }
      later.append(JSON.Member("from", .integer(.max)))
      self?.start(number, type, later, nil, session, inPlaceOf: run)
    }
    let isListening: Bool? = state.withLock { state in
      guard !state.isOver, state.lives[number]?.run === earlier else { return nil }
      state.lives[number] = Live(run: run, again: again, responder: responder)
      defer { state.isListening = true }
      return state.isListening
    }
    guard let isListening else {
      responder?.fail(RPCError(Failure(Interruption.cancelled)))
      return
    }
    session.port.afterQueued { [self, weak session] in
      guard let session, state.withLock({ $0.lives[number]?.run === run }) else { return }
      if !isListening { listen(session) }
      guard let command = try? C.read(parameters: .object(parameters)) else { return }
      run.begin(command) { [self] ending in
        let known = state.withLock { state -> Live? in
          guard state.lives[number]?.run === run, state.lives[number]?.isPaused == false else {
            return nil
          }
          return state.lives.removeValue(forKey: number)
        }
        guard case .failed(let failure) = ending, let known else { return }
        if let responder = known.responder { return responder.fail(RPCError(failure)) }
        // It can't go on.
        session.notifier.send(RPCMessage.notice(failure, .error))
      }
    }
  }

  /// Ends a subscription.
  ///
  /// - Returns: Whether there was one.
  func end(_ number: Int) -> Bool {
    let known = state.withLock { $0.lives.removeValue(forKey: number) }
    known?.run.cancel()
    known?.responder?.fail(RPCError(Failure(Interruption.cancelled)))
    return known != nil
  }

  /// Ends all, with the session.
  func end() {
    let all = state.withLock { state in
      defer { (state.lives, state.isOver) = ([:], true) }
      return state.lives.sorted { $0.key < $1.key }
    }
    for (_, live) in all {
      live.run.cancel()
      live.responder?.fail(RPCError(Failure(Interruption.cancelled)))
    }
  }

  private func listen(_ session: Session) {
    session.port.on(ResponseFollowedLines.self, owner: session) { [self] session, event, _ in
      take(event, session)
    }
  }

  private func take(_ event: ResponseFollowedLines, _ session: Session) {
    let found = state.withLock { state -> (number: Int, live: Live)? in
      let known = state.lives.first { $0.value.run.conversation?.root == event.root }
      guard let (number, live) = known, !live.isPaused else { return nil }
      state.lives[number]?.responder = nil
      return (number, live)
    }
    guard let (number, live) = found else { return }
    if let responder = live.responder {
      var json = JSONWriter()
      json.object { $0.member("subscription", number) }
      responder.succeed(json.bytes)
    }
    // A client that does not read is told all rows once it reads.
    if live.hasBegun, !session.peer.hasRoom {
      state.withLock { $0.lives[number]?.isPaused = true }
      live.run.cancel()
      return session.peer.whenRead { [self] in
        guard state.withLock({ $0.lives[number]?.run === live.run }) else { return }
        live.again()
      }
    }
    state.withLock { $0.lives[number]?.hasBegun = true }
    session.notifier.send(
      RPCMessage.notification("live/changed") { json in
        json.member("subscription", number)
        json.key("changes")
        json.array { json in
          for line in event.lines { json.value(text: Array(line.utf8)) }
        }
      }
    )
  }
}
