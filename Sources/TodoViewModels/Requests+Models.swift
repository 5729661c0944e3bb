import EventCommands
import EventMVVM
import EventRecords
import TodoModels

// What the views' requests mean to the models.

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

extension RequestAddTodo {
  /// The todo to add, fresh and valid.
  func todo(_ turn: borrowing Turn) throws -> Todo {
    if let problem = Rules.problem(alias: alias) { throw problem }
    var todo = try Todo(self.todo, turn)
    try todo.check()
    todo.uuid = turn.makeID()
    todo.createdAt = turn.time
    return todo
  }
}

extension Todo {
  /// Changes fields, as long as what comes of it is valid.
  mutating func edit(
    _ edits: RecordEdits<Todo>,
    seen: Todo,
    _ turn: borrowing Turn
  ) throws {
    let before = self
    try edits.apply(to: &self, seen: seen, turn)
    try check(before)
  }

  /// Checks what differs from an earlier state of it; there is none of a new one.
  func check(_ before: Todo? = nil) throws(Failure) {
    var problems: [Failure?] = []
    if before.map({ !$0.title.isIdentical(to: title) }) ?? true {
      problems.append(Rules.problem(title: title))
    }
    if before.map({ !$0.subtitle.isIdentical(to: subtitle) }) ?? true {
      problems.append(Rules.problem(subtitle: subtitle))
    }
    let known = before?.tags ?? []
    let added = tags.filter { !known.containsText($0) }
    problems += added.map { Rules.problem(tag: $0) }
    if added.count > Todo.mostTags {
      problems.append(Rules.tooMany("tags", added.count, Todo.mostTags, "A todo", field: "tags"))
    }
    if let project { problems.append(Rules.problem(project: project)) }
    if let problem = problems.compactMap(\.self).first { throw problem }
  }
}

extension Project {
  /// Its text, if it is valid.
  fileprivate func valid() throws(Failure) -> String {
    if let problem = Rules.problem(project: text) { throw problem }
    return text
  }
}

extension [Tag] {
  /// Their texts, each once, if they are valid and not too many for a search.
  fileprivate func valid() throws(Failure) -> [String] {
    var texts: [String] = []
    for tag in self {
      if let problem = Rules.problem(tag: tag.text) { throw problem }
      if texts.containsText(tag.text) { continue }
      texts.append(tag.text)
      guard texts.count <= Todo.mostTags else {
        throw Rules.tooMany("tags", count, Todo.mostTags, "A search", field: "tags")
      }
    }
    return texts
  }
}
