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

/// Everything that a process is made of, on one screen.
struct Composition {
  let application: Application
  let catalogue: Catalogue
  let context: AppContext
  /// Those of the plugins that have joined.
  let plugins: [OptionalPlugin]
  /// What plugins get to know of the session.
  let session: ProcessSession
  /// Takes the recorded external changes, in a replay.
  let applyExternal: ((JSON, any ValueReader) throws -> Void)?
  /// The types of the servers' answers that come from outside; see ``Servers/inputs``.
  private let answers: () -> [any (Event & Decodable).Type]

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
    plugins = invocation.plugins
    var environment = Environment()
    session = ProcessSession(invocation, store: place.path)
    let recordings = try plugins.prepare(session, &environment)
    // In a session of a person the stream has a thread of its own, and external changes are
    // watched.
    context = AppContext(
      home: isInteractive ? .ownThread : .thisThread,
      environment: environment
    )
    guard !context.stream.isStopped else { throw Failure.noThread }
    applyExternal = nil
    let servers = try application.domain.servers(
      ServerConfiguration(
        domain: application.domain,
        path: place.path,
        makesFolders: place.isDefault,
        isInteractive: isInteractive,
        session: environment.session,
        purpose: recordings.isEmpty
          ? .use : .recording { for recording in recordings { recording.note(external: $0) } }
      )
    )
    answers = servers.inputs
    try context.gather {
      add(servers, isInteractive)
      for recording in recordings { recording.begin(with: servers.image) }
      for plugin in plugins { context.add(plugin.plugin) }
      try context.check(catalogue, hasScreens: isInteractive)
    }
  }

  /// Puts everyone together for a replay, with a store of its own.
  init(_ application: Application, _ setup: ReplaySetup, store: String) throws {
    guard canStartThreads(Self.threads.short) else { throw Failure.noThread }
    self.application = application
    plugins = try application.plugins.named(setup.plugins)
    for plugin in plugins { plugin.program?.isolate() }
    catalogue = application.catalogue(plugins)
    session = ProcessSession(
      application.program.name,
      version: application.program.version,
      catalogue
    )
    context = AppContext(environment: setup.environment)
    let servers = try application.domain.servers(
      ServerConfiguration(
        domain: application.domain,
        path: store,
        makesFolders: false,
        isInteractive: setup.isLasting,
        session: setup.environment.session,
        purpose: .replaying
      )
    )
    applyExternal = servers.applyExternal
    answers = servers.inputs
    add(servers, setup.isLasting)
    for plugin in plugins { context.add(plugin.plugin) }
    guard let image = setup.image, try !servers.restore(image) else { return }
    let isWritten = FileManager.default.createFile(
      atPath: store,
      contents: Data(image),
      attributes: [.posixPermissions: 0o600]
    )
    guard isWritten else { throw Failure(.store, "\(store): can't be written") }
  }

  /// The types of what can come from outside.
  var inputs: [any (Event & Decodable).Type] {
    let asked: [any Event.Type] =
      catalogue.commands + catalogue.screenCommands + catalogue.statuses + catalogue.wire.states
    return asked.compactMap { $0 as? any (Event & Decodable).Type }
      + [
        RequestSubjectCandidates.self, RequestScreens.self, ResponseUnanswered.self,
        ResponseSessionEnd.self,
      ]
      + plugins.flatMap { $0.program?.inputs ?? [] } + answers() + application.domain.inputs
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
