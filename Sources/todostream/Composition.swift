import Batch
import EventCommands
import EventMVVM
import TodoModels
import TodoStore
import TodoViewModels

/// Everything that the application is made of, on one screen.
struct Composition {
  /// What can be said to it.
  static var catalogue: Catalogue {
    var catalogue = Catalogue()
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(TodoDomain.storeGroup, TodoDomain.storeCommands)
    catalogue.add("", CatalogueServer.commands)
    catalogue.add(RunArguments.spec)
    catalogue.add(processOptions: Invocation.spec)
    return catalogue
  }

  let catalogue: Catalogue
  let context = AppContext()

  init(_ invocation: Invocation, _ catalogue: Catalogue) throws {
    self.catalogue = catalogue
    let place = try StorePath.resolve(invocation.store)
    context.add(ModelServer(TodoDatabase(path: place.path, makesFolders: place.isDefault)))
    context.add(ViewModelServer())
    context.add(CatalogueServer(catalogue) { [weak context] in context?.memberNames ?? [] })
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
