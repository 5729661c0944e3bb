import Dispatch
public import EventCommands
import EventMVVM
import EventRPC
import EventServing
import Foundation
import Platform

/// Serves more clients in addition to the frontend of a session: each that connects to a Unix
/// socket has a JSON-RPC session of its own on the same stream.
///
/// It listens where `--listen` requests it, in a lasting session. A client has its own screens,
/// names and undo, as it is an origin of its own; its `exit` or the end of its input ends its
/// session, and not the process. A client that hangs, floods or dies affects no other: each has its
/// own thread that reads, and output for it waits in its own outbox.
public final class SocketListener: ProgramFrontend {
  /// Its name among the frontends.
  public let name = "sockets"
  /// The most clients at a time.
  static let mostClients = 64
  /// The reason for the end of sessions, for clients.
  private static let reason = "The process ends."

  private struct State {
    var place = SocketPlace.nowhere
    var socket: ListeningSocket?
    var source: EventSource?
    var clients: [Int: SocketClient] = [:]
    /// The number of clients, including those that are about to be served.
    var count = 0
    /// The number of the last client.
    var last = 0
    var isEnding = false
    /// Whether it starts even if it can't listen.
    var yields = false
    var problem: String?
  }

  private let state = Locked(State())
  private let keys = IdempotencyKeys()
  /// Entered by each client, and by the thread that accepts them.
  private let running = DispatchGroup()

  /// Creates a listener without a socket.
  public init() {}

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(SocketOptions.spec, SocketOptions(), forSessions: true) { [self] options in
      state.withLock { $0.place = options.listen }
    }
  }

  /// The requested location of the socket.
  var place: SocketPlace { state.withLock { $0.place } }

  /// Makes it serve no clients where it can't listen, instead of ending the process.
  func yield() { state.withLock { $0.yields = true } }

  /// Why it does not listen, although requested.
  var problem: String? { state.withLock { $0.problem } }

  /// Creates the socket before the session begins: if that fails, the session does not begin.
  public func prepare(_ session: ProcessSession) throws {
    let place = state.withLock { $0.place }
    guard place != .nowhere else { return }
    // What the configuration file says holds where it can.
    let isAsked = session.givenFlags.contains(SocketOptions.flag)
    guard session.isLasting || isAsked else { return }
    guard session.isLasting else {
      throw Failure(.usage, "--listen is for a session that lasts: the REPL, or 'serve'.")
    }
    do throws(Failure) {
      let path = try place.path(session, for: SocketOptions.flag, makesFolder: true)
      let socket = try ListeningSocket(at: path)
      state.withLock { $0.socket = socket }
    } catch {
      guard !isAsked || state.withLock({ $0.yields }) else { throw error }
      state.withLock { $0.problem = "It does not listen: \(error.message)" }
    }
  }

  /// Begins to listen, if requested.
  public func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws {
    guard let socket = state.withLock({ $0.socket }) else { return }
    let source = EventSource(session.catalogue, ports(name), .background)
    state.withLock { $0.source = source }
    running.enter()
    let isStarted = startThread { [self] in
      // A user who connects again and again is reported once.
      var refused: Set<uid_t?> = []
      while let descriptor = socket.accept({ user in
        if refused.insert(user).inserted { session.remark(Self.refusal(of: user, socket.path)) }
      }) {
        serve(descriptor, ports, source, session)
      }
      running.leave()
    }
    guard isStarted else {
      running.leave()
      socket.end()
      throw Failure.noThread
    }
    if case .ofStore = state.withLock({ $0.place }) {
      session.remark("Listening on \(socket.path)")
    }
  }

  /// Ends the clients' sessions: each is sent the remaining events, and the reason.
  ///
  /// One that does not read is abandoned: the end of a server must not wait for it.
  public func finish(_ session: ProcessSession) {
    let (socket, source, clients) = state.withLock { state in
      state.isEnding = true
      return (state.socket, state.source, state.clients.values)
    }
    guard let socket else { return }
    socket.end()
    source?.settle()
    for client in clients { client.close(Self.reason) }
    _ = running.wait(timeout: .now() + 0.4)
  }

  // MARK: Clients

  /// Says that a program was refused, and what keeps it from the socket at all.
  private static func refusal(of user: uid_t?, _ path: String) -> String {
    let owner = user.map { "user \($0)" } ?? "an unknown user"
    return "warning: \(path): a program of \(owner) was refused; "
      + "'chmod 600' of the socket keeps other users out."
  }

  private func serve(
    _ descriptor: Int32,
    _ ports: SessionPorts,
    _ source: EventSource,
    _ session: ProcessSession
  ) {
    let number: Int? = state.withLock { state in
      guard state.count < Self.mostClients, !state.isEnding else { return nil }
      state.count += 1
      state.last += 1
      return state.last
    }
    let leave: @Sendable () -> Void = { [self] in state.withLock { $0.count -= 1 } }
    guard let number else {
      close(descriptor)
      return
    }
    var options = SessionOptions(session)
    options.keys = keys
    let client = SocketClient(
      descriptor,
      ports("socket \(number)"),
      source,
      session.catalogue,
      options
    )
    // Without a free descriptor there is none, and the other end finds its connection closed.
    guard let client else { return leave() }
    let isEnding = state.withLock { state in
      state.clients[number] = client
      return state.isEnding
    }
    if isEnding { client.close(Self.reason) }
    running.enter()
    let isStarted = startThread { [self] in
      client.run()
      state.withLock { $0.clients[number] = nil }
      leave()
      running.leave()
    }
    guard !isStarted else { return }
    state.withLock { $0.clients[number] = nil }
    leave()
    running.leave()
  }
}

/// A client that has connected.
final class SocketClient: Sendable {
  private let descriptor: Int32
  private let port: ViewPort
  private let session: Session
  /// The limit for a client to begin its session, in seconds: an idle connection counts as a
  /// client.
  private static let longestSilence = 30

  /// Nil if the process can open no more files; the descriptor is closed then.
  init?(
    _ descriptor: Int32,
    _ port: ViewPort,
    _ source: EventSource,
    _ catalogue: Catalogue,
    _ options: SessionOptions
  ) {
    // The process does not belong to this client: less output waits for a client that does not read
    // than `serve` stores for the one that started it.
    var limits = RPCLimits()
    limits.calls = 1024
    limits.waiting = 16_777_216
    guard let peer = RPCPeer(input: descriptor, output: descriptor, limits: limits) else {
      Foundation.close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.port = port
    session = Session(catalogue, options, port, peer, source)
  }

  deinit { Foundation.close(descriptor) }

  /// Serves it to its end; then releases its session's state.
  func run() {
    _ = session.serve(beginningWithin: Self.longestSilence)
    shutdown(descriptor, Int32(SHUT_RDWR))
    port.end()
  }

  /// Notifies it of the reason, and ends its session.
  func close(_ reason: String) { session.close(reason) }
}
