import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues
import JSONText
import Foundation
import Platform

/// The composition root: all parts of a process.
struct Composition {
  let application: Application
  let catalogue: Catalogue
  let context: AppContext
  /// The plugins that have joined.
  let plugins: [OptionalPlugin]
  /// The session, for plugins.
  let session: ProcessSession
  /// Applies the recorded external changes, in a replay.
  let applyExternal: ((JSON, any ValueReader) throws -> Void)?
  /// The inputs that the server of records sends without being asked.
  private let inputsOfRecords: () -> [any (Event & Decodable).Type]

  /// Composes a session of the process, with what prints a sentence for a single command or script.
  init(
    _ invocation: Invocation,
    _ kind: ProcessSession.Kind,
    _ remark: @escaping @Sendable (_ sentence: String) -> Void = { _ in }
  ) throws {
    try invocation.application.checkEngines(files: false)
    let place = try invocation.store
    session = ProcessSession(
      invocation,
      kind,
      store: place.name
    )
    let isInteractive = session.isLasting
    application = invocation.application
    catalogue = invocation.catalogue
    plugins = invocation.plugins
    #if DEBUG
      let clashes = application.clashes(plugins)
      guard clashes.isEmpty else { throw ConfigurationError(problems: clashes) }
    #endif
    var environment = Environment(zone: .current)
    let recordings = try plugins.prepare(session, &environment)
    // In a lasting session the stream has a thread of its own, and external changes are watched.
    context = AppContext(
      home: isInteractive ? .ownThread : .thisThread,
      environment: environment
    )
    guard !context.stream.isStopped else { throw Failure.noThread }
    applyExternal = nil
    var configuration = ServerConfiguration(
      application: application,
      path: place.path,
      makesFolders: place.isDefault,
      isInteractive: isInteractive,
      session: environment.session,
      purpose: recordings.isEmpty
        ? .use : .recording { for recording in recordings { recording.note(external: $0) } }
    )
    if !isInteractive { configuration.remark = remark }
    let servers = try application.domain.servers(configuration)
    inputsOfRecords = servers.inputs
    try context.gather {
      add(servers, isInteractive)
      for recording in recordings { recording.begin(with: servers.image) }
      for plugin in plugins { context.add(plugin.plugin) }
      try context.check(catalogue, hasScreens: isInteractive)
    }
  }

  /// Composes a replay, with a store of its own.
  init(_ application: Application, _ setup: ReplaySetup, store: String) throws {
    try SpareResources.check(isLasting: false)
    try application.checkEngines(files: true)
    self.application = application
    // Some frontends were plugins when the session was recorded.
    let frontends = application.frontends.map(\.name)
    let known = application.plugins
    plugins = try known.named(
      setup.plugins.filter { name in
        known.contains { $0.name.isIdentical(to: name) } || !frontends.containsText(name)
      }
    )
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
        application: application,
        path: store,
        makesFolders: false,
        isInteractive: setup.isLasting,
        session: setup.environment.session,
        purpose: .replaying
      )
    )
    applyExternal = servers.applyExternal
    inputsOfRecords = servers.inputs
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

  /// The types of all inputs: what parts ask, answer, observe or show.
  var inputs: [any (Event & Decodable).Type] {
    let wire = catalogue.wire
    var known = context.stream.knownEvents + catalogue.announcements + catalogue.screenCommands
    known += wire.changes.map { $0 } + wire.notices + wire.sessionNotices + wire.events
    return known.compactMap { $0 as? any (Event & Decodable).Type } + inputsOfRecords()
      + application.domain.inputs + [ResponseUnanswered.self, ResponseSessionEnd.self]
  }

  private func add(_ servers: Servers, _ isInteractive: Bool) {
    for server in servers.plugins { context.add(server) }
    context.add(Questions(canAsk: isInteractive))
    context.add(CatalogueServer(catalogue) { [weak context] in context?.memberNames ?? [] })
    if isInteractive { context.add(Navigator(application.domain.coordinators)) }
  }
}
