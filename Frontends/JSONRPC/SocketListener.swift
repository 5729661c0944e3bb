import Dispatch
public import EventCommands
import EventMVVM
import EventRPC
import EventServing
import Foundation
import Platform

/// Serves further clients beside the frontend of a session: each that connects to a Unix socket has a
/// JSON-RPC session of its own on the same stream.
///
/// It listens where `--listen` asks for it, in a session that lasts. A client has screens, names and
/// undo of its own, as it is an origin of its own; its `exit` or the end of its input ends its
/// session, and not the process. A client that hangs, floods or dies harms no other: each has a
/// thread that reads, and what is written for it waits in an outbox of its own.
public final class SocketListener: ProgramFrontend {
  /// Its name among the frontends.
  public let name = "sockets"
  /// How many clients there are at most, at a time.
  static let mostClients = 64
  /// Why sessions end, as clients are told.
  private static let reason = "The process ends."

  private struct State {
    var place = SocketPlace.nowhere
    var socket: ListeningSocket?
    var source: EventSource?
    var clients: [Int: SocketClient] = [:]
    /// How many clients there are, those included that are about to be served.
    var count = 0
    /// The number of the last client.
    var last = 0
    var isEnding = false
    /// Whether it listens only if it can.
    var yields = false
    var problem: String?
  }

  private let state = Locked(State())
  private let keys = IdempotencyKeys()
  /// Entered by each client, and by the thread that waits for them.
  private let running = DispatchGroup()

  /// Listens nowhere yet.
  public init() {}

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(SocketOptions.spec, SocketOptions(), forSessions: true) { [self] options in
      state.withLock { $0.place = options.listen }
    }
  }

  /// Where it is asked to listen.
  var place: SocketPlace { state.withLock { $0.place } }

  /// Has it serve nobody where it can't listen, instead of ending the process.
  func yield() { state.withLock { $0.yields = true } }

  /// Why it does not listen though it was asked to.
  var problem: String? { state.withLock { $0.problem } }

  /// Makes the socket before anything else is begun: where it can't be, nothing is.
  public func prepare(_ session: ProcessSession) throws {
    let place = state.withLock { $0.place }
    guard place != .nowhere else { return }
    guard session.isLasting else {
      throw Failure(.usage, "--listen is for a session that lasts: the REPL, or 'serve'.")
    }
    do throws(Failure) {
      let path = try place.path(session, for: SocketOptions.flag, makesFolder: true)
      let socket = try ListeningSocket(at: path)
      state.withLock { $0.socket = socket }
    } catch {
      guard state.withLock({ $0.yields }) else { throw error }
      state.withLock { $0.problem = "It does not listen: \(error.message)" }
    }
  }

  /// Begins to listen, where it is asked to.
  public func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws {
    guard let socket = state.withLock({ $0.socket }) else { return }
    let source = EventSource(session.catalogue, ports(name), .background)
    state.withLock { $0.source = source }
    running.enter()
    let isStarted = startThread { [self] in
      while let descriptor = socket.accept() { serve(descriptor, ports, source, session) }
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

  /// Ends the clients' sessions: each is sent what happened until now, and told why.
  ///
  /// One that does not read is left: the end of a server is not to wait for it.
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
    // Without a descriptor to spare there is none, and the other end finds its connection closed.
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
  /// How long one may take to begin its session, in seconds: who only connects uses up a place.
  private static let longestSilence = 30

  /// Nil if the process may open no further files; the descriptor is closed then.
  init?(
    _ descriptor: Int32,
    _ port: ViewPort,
    _ source: EventSource,
    _ catalogue: Catalogue,
    _ options: SessionOptions
  ) {
    // The process is somebody's: what waits for a client that does not read is less than `serve`
    // keeps for the one that started it.
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

  /// Serves it to its end; then what is kept for it alone is released.
  func run() {
    _ = session.serve(beginningWithin: Self.longestSilence)
    shutdown(descriptor, Int32(SHUT_RDWR))
    port.end()
  }

  /// Tells it why the session ends, and ends it.
  func close(_ reason: String) { session.close(reason) }
}
