import Batch
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import JSONRPC
import JSONText
import EventServing
import Foundation
import Platform
import REPL
import SessionRecorder

/// Everything that a process is made of, on one screen.
struct Composition {
  let application: Application
  let catalogue: Catalogue
  let context: AppContext
  /// Those of the plugins that have joined.
  let plugins: [OptionalPlugin]
  /// Who records, if anybody does.
  let recorder: SessionRecorder?
  /// Takes the recorded external changes, in a replay.
  let applyExternal: ((JSON, BodyDecoder) throws -> Void)?
  /// The types of the servers' answers that come from outside; see ``Servers/inputs``.
  let answers: () -> [any (Event & Decodable).Type]
  /// Restores the store of a replay; see ``Servers/restore``.
  private let restore: ([UInt8]) throws -> Bool

  /// How many threads the system must have to spare: one closes the store's file, the others
  /// deliver, watch, write, keep time, and answer what takes long.
  private static let threads = (short: 1, lasting: 6)

  /// Puts everyone together for what was asked of the process.
  init(_ invocation: Invocation) throws {
    let place = try invocation.application.paths.store(invocation.options.store)
    let isInteractive = invocation.mode.isInteractive
    let threads = isInteractive ? Self.threads.lasting : Self.threads.short
    guard canStartThreads(threads) else { throw Failure.noThread }
    application = invocation.application
    catalogue = invocation.catalogue
    var environment = Environment()
    (recorder, plugins) = try invocation.beginRecording(&environment, excluding: place.path)
    // In a session of a person the stream has a thread of its own, and external changes are
    // watched.
    context = AppContext(
      home: isInteractive ? .ownThread : .thisThread,
      environment: environment
    )
    guard !context.stream.isStopped else { throw Failure.noThread }
    (applyExternal, restore) = (nil, { _ in false })
    let servers = try application.domain.servers(
      ServerConfiguration(
        domain: application.domain,
        path: place.path,
        makesFolders: place.isDefault,
        isInteractive: isInteractive,
        session: environment.session,
        purpose: recorder.map { recorder in .recording { recorder.note(outside: $0) } } ?? .use
      )
    )
    answers = servers.inputs
    try context.gather {
      add(servers, isInteractive)
      recorder?.keep(startingState: servers.image)
      for plugin in plugins { context.add(plugin.plugin) }
      try context.check(catalogue, hasScreens: isInteractive)
    }
  }

  /// Puts everyone together round a recording, in its environment, with a store of its own.
  init(
    _ application: Application,
    _ recording: Recording,
    _ recorded: RecordedEnvironment,
    store: String
  )
    throws
  {
    guard canStartThreads(Self.threads.short) else { throw Failure.noThread }
    let header = recording.header
    self.application = application
    plugins = try application.plugins(figures: nil).named(header.plugins)
    catalogue = application.catalogue(plugins)
    context = AppContext(environment: recorded.environment)
    recorder = nil
    let servers = try application.domain.servers(
      ServerConfiguration(
        domain: application.domain,
        path: store,
        makesFolders: false,
        isInteractive: header.isInteractive,
        session: recorded.environment.session,
        purpose: .replaying
      )
    )
    (applyExternal, restore) = (servers.applyExternal, servers.restore)
    answers = servers.inputs
    add(servers, header.isInteractive)
    for plugin in plugins { context.add(plugin.plugin) }
  }

  /// Restores the store of a replay, before the first event.
  ///
  /// - Parameters:
  ///   - state: The starting state that the recording contains.
  ///   - path: The path of the replay's store.
  /// - Throws: The reason why the state can't be read, or the store can't be written.
  func restore(_ state: [UInt8], to path: String) throws {
    guard try !restore(state) else { return }
    let isWritten = FileManager.default.createFile(
      atPath: path,
      contents: Data(state),
      attributes: [.posixPermissions: 0o600]
    )
    guard isWritten else { throw Failure(.store, "\(path): can't be written") }
  }

  private func add(_ servers: Servers, _ isInteractive: Bool) {
    for server in servers.plugins { context.add(server) }
    context.add(CatalogueServer(catalogue) { [weak context] in context?.memberNames ?? [] })
    if isInteractive { context.add(Navigator(application.domain.coordinators)) }
  }

  /// The frontend of a person at a terminal; nil if the terminal can't show it.
  static func repl(
    _ invocation: Invocation,
    opening: RequestOpen?,
    _ batch: BatchOptions
  ) -> REPLFrontend? {
    let paths = invocation.application.paths
    var options = REPLOptions(program: invocation.application.program.name)
    options.opening = opening
    options.rendering.isJSON = batch.isJSON
    options.rendering.hasColor = batch.hasColor
    options.rendering.isQuiet = batch.isQuiet
    options.saysYes = batch.saysYes
    options.historyPath = paths.history
    options.startupPath = invocation.options.noStartup ? nil : paths.startup
    return REPLFrontend(invocation.catalogue, options)
  }

  /// The frontend of an editor or a program.
  static func server(
    _ invocation: Invocation,
    _ batch: BatchOptions,
    _ arguments: ServeArguments
  ) -> JSONRPCFrontend {
    let program = invocation.application.program
    var options = SessionOptions(program: program.name, version: program.version)
    options.saysYes = batch.saysYes
    options.clientProcess = arguments.clientProcessId
    return JSONRPCFrontend(invocation.catalogue, options)
  }

  /// The frontend that does what was asked for.
  func frontend(for job: BatchFrontend.Job, _ options: BatchOptions) -> BatchFrontend {
    // To look for none where there can't be any spares a process a hundredth of its work.
    let notices = application.domain.records.isEmpty ? [] : RecordServer.notices
    switch job {
    case .command: return BatchFrontend("cli", catalogue, options, job, notices: notices)
    case .scripts: return BatchFrontend("batch", catalogue, options, job, notices: notices)
    }
  }
}
