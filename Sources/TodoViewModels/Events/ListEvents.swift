public import EventCommands
public import EventMVVM
import EventPatterns
import EventRecords
public import TodoModels

/// Asks for the list of todos (S20).
public struct RequestTodoViewModels: PartedCommand, Codable {
  /// What answers it.
  public typealias Reply = ResponseTodoViewModels
  /// The second has todos as records.
  public static let version = 2
  /// It only reads.
  public static let writes = false

  /// Each is part of the title or the notes, in any case.
  public var words: [String] = []
  /// Only completed ones.
  public var done = false
  /// Only open ones.
  public var open = false
  /// Only deleted ones.
  public var deleted = false
  /// Deleted ones, too.
  public var all = false
  /// Those that have all of these.
  public var tags: [Tag] = []
  /// Those of a project.
  public var project: Project?
  /// Those of a priority.
  public var priority: Priority?
  /// Those due strictly before.
  public var dueBefore: When?
  /// Those due strictly after.
  public var dueAfter: When?
  /// The order; newest first unless given.
  public var sort: TodoSort?
  /// How many at most.
  public var limit: Count?
  /// How much of the list at once.
  private(set) var extent = Extent.all

  /// How much of a list to read at once.
  enum Extent: Sendable, Equatable, Codable {
    /// All of it.
    case all
    /// The first so many, and a way to go on.
    case part(Int)
    /// What follows a part.
    case rest(RecordRest<Todo>)
  }

  /// How it is written.
  public static let command = CommandSpec<Self>("list", "Lists todos, newest first.")
    .word(\.words, "What title or notes contain", placeholder: "WORD")
    .unlisted(\.extent)
    .option(\.done, "Only completed ones", flag: "--done")
    .option(\.open, "Only open ones", flag: "--open")
    .option(\.deleted, "Only deleted ones", flag: "--deleted")
    .option(\.all, "Deleted ones, too", flag: "--all")
    .option(\.tags, "With this label (repeatable: with all of them)", flag: "--tag")
    .option(\.project, "Of this project", flag: "--project")
    .option(\.priority, "Of this priority", flag: "--priority")
    .option(\.dueBefore, "Due strictly before", flag: "--due-before")
    .option(\.dueAfter, "Due strictly after", flag: "--due-after")
    .option(\.sort, "The order; '-' before it reverses", flag: "--sort")
    .option(\.limit, "How many at most", flag: "--limit")
    .exclusive(\.done, \.open)
    .exclusive(\.deleted, \.all)

  /// The request before anything of it was read.
  public init() {}

  /// The same list, a part at a time.
  public func inParts(of count: Int) -> Self {
    var part = self
    part.extent = .part(count)
    return part
  }

  /// Asks for no more than a number of them.
  func limited(to most: Int) -> Self {
    var request = self
    request.limit = Count(min(most, limit?.number ?? most))
    return request
  }

  /// Asks for what follows a part.
  init(rest: RecordRest<Todo>) {
    extent = .rest(rest)
  }
}

extension RequestTodoViewModels {
  /// What to ask the models; the deleted are hidden unless asked for (S35).
  func request(_ turn: borrowing Turn) throws -> RequestReadTodos {
    switch extent {
    case .all: RequestReadTodos(try query(turn))
    case .part(let count): RequestReadTodos(try query(turn), inPartsOf: count)
    case .rest(let rest): RequestReadTodos(rest)
    }
  }

  private func query(_ turn: borrowing Turn) throws -> Query<Todo> {
    func date(_ when: When, _ field: String) throws -> CivilTime {
      try when.date(of: field, at: turn.time, in: turn.zone)
    }
    var query = Query<Todo>()
    if !all { query = query.where(.equals(\.deleted, deleted)) }
    if open { query = query.where(.isNil(\.completedAt)) }
    if done { query = query.where(.not(.isNil(\.completedAt))) }
    if let priority { query = query.where(.equals(\.priority, priority)) }
    if let project { query = query.where(.equals(\.project, try project.valid())) }
    for tag in try tags.valid() { query = query.where(.has(\.tags, tag)) }
    if let dueBefore {
      query = query.where(.less(\.due, than: try date(dueBefore, "dueBefore")))
    }
    if let dueAfter { query = query.where(.isDue(after: try date(dueAfter, "dueAfter"))) }
    for word in try Rules.valid(words: words) { query = query.where(.contains(word)) }
    query = (sort ?? TodoSort(.created)).sort(query)
    return limit.map { query.first($0.number) } ?? query
  }
}

extension Condition<Todo> {
  /// Strictly after a time; the minutes of a day are a part of it.
  static func isDue(after time: CivilTime) -> Self {
    guard case .day(let day) = time else { return .greater(\.due, than: time) }
    return day.adding(days: 1).map { .atLeast(\.due, .day($0)) } ?? .any()
  }

  /// The open ones, and those of them that were due before today.
  static func openAndOverdue(_ turn: borrowing Turn) -> [Self] {
    let open = Self.all(.equals(\.deleted, false), .isNil(\.completedAt))
    return [open, .all(open, .less(\.due, than: .day(turn.zone.day(at: turn.time))))]
  }
}

/// The list that was asked for (S20).
public struct ResponseTodoViewModels: ViewModelEvent, PartedResponse {
  /// The list or why there is none.
  public let result: Result<TodoListViewModel, Failure>
  /// Asks for what follows a part; nil where nothing does.
  public private(set) var rest: RequestTodoViewModels?

  /// Wraps an outcome.
  public init(_ result: Result<TodoListViewModel, Failure>) {
    self.result = result
  }

  /// Shows what the models have.
  init(_ todos: ResponseTodos) {
    result = todos.result
      .map { TodoListViewModel($0.map(TodoViewModel.init)) }
    rest = todos.rest.map(RequestTodoViewModels.init(rest:))
  }

  /// The todos, at most three.
  public var subject: String? { result.subject { $0.rows.subject } }
}
