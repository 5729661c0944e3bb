import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import JSONText
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

  var coordinators: [any Coordinator] { [TodoCoordinator()] }
  var inputs: [any (Event & Decodable).Type] { TodoDomain.inputs }

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(TodoDomain.storeGroup, TodoDomain.storeCommands)
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
    switch setting.purpose {
    case .use: return Servers(database, setting)
    case .recording(let note):
      let recorded = RecordedStore(
        database,
        besides: setting.session,
        readsAside: setting.isInteractive,
        note: note
      )
      var servers = Servers(recorded, setting)
      servers.image = { try recorded.image() }
      return servers
    case .retelling:
      let store = ReplayedStore(database, readsAside: setting.isInteractive)
      var servers = Servers(store, setting, hearsOthers: false)
      servers.meet = { note, decoder in
        store.expect(try decoder.read(OutsideChange.self, from: note))
      }
      return servers
    }
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
