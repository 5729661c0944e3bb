package import EventMVVM

/// What is to become of a todo: field by field, so that nothing is written that nobody changed (S71).
package struct TodoPatch: Sendable, Equatable, Codable {
  /// What is to become of its completion.
  package enum Completion: Sendable, Equatable, Codable {
    /// Done, at this time, unless it is done already (S69).
    case complete(Instant)
    /// Open.
    case open
    /// The other of the two.
    case toggle(Instant)
  }

  /// What is to become of its tags.
  package enum Tags: Sendable, Equatable, Codable {
    /// These are added, those are removed.
    case adjust(add: [String], remove: [String])
    /// These, and no others, as seen by the writer.
    case replace([String])
  }

  /// The title; it never clears.
  package var title: String?
  /// The notes.
  package var subtitle: String?
  /// The priority.
  package var priority: Priority?
  /// The completion.
  package var completion: Completion?
  /// The flag of deletion.
  package var deleted: Bool?
  /// Whether its addition is taken back.
  package var withdrawn: Bool?
  /// The due date.
  package var due: Change<CivilTime> = .keep
  /// The tags.
  package var tags: Tags?
  /// The project.
  package var project: Change<String> = .keep
  /// Where it stands in the order of the list.
  package var place: Change<TodoPlace> = .keep

  /// A patch that changes nothing.
  package init() {}

  /// What turns one state of a todo into another.
  package init(from old: Todo, to new: Todo) {
    if !new.title.isIdentical(to: old.title) { title = new.title }
    if !new.subtitle.isIdentical(to: old.subtitle) { subtitle = new.subtitle }
    if new.priority != old.priority { priority = new.priority }
    if new.completedAt != old.completedAt {
      completion = new.completedAt.map { .complete($0) } ?? .open
    }
    if new.deleted != old.deleted { deleted = new.deleted }
    if new.withdrawn != old.withdrawn { withdrawn = new.withdrawn }
    if new.due != old.due { due = new.due.map { .set($0) } ?? .clear }
    if !new.project.isIdentical(to: old.project) {
      project = new.project.map { .set($0) } ?? .clear
    }
    if new.place != old.place { place = new.place.map { .set($0) } ?? .clear }
    let added = new.tags.filter { !old.tags.containsText($0) }
    let removed = old.tags.filter { !new.tags.containsText($0) }
    if !added.isEmpty || !removed.isEmpty { tags = .adjust(add: added, remove: removed) }
  }

  /// The todo as it is after the patch; `base` is what the writer saw, for tags that replace.
  package func applied(to todo: Todo, seen base: Todo) -> Todo {
    var result = todo
    if let title { result.title = title }
    if let subtitle { result.subtitle = subtitle }
    if let priority { result.priority = priority }
    if let deleted { result.deleted = deleted }
    if let withdrawn { result.withdrawn = withdrawn }
    apply(due, to: &result.due)
    apply(project, to: &result.project)
    apply(place, to: &result.place)
    applyCompletion(to: &result, seen: base)
    applyTags(to: &result, seen: base)
    return result
  }

  private func apply<Value>(_ change: Change<Value>, to field: inout Value?) {
    switch change {
    case .keep: break
    case .clear: field = nil
    case .set(let value): field = value
    }
  }

  /// A toggle is resolved first, to the other of what the writer saw.
  private func applyCompletion(to todo: inout Todo, seen base: Todo) {
    switch completion {
    case nil: break
    case .open: todo.completedAt = nil
    case .complete(let time): todo.completedAt = todo.completedAt ?? time
    case .toggle(let time): todo.completedAt = base.complete ? nil : todo.completedAt ?? time
    }
  }

  private func applyTags(to todo: inout Todo, seen base: Todo) {
    switch tags {
    case nil: break
    case .adjust(let add, let remove): adjust(&todo, add, remove)
    case .replace(let wanted):
      adjust(
        &todo,
        wanted.filter { !base.tags.containsText($0) },
        base.tags.filter { !wanted.containsText($0) }
      )
    }
  }

  private func adjust(_ todo: inout Todo, _ add: [String], _ remove: [String]) {
    todo.tags.removeAll { remove.containsText($0) && !add.containsText($0) }
    for tag in add where !todo.tags.containsText(tag) { todo.tags.append(tag) }
  }
}

/// A field that conflicts: whoever wrote first has given it another value.
package struct TodoConflict: Sendable, Equatable, Codable {
  /// The field, under its name in JSON.
  package let field: String
  /// The value that the writer had seen.
  package let expected: String
  /// The value that it has now.
  package let actual: String

  /// Names a conflict.
  package init(field: String, expected: String, actual: String) {
    self.field = field
    self.expected = expected
    self.actual = actual
  }
}

extension TodoPatch {
  /// The first field that this patch sets and that was changed meanwhile to yet another value.
  ///
  /// Tags merge as added and removed ones; completion is one field, whenever it was completed.
  ///
  /// - Parameters:
  ///   - base: The todo as the writer saw it.
  ///   - current: The todo as it is.
  /// - Returns: The conflict; nil if there is none.
  package func conflict(seen base: Todo, current: Todo) -> TodoConflict? {
    let wanted = applied(to: current, seen: base)
    let fields: [(name: String, isSet: Bool, value: (Todo) -> String)] = [
      ("title", title != nil, { $0.title }),
      ("subtitle", subtitle != nil, { $0.subtitle }),
      ("priority", priority != nil, { $0.priority.rawValue }),
      ("complete", completion != nil, { $0.complete ? "true" : "false" }),
      ("deleted", deleted != nil, { $0.deleted ? "true" : "false" }),
      ("due", due.isChange, { $0.due?.text ?? "" }),
      ("project", project.isChange, { $0.project ?? "" }),
      ("place", place.isChange, { $0.place?.text ?? "" }),
    ]
    for field in fields where field.isSet {
      let (before, now) = (field.value(base), field.value(current))
      guard !before.isIdentical(to: now), !now.isIdentical(to: field.value(wanted)) else {
        continue
      }
      return TodoConflict(field: field.name, expected: before, actual: now)
    }
    return nil
  }
}
