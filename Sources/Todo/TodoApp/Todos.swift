public import EventApp
public import EventCommands
public import EventMVVM
public import EventPatterns
public import EventRecords
import TodoModels
import TodoViewModels

/// Todos: their records, their servers, and the flows of their screens.
public struct Todos: Domain {
  /// Todos alone.
  public let records: [any Record.Type] = [Todo.self]
  /// The notification of changed todos.
  public var changeNotice: any (ChangeNotice & Announcement).Type {
    ResponseChangedTodoViewModels.self
  }
  /// True: it has lists and details.
  public var hasScreens: Bool { true }
  /// The requests of frontends in addition to commands.
  public var inputs: [any (Event & Decodable).Type] { TodoDomain.inputs }
  /// The flow of lists and details.
  public var coordinators: [any Coordinator] { [TodoCoordinator()] }

  /// Creates the domain.
  public init() {}

  /// The todo manager.
  public var program: Program {
    var program = Program(
      "todostream",
      version: "0.1.0",
      summary: "A todo manager on an event stream."
    )
    program.storeName = "todos.sqlite"
    program.startupName = "startup.todo"
    program.earlierSchemas = .todos
    return program
  }

  /// Adds the commands on todos, the status and the notifications.
  public func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(TodoDomain.group, TodoDomain.commands)
    catalogue.add(status: TodoDomain.status)
    catalogue.add(wire: TodoDomain.wire)
  }

  /// Adds the commands of lists and details.
  public func addScreens(to catalogue: inout Catalogue) {
    TodoDomain.addScreens(to: &catalogue)
  }

  /// Makes the ViewModelServer in front of the records.
  public func servers(_ setting: ServerConfiguration) -> Servers {
    let server = ViewModelServer()
    return Servers(setting, [server]) { word, turn throws(Failure) in
      try server.resolve(word, turn)
    }
  }
}
