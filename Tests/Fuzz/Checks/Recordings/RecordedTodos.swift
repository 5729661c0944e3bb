import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import SQLiteStore
import TodoModels
import TodoStore
import TodoViewModels

/// Todos as the program has them, to be recorded and replayed in this process.
struct RecordedTodos: Domain {
  var program: Program {
    var program = Program("todostream", version: "0.1.0", summary: "Recorded by a fuzzer.")
    program.storeName = "todos.sqlite"
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

  func addScreens(to catalogue: inout Catalogue) { TodoDomain.addScreens(to: &catalogue) }

  func servers(_ setting: ServerSetting) throws -> Servers {
    let database = TodoDatabase(path: setting.path, isLasting: setting.isInteractive)
    let company: ModelServer.Company = setting.isInteractive ? .frontends : .oneJob
    var servers = Servers([])
    var hearsOthers: Bool?
    switch setting.purpose {
    case .use: break
    case .recording(let note):
      database.noteOthers(besides: setting.session, readsAside: setting.isInteractive) { note($0) }
    case .retelling:
      let expect = database.retell(readsAside: setting.isInteractive)
      hearsOthers = false
      servers.meet = { note, decoder in
        expect(try decoder.read(OutsideChange<StoreChange>.self, from: note))
      }
    }
    servers.plugins = [
      ModelServer(database, for: company, hearsOthers: hearsOthers), ViewModelServer(),
    ]
    servers.image = { try database.image() }
    return servers
  }
}
