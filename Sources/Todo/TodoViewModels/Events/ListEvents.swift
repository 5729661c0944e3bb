public import EventCommands
public import EventMVVM
import EventPatterns
public import EventRecords
public import EventValues
public import JSONText
public import RecordCommands
public import TodoModels

/// Requests the list of todos (S20).
public struct RequestTodoViewModels: RecordList, UpgradedEvent {
  /// The list.
  public typealias View = TodoListViewModel
  /// Version 2 has todos as records, 3 the type of a part that lists of all records have.
  public static let version = 3
  /// Adds the flags that came with version 2.
  public static let upgrades: [Int: @Sendable (JSON) -> JSON] = [
    2: { body in
      ["open", "all", "overdue", "today", "noDue", "noProject"]
        .reduce(body) {
          $0[$1] == nil ? $0.adding($1, .bool(false)) : $0
        }
    }
  ]

  /// Words that the title or the notes contain, in any case.
  public var words: [String] = []
  /// Only completed ones.
  public var done = false
  /// Only open ones.
  public var open = false
  /// Only deleted ones.
  public var deleted = false
  /// Deleted ones as well.
  public var all = false
  /// Todos with all of these.
  public var tags: [Tag] = []
  /// Todos of a project.
  public var project: Project?
  /// Todos of a priority.
  public var priority: Priority?
  /// Todos due strictly before.
  public var dueBefore: When?
  /// Todos due strictly after.
  public var dueAfter: When?
  /// Todos due on one of these days.
  public var due: DateRange?
  /// Open todos whose date is over.
  public var overdue = false
  /// Todos due today.
  public var today = false
  /// Todos without a date.
  public var noDue = false
  /// Todos without a project.
  public var noProject = false
  /// Todos completed on that day or later, the last completed first.
  public var doneSince: When?
  /// The order; unless given, newest first, and of completed ones the last completed first.
  public var sort: TodoSort?
  /// The most todos.
  public var limit: Count?
  /// The part of the list that is read at once.
  public var extent = ListExtent<Todo>.all

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "list",
    "Lists what is open by its date, or what is asked for."
  )
  .word(\.words, "What title or notes contain", placeholder: "WORD")
  .unlisted(\.extent)
  .option(\.done, "Only completed ones", flag: "--done")
  .option(\.open, "Only open ones", flag: "--open")
  .option(\.deleted, "Only deleted ones", flag: "--deleted")
  .option(\.all, "All, the completed and the deleted, too", flag: "--all")
  .option(\.tags, "With this label (repeatable: with all of them)", flag: "--tag")
  .option(\.project, "Of this project", flag: "--project")
  .option(\.priority, "Of this priority", flag: "--priority")
  .option(\.dueBefore, "Due strictly before", flag: "--due-before")
  .option(\.dueAfter, "Due strictly after", flag: "--due-after")
  .option(\.due, "Due on one of these days", flag: "--due")
  .option(\.overdue, "Open ones whose date is over", flag: "--overdue")
  .option(\.today, "Due today", flag: "--today")
  .option(\.noDue, "Without a date", flag: "--no-due")
  .option(\.noProject, "Without a project", flag: "--no-project")
  .option(\.doneSince, "Completed on that day or later", flag: "--done-since")
  .option(\.sort, "The order; '-' before it reverses", flag: "--sort")
  .option(\.limit, "How many at most", flag: "--limit")
  .exclusive(\.done, \.open)
  .exclusive(\.deleted, \.all)
  .exclusive(\.doneSince, \.open)
  .exclusive(\.noProject, \.project)
  .typed { list in
    guard list.filters.isEmpty else { return }
    list.open = true
    if list.sort == nil { list.sort = TodoSort(.due) }
  }
  .example("list", "list --tag home --due 'this week'", "list fence --all")

  /// Creates the request with its default values.
  public init() {}

  /// Writes the rows, and when they were completed if that was asked for.
  public func show(_ list: TodoListViewModel, on page: inout Page) {
    // What is read by a program stays empty where nothing was found.
    if list.rows.isEmpty, page.width != nil, limit?.number != 0 {
      return showNothing(list.labels, on: &page)
    }
    list.show(on: &page, saysCompletion: done || doneSince != nil)
  }

  private func showNothing(_ labels: [String], on page: inout Page) {
    let filters = filters
    switch filters {
    case ["--open"]:
      page.write("Nothing is open; 'add TITLE' makes a todo, 'list --all' shows all.")
      return page.endLine()
    case [], ["--all"]:
      page.write("There are no todos; 'add TITLE' makes one.")
      return page.endLine()
    default: break
    }
    page.write("No todo matches ")
    page.write(user: filters.joined(separator: " "))
    if !labels.isEmpty {
      page.write(tags.isEmpty ? "; projects are " : "; tags are ")
      page.write(user: labels.prefix(Self.mostSuggestions).joined(separator: ", "))
      if labels.count > Self.mostSuggestions { page.write(", …") }
    }
    page.write(".")
    page.endLine()
  }

  /// What it asks for, as it is typed; of a date the option alone.
  private var filters: [String] {
    let flags = [
      ("--done", done), ("--open", open), ("--deleted", deleted), ("--all", all),
      ("--due-before", dueBefore != nil), ("--due-after", dueAfter != nil), ("--due", due != nil),
      ("--overdue", overdue), ("--today", today), ("--no-due", noDue), ("--no-project", noProject),
      ("--done-since", doneSince != nil),
    ]
    return words + tags.map { "--tag \($0.text)" }
      + [project.map { "--project \($0.text)" }, priority.map { "--priority \($0.rawValue)" }]
      .compactMap(\.self) + flags.filter(\.1).map(\.0)
  }

  /// The field of the labels that it asks for; nil if it asks for none.
  public var suggestedField: String? { !tags.isEmpty ? "tags" : project != nil ? "project" : nil }

  /// Returns a request for at most that number of todos.
  func limited(to most: Int) -> Self {
    var request = self
    request.limit = Count(min(most, limit?.number ?? most))
    return request
  }

  /// The rows.
  public func result(_ todos: [Kept<Todo>], _ turn: borrowing Turn) -> TodoListViewModel {
    TodoListViewModel(todos.map(TodoViewModel.init))
  }

  /// No rows, with the labels that there are.
  public func result(
    suggesting labels: [String],
    _ turn: borrowing Turn
  ) -> TodoListViewModel {
    TodoListViewModel(noneOf: labels)
  }
}

extension RequestTodoViewModels {
  /// Returns the query; deleted todos are excluded unless requested (S35).
  public func query(_ turn: borrowing Turn) throws -> Query<Todo> {
    func date(_ when: When, _ field: String) throws -> CivilTime {
      try when.date(of: field, at: turn.time, in: turn.zone)
    }
    var query = Query<Todo>()
    if !all { query = query.where(.equals(\.deleted, deleted)) }
    if open { query = query.where(.isNil(\.completedAt)) }
    if done { query = query.where(.not(.isNil(\.completedAt))) }
    if let priority { query = query.where(.equals(\.priority, priority)) }
    if let name = try project?.valid() {
      // New names are composed, those of before may not be.
      let composed = name.composed
      query = query.where(
        name.isIdentical(to: composed)
          ? .equals(\.project, name)
          : .any(.equals(\.project, name), .equals(\.project, composed))
      )
    }
    for tag in try tags.valid() { query = query.where(.has(\.tags, tag)) }
    if let dueBefore {
      query = query.where(.less(\.due, than: try date(dueBefore, "dueBefore")))
    }
    if let dueAfter { query = query.where(.isDue(after: try date(dueAfter, "dueAfter"))) }
    if let due {
      let days = try due.resolved(of: "due", at: turn.time, in: turn.zone)
      query = query.where(.isDue(from: days.first, to: days.last))
    }
    if today {
      let today = turn.zone.day(at: turn.time)
      query = query.where(.isDue(from: today, to: today))
    }
    if overdue { query = query.where(.all(.isNil(\.completedAt), .isOverdue(turn.clock.now))) }
    if noDue { query = query.where(.isNil(\.due)) }
    if noProject { query = query.where(.isNil(\.project)) }
    if let doneSince {
      let day = try doneSince.date(of: "doneSince", at: turn.time, in: turn.zone, .behind)
      let start =
        if case .minute(let minute) = day { minute } else { CivilMinute(startOf: day.day) }
      query = query.where(.atLeast(\.completedAt, turn.zone.instant(of: start)))
    }
    for word in try Rules.valid(words: words) { query = query.where(.contains(word)) }
    query = (sort ?? TodoSort(done || doneSince != nil ? .completed : .created)).sort(query)
    return limit.map { query.first($0.number) } ?? query
  }
}

extension Condition<Todo> {
  /// The filter for todos due strictly after a time; the minutes of a day are part of it.
  static func isDue(after time: CivilTime) -> Self {
    guard case .day(let day) = time else { return .greater(\.due, than: time) }
    return day.adding(days: 1).map { .atLeast(\.due, .day($0)) } ?? .any()
  }

  /// The filter for todos due on a day of a range; nil for no limit.
  static func isDue(from first: CivilDay?, to last: CivilDay?) -> Self {
    .all(
      .not(.isNil(\.due)),
      first.map { .atLeast(\.due, .day($0)) } ?? .all(),
      last?.adding(days: 1).map { .less(\.due, than: .day($0)) } ?? .all()
    )
  }

  /// The filter for todos whose date is over at a minute.
  static func isOverdue(_ now: CivilMinute) -> Self {
    .any(
      .less(\.due, than: .day(now.day)),
      .all(.greater(\.due, than: .day(now.day)), .less(\.due, than: .minute(now)))
    )
  }

  /// The filter for open todos.
  static var open: Self { .all(.equals(\.deleted, false), .isNil(\.completedAt)) }

  /// The filters for open todos, and for those that were due before today.
  static func openAndOverdue(_ turn: borrowing Turn) -> [Self] {
    [open, .all(open, .less(\.due, than: .day(turn.zone.day(at: turn.time))))]
  }
}

/// The requested list (S20).
public typealias ResponseTodoViewModels = RequestTodoViewModels.Reply
