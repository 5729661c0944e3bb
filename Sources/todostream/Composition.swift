import Analytics
import Batch
import Completion
import EventCommands
import EventMVVM
import EventPatterns
import EventServing
import ExternalObserver
import Foundation
import JSONRPC
import REPL
import SessionRecorder
import TodoModels
import TodoStore
import TodoViewModels
import Trace
import UndoHistory

/// Everything that the application is made of, on one screen.
struct Composition {
  /// The plugins that can be switched: a line is all that one needs.
  static var plugins: [OptionalPlugin] { plugins(figures: StorePath.figures) }

  /// The plugins, with the file that keeps figures.
  fileprivate static func plugins(figures: String?) -> [OptionalPlugin] {
    [
      .on(UndoHistory()),
      .on(TracePlugin()),
      .on(Analytics(path: figures, spool: StorePath.spool, ticks: ticks)),
      .on(ExternalObserver()),
      .on(SessionRecorder()),
    ]
  }

  /// Nanoseconds of a clock that never goes back.
  private static let ticks: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// What can be said to it.
  static func catalogue(_ plugins: [OptionalPlugin]) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(TodoDomain.storeGroup, TodoDomain.storeCommands)
    catalogue.add(announcements: TodoDomain.announcements)
    catalogue.add(status: TodoDomain.status)
    catalogue.add(wire: TodoDomain.wire)
    for plugin in plugins { plugin.addCommands(to: &catalogue) }
    catalogue.add(announcements: ExternalObserver.announcements)
    catalogue.add(wire: ExternalObserver.wire)
    catalogue.add(onScreen: nil, "in a REPL or an editor", Navigator.group, Navigator.commands)
    catalogue.add(wire: Wire(states: Navigator.states))
    TodoDomain.addScreens(to: &catalogue)
    catalogue.add("", CatalogueServer.commands)
    catalogue.add(RunArguments.spec)
    // By its name: a cast would search all conformances of the program.
    if plugins.contains(where: { $0.name.isIdentical(to: "recorder") }) {
      catalogue.add(ReplayArguments.spec)
    }
    catalogue.add(CompletionArguments.spec)
    catalogue.add(ServeArguments.spec)
    catalogue.add(processOptions: Invocation.spec)
    return catalogue
  }

  let catalogue: Catalogue
  let context: AppContext
  /// Those of the plugins that have joined.
  let plugins: [OptionalPlugin]
  /// Who records, if anybody does.
  let recorder: SessionRecorder?

  init(_ order: Order) throws {
    let place = try StorePath.resolve(order.invocation.store)
    let isInteractive = order.errand.isInteractive
    let plugins = order.invocation.record == nil ? order.plugins : order.plugins.withoutFigures
    self.plugins = plugins
    var environment = Environment()
    recorder = try order.invocation.record.map { path in
      try plugins.recorder(path, &environment, isInteractive: isInteractive)
    }
    let database = TodoDatabase(
      path: place.path,
      makesFolders: place.isDefault,
      isLasting: isInteractive
    )
    // Beside a person the stream has a thread of its own, and hears what other processes do.
    context = AppContext(
      home: isInteractive ? .ownThread : .thisThread,
      environment: environment
    )
    catalogue = order.catalogue
    let recorded = recorder.map { recorder in
      RecordedStore(database, besides: environment.session, readsAside: isInteractive) {
        recorder.note(outside: $0)
      }
    }
    let storage: any TodoStorage = recorded ?? database
    add(ModelServer(storage, for: isInteractive ? .frontends : .oneJob), isInteractive)
    if let recorded { recorder?.keep { try recorded.image() } }
    for plugin in plugins { context.add(plugin.plugin) }
    try context.check(catalogue, hasScreens: isInteractive)
  }

  /// Puts everyone together round a recording, in its world.
  init(
    _ recording: Recording,
    _ world: RecordedWorld,
    _ storage: any TodoStorage
  ) throws {
    let header = recording.header
    let plugins = try Composition.plugins(figures: nil).named(header.plugins)
    self.plugins = plugins
    recorder = nil
    catalogue = Composition.catalogue(plugins)
    context = AppContext(environment: world.environment)
    let server = ModelServer(
      storage,
      for: header.isInteractive ? .frontends : .oneJob,
      hearsOthers: false
    )
    add(server, header.isInteractive)
    for plugin in plugins { context.add(plugin.plugin) }
  }

  private func add(_ models: ModelServer, _ isInteractive: Bool) {
    context.add(models)
    context.add(ViewModelServer())
    context.add(CatalogueServer(catalogue) { [weak context] in context?.memberNames ?? [] })
    if isInteractive { context.add(Navigator([TodoCoordinator()])) }
  }

  /// The types of what can come from outside.
  var inputs: [any (Event & Decodable).Type] {
    let asked: [any Event.Type] =
      catalogue.commands + catalogue.screenCommands + catalogue.statuses + catalogue.wire.states
    return asked.compactMap { $0 as? any (Event & Decodable).Type }
      + [RequestSubjectCandidates.self, RequestScreens.self, ResponseUnanswered.self]
      + TodoDomain.inputs
  }

  /// The frontend of a person at a terminal; nil if the terminal can't show it.
  static func repl(
    _ order: Order,
    opening: RequestOpen?,
    _ batch: BatchOptions
  ) -> REPLFrontend? {
    var options = REPLOptions(program: Invocation.spec.name)
    options.opening = opening
    options.rendering.isJSON = batch.isJSON
    options.rendering.hasColor = batch.hasColor
    options.rendering.isQuiet = batch.isQuiet
    options.saysYes = batch.saysYes
    options.historyPath = StorePath.history
    options.startupPath = order.invocation.noStartup ? nil : StorePath.startup
    return REPLFrontend(order.catalogue, options)
  }

  /// The frontend of an editor or a program.
  static func server(
    _ catalogue: Catalogue,
    _ batch: BatchOptions,
    _ arguments: ServeArguments
  ) -> JSONRPCFrontend {
    var options = SessionOptions(program: Invocation.spec.name, version: Todostream.version)
    options.saysYes = batch.saysYes
    options.clientProcess = arguments.clientProcessId
    return JSONRPCFrontend(catalogue, options)
  }

  /// The frontend that does what was asked for.
  func frontend(for job: BatchFrontend.Job, _ options: BatchOptions) -> BatchFrontend {
    switch job {
    case .command: BatchFrontend("cli", catalogue, options, job)
    case .scripts: BatchFrontend("batch", catalogue, options, job)
    }
  }
}

extension [OptionalPlugin] {
  /// The same, and no figures are read or kept: a recording is to depend on nothing beside it.
  fileprivate var withoutFigures: [OptionalPlugin] {
    let names = map(\.name)
    return Composition.plugins(figures: nil).filter { names.containsText($0.name) }
  }

  /// Begins a recording.
  fileprivate func recorder(
    _ path: String,
    _ environment: inout Environment,
    isInteractive: Bool
  ) throws -> SessionRecorder {
    guard let recorder = lazy.compactMap({ $0.plugin as? SessionRecorder }).first else {
      throw Failure(.usage, "--record needs the plugin 'recorder', which is off.")
    }
    let header = RecordingHeader(
      program: "\(Invocation.spec.name) \(Todostream.version)",
      environment,
      locale: StorePath.variable("LC_ALL") ?? StorePath.variable("LANG") ?? "C",
      isInteractive: isInteractive,
      plugins: map(\.name)
    )
    environment = try recorder.record(to: path, environment, header)
    return recorder
  }

  /// Those that were on when something was recorded.
  fileprivate func named(_ names: [String]) throws(Failure) -> [OptionalPlugin] {
    if let missing = names.first(where: { name in !contains { $0.name.isIdentical(to: name) } }) {
      throw Failure(
        .usage,
        "The session was recorded with the plugin '\(missing.quotable)', which is not here."
      )
    }
    return filter { names.containsText($0.name) }
  }
}
