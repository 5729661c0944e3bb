import EventCommands
package import EventMVVM
package import TodoModels

// What the views' requests mean to the models.

extension RequestTodoViewModels {
  /// The query: the deleted are hidden unless asked for (S35).
  func query(at now: Instant, in zone: ZoneRule) throws -> TodoQuery {
    var query = TodoQuery()
    query.predicate.words = words
    query.predicate.complete = done ? true : open ? false : nil
    query.predicate.deleted = deleted ? true : all ? nil : false
    query.predicate.tags = try tags.valid()
    query.predicate.project = try project.map { try $0.valid() }
    query.predicate.priority = priority
    query.predicate.dueBefore = try dueBefore.map { try $0.date("dueBefore", now, zone) }
    query.predicate.dueAfter = try dueAfter.map { try $0.date("dueAfter", now, zone) }
    query.sort = sort?.sort ?? query.sort
    query.limit = limit?.number
    return query
  }
}

extension RequestAddTodo {
  /// The todo to add, fresh and valid.
  func todo(_ turn: borrowing Turn) throws -> Todo {
    if let problem = Rules.problem(title: title) ?? Rules.problem(alias: alias) { throw problem }
    var todo = Todo(uuid: turn.makeID(), createdAt: turn.time)
    todo.title = title
    todo.subtitle = subtitle.value ?? ""
    todo.priority = priority.value ?? .normal
    todo.due = try due.date(turn).value
    todo.tags = try tags.valid()
    todo.project = try project.valid().value
    return todo
  }
}

extension RequestEditTodo {
  /// The fields to change, valid.
  package func patch(_ turn: borrowing Turn) throws -> TodoPatch {
    var patch = TodoPatch()
    patch.title = try validTitle()
    patch.subtitle = subtitle.orEmpty("")
    patch.priority = priority.orEmpty(.normal)
    patch.due = try due.date(turn)
    patch.project = try project.valid()
    let wanted = try tags.tags.valid()
    if !tags.replaces, let both = tags.tags.first(where: untags.contains) {
      throw Failure(
        .validation,
        "'\(both.text)' can't be added and removed at once.",
        field: "untags"
      )
    }
    if tags.replaces {
      patch.tags = .replace(wanted.filter { !untags.map(\.text).contains($0) })
    } else if !wanted.isEmpty || !untags.isEmpty {
      patch.tags = .adjust(add: wanted, remove: try untags.valid())
    }
    return patch
  }

  private func validTitle() throws -> String? {
    guard let title = title.orEmpty("") else { return nil }
    if let problem = Rules.problem(title: title) { throw problem }
    return title
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

extension RequestBackup {
  /// The new file; a script that is all or nothing could not be taken back in it.
  func path(_ turn: borrowing Turn) throws -> String {
    guard !turn.isInUnit else {
      throw Failure(.usage, "'backup' copies what is kept: run it outside of the script.")
    }
    guard !file.isEmpty else { throw Failure(.usage, "'backup' needs a file.", field: "file") }
    return file
  }
}

extension When {
  /// The date that is meant, for a field that is named in the error.
  func date(_ field: String, _ now: Instant, _ zone: ZoneRule) throws -> CivilTime {
    guard let time = resolved(at: now, in: zone) else {
      throw Failure(.validation, "The date is outside the years 1 to 9999.", field: field)
    }
    return time
  }
}

extension Change where Value == When {
  func date(_ turn: borrowing Turn) throws -> Change<CivilTime> {
    let (now, zone) = (turn.time, turn.zone)
    return try map { try $0.date("due", now, zone) }
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
  /// Their texts, each once, if they are valid.
  fileprivate func valid() throws -> [String] {
    var texts: [String] = []
    for tag in self {
      if let problem = Rules.problem(tag: tag.text) { throw problem }
      if !texts.contains(tag.text) { texts.append(tag.text) }
    }
    return texts
  }
}
