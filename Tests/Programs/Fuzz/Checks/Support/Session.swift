import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText
import RecordCommands
import TodoModels
import TodoViewModels
import UndoHistory

/// The servers of the application on an engine, and a view's port to them.
struct Session {
  /// What came of a command.
  typealias Answer = Result<(text: String, json: String), Failure>

  /// The port.
  let port: ViewPort
  private let context: AppContext

  /// All commands of the domain and of the catalogue.
  static let catalogue: Catalogue = {
    var catalogue = Catalogue()
    catalogue.add(TodoCommands.group, TodoCommands.commands)
    catalogue.add(StoreCommands.group, StoreCommands.all)
    catalogue.add(UndoHistory())
    catalogue.add("", CatalogueServer.commands)
    return catalogue
  }()

  /// Puts the servers together; ids count, and an input has its own time and place.
  init(_ engine: any RecordEngine, _ world: World, _ catalogue: Catalogue = catalogue) {
    let ids = Locked<UInt64>(100)
    let nextID: @Sendable () -> UInt64 = {
      ids.withLock { next in
        next += 1
        return next
      }
    }
    context = AppContext(
      environment: Environment(
        now: { world.now },
        makeID: { Todo.id(nextID()) },
        zone: world.zone,
        session: 1
      )
    )
    let server = RecordServer(engine, [Todo.self], watchesExternalChanges: false, tellsViews: false)
    context.add(server, ViewModelServer(), UndoHistory())
    context.add(CatalogueServer(catalogue) { ["fuzz"] })
    port = context.port(named: "fuzz")
  }

  /// Sends a command, and shows what came of it: fit for any terminal, and strictly JSON.
  func answer<C: Command>(_ command: C) -> Answer {
    let answer: Answer = reply(command)
      .map { value in
        var page = Page()
        command.show(value, on: &page)
        var json = JSONWriter()
        value.write(to: &json)
        return (page.text, String(decoding: json.bytes, as: UTF8.self))
      }
    switch answer {
    case .success(let (text, json)):
      requireSafe(text, "the page of \(C.verb)")
      requireJSON(json, "the result of \(C.verb)")
    case .failure(let failure):
      requireSafe(escapedForTerminal(failure.message), "a failure of \(C.verb)")
      require(failure.kind != .unanswered, "\(C.verb) is not answered")
    }
    return answer
  }

  /// Puts todos into the store.
  func add(_ todos: [Todo]) {
    context.stream.request(RequestWriteTodo(todos.map { .add($0) })) { _, _ in }
    context.stream.deliver()
  }

  /// The todos in the store, by their numbers; nil if they can't be read.
  func todos() -> [Kept<Todo>]? {
    var todos: [Kept<Todo>]?
    context.stream.request(RequestReadTodos()) { result, _ in
      todos = try? result.get().result.get()
    }
    context.stream.deliver()
    return todos
  }

  /// Reads the todos in parts of one.
  func readInParts() -> Failure? {
    var failure: Failure?
    func read(_ request: RequestReadTodos) {
      context.stream.request(request) { result, _ in
        do {
          let part = try result.get()
          _ = try part.result.get()
          if let rest = part.rest { read(RequestReadTodos(rest)) }
        } catch {
          failure = Failure(error)
        }
      }
    }
    read(RequestReadTodos(Query(), inPartsOf: 1))
    context.stream.deliver()
    return failure
  }

  /// Sends a request, and waits for its reply.
  func reply<R: Request & ViewModelEvent>(
    _ request: R
  ) -> Result<R.Reply.Value, Failure> where R.Reply.Problem == Failure {
    var answer: Result<R.Reply.Value, Failure>?
    port.request(request) { result, _ in
      answer = result.mapError { Failure($0) }.flatMap(\.result)
    }
    port.run { answer != nil }
    return answer ?? .failure(Failure(.unanswered, "nobody answers"))
  }
}

/// The clock and the zone that an input runs under.
struct World: Sendable {
  /// What the clock shows.
  let now: Instant
  /// Where the user is.
  let zone: ZoneRule

  private static let all = [
    World(now: Instant(milliseconds: 1_763_632_800_000), zone: .utc),
    World(now: Instant(milliseconds: -1), zone: .fixed(seconds: -86_399)),
    World(now: Instant(milliseconds: 4_417_977_600_000), zone: .fixed(seconds: 86_399)),
    World(now: Instant(milliseconds: .max), zone: .fixed(seconds: 20_700)),
    World(now: Instant(milliseconds: .min), zone: .fixed(seconds: 20_700)),
  ]

  /// The world of an input: its first byte says which.
  static func of(_ bytes: [UInt8]) -> World {
    all[Int(bytes.first ?? 0) % all.count]
  }
}

extension [Todo] {
  /// An open one, one that has everything, and a deleted one.
  static let examples: [Todo] = {
    var todos = (1...3).map { Todo(uuid: Todo.id($0), createdAt: .init(milliseconds: 1000)) }
    for index in todos.indices { todos[index].title = "Milk" }
    todos[1].subtitle = "two\nlines \"quoted\""
    todos[1].priority = .high
    todos[1].completedAt = Instant(milliseconds: 2000)
    todos[1].due = CivilTime("2026-12-01T09:30")
    todos[1].tags = ["home", "\u{1B}[31m"]
    todos[1].project = "errands\u{202E}"
    todos[2].deleted = true
    return todos
  }()
}

extension Todo {
  static func id(_ number: UInt64) -> UniqueID {
    UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | number)
  }
}
