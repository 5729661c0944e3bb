public import EventCommands
public import EventMVVM
public import EventRPC
import EventValues
import JSONText

/// One conversation with a client, from its first byte to its end.
public final class Session: Sendable {
  let catalogue: Catalogue
  let options: SessionOptions
  let port: ViewPort
  let peer: RPCPeer
  let notifier: Notifier
  let calls = RunningCalls()
  let sequence: CallSequence
  let states = StateWatches()
  let lives = LiveFeed()
  let events: EventFeed
  private let changes: ChangeReporter
  let methods: [String: Method]
  private let state: Locked<State>

  /// The phase of the conversation.
  private enum Phase { case new, running, shutDown }

  private struct State {
    var phase = Phase.new
    var isReady = false
    /// Whether the client shows questions to a person.
    var canAsk = false
    var client: ClientProcess?
    /// The former names of methods of which the client was notified.
    var told: [String] = []
  }

  /// The action of a method.
  enum Method: Sendable {
    case command(any Command.Type)
    /// A command by a former name; with its present name.
    case renamed(any Command.Type, to: String)
    case server(any ServerMethod.Type)
  }

  /// Creates a session; it begins with the client's first request.
  ///
  /// - Parameters:
  ///   - catalogue: The commands and the other declarations.
  ///   - options: Reports and default answers.
  ///   - port: The session's port, for its requests.
  ///   - peer: The connection to the client.
  ///   - source: The source of its events, if several sessions share one.
  public init(
    _ catalogue: Catalogue,
    _ options: SessionOptions,
    _ port: ViewPort,
    _ peer: RPCPeer,
    _ source: EventSource? = nil
  ) {
    self.catalogue = catalogue
    self.options = options
    self.port = port
    self.peer = peer
    let notifier = Notifier(peer)
    self.notifier = notifier
    methods = Self.methods(of: catalogue)
    sequence = CallSequence(hasRoom: { peer.hasRoom }, whenRead: { peer.whenRead($0) })
    events = EventFeed(
      source ?? EventSource(catalogue, port),
      notifier,
      maxQueuedEvents: options.maxQueuedEvents
    )
    changes = ChangeReporter(notifier) { [states] in states.ask() }
    state = Locked(State(client: options.clientProcess.flatMap(ClientProcess.init)))
    if options.tellsEarlierChanges { listenToChanges() }
  }

  private static func methods(of catalogue: Catalogue) -> [String: Method] {
    var methods: [String: Method] = [:]
    for method in serverMethods { methods[method.name] = .server(method) }
    for command in catalogue.commands + catalogue.screenCommands {
      let name = catalogue.method(of: command)
      methods[name] = .command(command)
      if let former = catalogue.formerMethod(of: command) {
        methods[former] = .renamed(command, to: name)
      }
    }
    return methods
  }

  /// Whether the client's process is running, as far as is known.
  package var hasClient: Bool { state.withLock { $0.client }?.isRunning ?? true }

  /// Whether the client has requested the end, and still waits for earlier answers.
  package var isShutDown: Bool { state.withLock { $0.phase } == .shutDown }

  /// The exit status of the process where everything was answered: a client that has not requested
  /// the end has ended by accident.
  public var exitStatus: ExitStatus {
    state.withLock { $0.phase } == .shutDown ? .success : .failed
  }

  /// Whether the client shows the questions of commands to a person.
  var canAsk: Bool { state.withLock { $0.canAsk } }

  /// Whether the client has begun the session.
  package var hasBegun: Bool { state.withLock { $0.phase } != .new }

  /// Whether the client has reported that it is ready.
  package var isReady: Bool { state.withLock { $0.isReady } }

  /// Notes that the client is ready.
  func noteReady() {
    state.withLock { $0.isReady = true }
  }

  /// Whether the client has subscribed to anything.
  package var hasSubscribed: Bool { events.isUpToDate != nil || !states.isEmpty }

  /// Whether the client was sent all answers and notifications so far.
  package var isUpToDate: Bool {
    calls.isIdle && changes.isIdle && states.isIdle && events.isUpToDate != false && !peer.isBehind
  }

  /// Sends everything as soon as possible, without further delays.
  package func hurry() { states.hurry() }

  /// Where subscriptions resume in another session with the same client; nil if it had none.
  package var resumePoints: EventPositions? {
    events.resumePoints(after: options.resumePoints ?? EventPositions(from: 1))
  }

  /// Sends notifications of changes and troubles from now on.
  private func listen() {
    if !options.tellsEarlierChanges { listenToChanges() }
    changes.begin()
    let wire = catalogue.wire
    for notice in wire.notices { listen(to: notice) }
    for notice in wire.sessionNotices { listen(to: notice) }
  }

  /// Notes that a command waits for a person, or no longer: others pass it meanwhile, and
  /// the end of the session cancels it.
  func note(_ root: Root, isWaiting: Bool) {
    guard let turn = calls.note(root, isWaiting: isWaiting), isWaiting else { return }
    sequence.pass(turn)
    if isShutDown { calls.cancelWaiting() }
  }

  private func listenToChanges() {
    for change in catalogue.wire.changes { changes.listen(to: change, port) }
  }

  private func listen<N: TroubleNotice>(to type: N.Type) {
    port.on(type, owner: self) { session, notice, _ in
      session.notifier.send(RPCMessage.notice(notice.failure, notice.level))
    }
  }

  private func listen<N: SessionNotice>(to type: N.Type) {
    port.on(type, owner: self) { session, notice, turn in
      // Also for the person of another session.
      if let isWaiting = notice.waitsForPerson { session.note(turn.root, isWaiting: isWaiting) }
      guard notice.session == session.port.origin else { return }
      session.notifier.send(
        RPCMessage.notification(N.notification) { notice.writeParameters(to: &$0) }
      )
    }
  }

  // MARK: Serving

  /// Reads the client's messages until it has ended, and sends the pending answers.
  ///
  /// A client that closes the connection gets no more answers. One that has requested the end still
  /// gets its earlier answers; none of them takes longer than the wait for a locked store.
  ///
  /// - Parameter seconds: The limit for the client to begin the session; nil for none.
  /// - Returns: Whether everything was answered.
  public func serve(beginningWithin seconds: Int? = nil) -> Bool {
    let limit = seconds.map { ContinuousClock.now.advanced(by: .seconds($0)) }
    defer { lives.end() }
    peer.listen(
      while: { hasClient && (hasBegun || limit.map { ContinuousClock.now < $0 } ?? true) },
      take
    )
    let isOwed = isShutDown && hasClient
    return peer.settle(within: isOwed ? 10 : 1.5, isPatient: isOwed) { hasClient }
  }

  /// Ends the session at the end of the process, and notifies the client by `session/closed`.
  public func close(_ reason: String) {
    notifier.send(RPCMessage.notification("session/closed") { $0.member("reason", reason) })
    peer.end()
  }

  // MARK: Calls

  /// Handles the next call, on the thread that reads.
  package func take(_ call: IncomingCall) {
    switch (call.method, state.withLock { $0.phase }) {
    case ("exit", _) where call.responder == nil: return peer.end()
    case ("initialize", .new): return initialize(call)
    case ("initialize", .running): return refuse(call, "The session is initialized already.")
    case (_, .new):
      let problem = "The first request is 'initialize'."
      call.responder?.fail(RPCError(RPCError.notInitialized, problem))
      return
    case (_, .shutDown):
      // What was asked before is answered before.
      return calls.whenIdle { [self] in
        refuse(call, "The session is shut down; only 'exit' is left.")
      }
    case (_, .running): break
    }
    switch call.method.mayBeName ? methods[call.method] : nil {
    case .command(let command)?: run(command, call)
    case .renamed(let command, let name)?:
      tellOnce(that: call.method, isNow: name)
      run(command, call)
    case .server(let method)?: method.serve(call, self)
    case nil:
      call.responder?
        .fail(RPCError(RPCError.methodNotFound, "There is no method '\(call.method.quotable)'."))
    }
  }

  /// Answers that a request is not allowed now.
  func refuse(_ call: IncomingCall, _ problem: String) {
    call.responder?.fail(RPCError(RPCError.invalidRequest, problem))
  }

  /// Notifies the client once that it uses a former name of a method.
  private func tellOnce(that former: String, isNow name: String) {
    let isNew = state.withLock { state in
      guard !state.told.containsText(former) else { return false }
      state.told.append(former)
      return true
    }
    guard isNew else { return }
    let advice = "'\(former)' is called '\(name)' now; the former name goes with version 1.0."
    notifier.send(RPCMessage.notice(Failure(.usage, advice), .warning))
  }

  // MARK: Lifecycle

  private func initialize(_ call: IncomingCall) {
    guard let responder = call.responder else { return }
    do throws(CommandError) {
      let params = try Initialize(call.params)
      let client = params.processId.flatMap(ClientProcess.init)
      state.withLock { state in
        state.phase = .running
        state.canAsk = params.asks
        if let client { state.client = client }
      }
      responder.succeed(welcome)
      listen()
      if let notice = options.notice { notifier.send(RPCMessage.notice(notice, .warning)) }
    } catch {
      responder.fail(RPCError(error))
    }
  }

  /// Answers all earlier requests first.
  func shutDown(_ call: IncomingCall) {
    guard let responder = call.responder else { return }
    state.withLock { $0.phase = .shutDown }
    notifier.end()
    calls.cancelWaiting()
    calls.whenIdle { responder.succeed(.null) }
  }

  /// The description of the server.
  private var welcome: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("capabilities")
      json.object { json in
        json.key("methods")
        json.array { json in
          for method in methods.keys.sorted() { json.value(method) }
        }
        json.key("events")
        json.array { json in
          for type in events.types.names { json.value(type) }
        }
        json.key("states")
        json.array { json in
          for state in catalogue.wire.stateSummaries { json.value(state.name) }
        }
      }
      json.key("serverInfo")
      json.object { json in
        json.member("name", options.program)
        json.member("version", options.version)
      }
    }
    return json.bytes
  }
}
