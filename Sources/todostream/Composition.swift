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
import TodoModels
import TodoStore
import TodoViewModels
import Trace
import UndoHistory

/// Everything that the application is made of, on one screen.
struct Composition {
  /// The plugins that can be switched: a line is all that one needs.
  static var plugins: [OptionalPlugin] {
    [
      .on(UndoHistory()),
      .on(TracePlugin()),
      .on(Analytics(path: StorePath.figures, spool: StorePath.spool, ticks: ticks)),
      .on(ExternalObserver()),
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
    catalogue.add(CompletionArguments.spec)
    catalogue.add(ServeArguments.spec)
    catalogue.add(processOptions: Invocation.spec)
    return catalogue
  }

  let catalogue: Catalogue
  let context: AppContext

  init(_ order: Order) throws {
    catalogue = order.catalogue
    let place = try StorePath.resolve(order.invocation.store)
    // Beside a person the stream has a thread of its own, and hears what other processes do.
    let isInteractive = order.errand.isInteractive
    context = AppContext(home: isInteractive ? .ownThread : .thisThread)
    let database = TodoDatabase(
      path: place.path,
      makesFolders: place.isDefault,
      isLasting: isInteractive
    )
    context.add(ModelServer(database, for: isInteractive ? .frontends : .oneJob))
    context.add(ViewModelServer())
    context.add(CatalogueServer(catalogue) { [weak context] in context?.memberNames ?? [] })
    if isInteractive { context.add(Navigator([TodoCoordinator()])) }
    for plugin in order.plugins { context.add(plugin.plugin) }
    try context.check(catalogue, hasScreens: isInteractive)
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
