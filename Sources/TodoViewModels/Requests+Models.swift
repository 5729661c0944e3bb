import EventCommands
package import EventMVVM
package import TodoModels

// What the views' requests mean to the models.

extension RequestTodoViewModels {
  /// The query: the deleted are hidden unless asked for (S35).
  func query(at now: Instant, in zone: ZoneRule) throws -> TodoQuery {
    var query = TodoQuery()
    query.predicate.words = try Rules.valid(words: words)
    query.predicate.complete = done ? true : open ? false : nil
    query.predicate.deleted = deleted ? true : all ? nil : false
    query.predicate.tags = try tags.valid(for: "A search")
    query.predicate.project = try project.map { try $0.valid() }
    query.predicate.priority = priority
    query.predicate.dueBefore = try dueBefore.map {
      try $0.date(of: "dueBefore", at: now, in: zone)
    }
    query.predicate.dueAfter = try dueAfter.map { try $0.date(of: "dueAfter", at: now, in: zone) }
    query.sort = sort?.sort ?? query.sort
    query.limit = limit?.number
    return query
  }
}

extension RequestAddTodo {
  /// The todo to add, fresh and valid.
  func todo(_ turn: borrowing Turn) throws -> Todo {
    let subtitle = subtitle.value ?? ""
    let problem =
      Rules.problem(title: title) ?? Rules.problem(subtitle: subtitle)
      ?? Rules.problem(alias: alias)
    if let problem { throw problem }
    var todo = Todo(uuid: turn.makeID(), createdAt: turn.time)
    todo.title = title
    todo.subtitle = subtitle
    todo.priority = priority.value ?? .normal
    todo.due = try due.date(turn).value
    todo.tags = try tags.valid()
    todo.project = try project.valid().value
    return todo
  }
}

extension TodoFields {
  /// The fields to change, valid.
  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    var patch = TodoPatch()
    patch.title = try validTitle()
    patch.subtitle = try validSubtitle()
    patch.priority = priority.orEmpty(.normal)
    patch.due = try due.date(turn)
    patch.project = try project.valid()
    patch.tags = try tagPatch()
    return patch
  }

  private func tagPatch() throws -> TodoPatch.Tags? {
    let wanted = try tags.tags.valid()
    let unwanted = try untags.valid(field: "untags")
    if tags.replaces { return .replace(wanted.filter { !unwanted.containsText($0) }) }
    if let both = wanted.first(where: unwanted.containsText) {
      throw Failure(
        .validation,
        "'\(both.quotable)' can't be added and removed at once.",
        field: "untags"
      )
    }
    return wanted.isEmpty && unwanted.isEmpty ? nil : .adjust(add: wanted, remove: unwanted)
  }

  private func validTitle() throws -> String? {
    guard let title = title.orEmpty("") else { return nil }
    if let problem = Rules.problem(title: title) { throw problem }
    return title
  }

  private func validSubtitle() throws -> String? {
    guard let subtitle = subtitle.orEmpty("") else { return nil }
    if let problem = Rules.problem(subtitle: subtitle) { throw problem }
    return subtitle
  }
}

extension RequestToggleCompleteTodoViewModel {
  /// A view's toggle means what the view showed; else the store decides.
  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    let now = turn.time
    var patch = TodoPatch()
    patch.completion = shownComplete.map { $0 ? .open : .complete(now) } ?? .toggle(now)
    return patch
  }
}

extension Change where Value == When {
  func date(_ turn: borrowing Turn) throws -> Change<CivilTime> {
    let (now, zone) = (turn.time, turn.zone)
    return try map { try $0.date(of: "due", at: now, in: zone) }
  }
}

extension Change where Value == Project {
  func valid() throws -> Change<String> {
    try map { try $0.valid() }
  }
}

extension Change {
  /// The value that is wanted, where empty is a value.
  fileprivate func orEmpty(_ empty: Value) -> Value? {
    switch self {
    case .keep: nil
    case .clear: empty
    case .set(let value): value
    }
  }

  /// The value that is wanted, where there was none before.
  fileprivate var value: Value? {
    guard case .set(let value) = self else { return nil }
    return value
  }
}

extension Project {
  /// Its text, if it is valid.
  fileprivate func valid() throws -> String {
    if let problem = Rules.problem(project: text) { throw problem }
    return text
  }
}

extension [Tag] {
  /// Their texts, each once, if they are valid and not too many for what they belong to.
  fileprivate func valid(
    for subject: String = "A todo",
    field: String = "tags"
  ) throws -> [String] {
    var texts: [String] = []
    for tag in self {
      if let problem = Rules.problem(tag: tag.text, field: field) { throw problem }
      if texts.containsText(tag.text) { continue }
      texts.append(tag.text)
      guard texts.count <= Rules.mostTags else {
        throw Rules.tooMany("tags", count, Rules.mostTags, subject, field: field)
      }
    }
    return texts
  }
}
