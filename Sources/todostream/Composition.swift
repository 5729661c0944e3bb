import Batch
import EventCommands
import EventMVVM
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
    ]
  }

  /// What can be said to it.
  static func catalogue(_ plugins: [OptionalPlugin]) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(TodoDomain.storeGroup, TodoDomain.storeCommands)
    catalogue.add(announcements: TodoDomain.announcements)
    catalogue.add(status: TodoDomain.status)
    for plugin in plugins { plugin.addCommands(to: &catalogue) }
    catalogue.add("", CatalogueServer.commands)
    catalogue.add(RunArguments.spec)
    catalogue.add(processOptions: Invocation.spec)
    return catalogue
  }

  let catalogue: Catalogue
  let context = AppContext()

  init(_ order: Order) throws {
    catalogue = order.catalogue
    let place = try StorePath.resolve(order.invocation.store)
    context.add(ModelServer(TodoDatabase(path: place.path, makesFolders: place.isDefault)))
    context.add(ViewModelServer())
    context.add(CatalogueServer(catalogue) { [weak context] in context?.memberNames ?? [] })
    for plugin in order.plugins { context.add(plugin.plugin) }
    try context.check(catalogue)
  }

  /// The frontend that does what was asked for.
  func frontend(for job: BatchFrontend.Job, _ options: BatchOptions) -> any Frontend {
    switch job {
    case .command: BatchFrontend("cli", catalogue, options, job)
    case .scripts: BatchFrontend("batch", catalogue, options, job)
    }
  }
}
