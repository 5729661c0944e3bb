import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import SQLiteStore
import TodoModels
import TodoStore
import TodoViewModels

/// Todos, all that they are made of: the store, the servers, and the flows of their screens.
@main
struct Todos: Domain {
  var program: Program {
    var program = Program(
      "todostream",
      version: "0.1.0",
      summary: "A todo manager on an event stream."
    )
    program.storeName = "todos.sqlite"
    program.startupName = "startup.todo"
    return program
  }

  var keepsRecords: Bool { false }
  var hasScreens: Bool { true }
  var coordinators: [any Coordinator] { [TodoCoordinator()] }
  var inputs: [any (Event & Decodable).Type] { TodoDomain.inputs }

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(StoreCommands.group, StoreCommands.all)
    catalogue.add(announcements: TodoDomain.announcements)
    catalogue.add(status: TodoDomain.status)
    catalogue.add(wire: TodoDomain.wire)
  }

  func addScreens(to catalogue: inout Catalogue) {
    TodoDomain.addScreens(to: &catalogue)
  }

  func servers(_ setting: ServerSetting) throws -> Servers {
    let database = TodoDatabase(
      path: setting.path,
      makesFolders: setting.makesFolders,
      isLasting: setting.isInteractive
    )
    var servers: Servers
    switch setting.purpose {
    case .use: servers = Servers(database, setting)
    case .recording(let note):
      database.noteOthers(besides: setting.session, readsAside: setting.isInteractive) { note($0) }
      servers = Servers(database, setting)
    case .retelling:
      let expect = database.retell(readsAside: setting.isInteractive)
      servers = Servers(database, setting, hearsOthers: false)
      servers.meet = { note, decoder in
        expect(try decoder.read(OutsideChange<StoreChange>.self, from: note))
      }
    }
    servers.image = { try database.image() }
    return servers
  }
}

extension Servers {
  /// Those who answer from a store.
  fileprivate init(
    _ storage: any TodoStorage,
    _ setting: ServerSetting,
    hearsOthers: Bool? = nil
  ) {
    let company: ModelServer.Company = setting.isInteractive ? .frontends : .oneJob
    self.init([ModelServer(storage, for: company, hearsOthers: hearsOthers), ViewModelServer()])
  }
}
