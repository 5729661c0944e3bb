import EventMVVM

/// A field of a todo that can change.
package enum TodoField: String, Sendable, CaseIterable, Codable {
  case title, subtitle, priority, completedAt, deleted, due, tags, project, place, withdrawn

  /// Whether two todos have the same value in it, texts byte for byte.
  package func isSame(_ first: Todo, _ second: Todo) -> Bool {
    switch self {
    case .title: first.title.isIdentical(to: second.title)
    case .subtitle: first.subtitle.isIdentical(to: second.subtitle)
    case .priority: first.priority == second.priority
    case .completedAt: first.completedAt == second.completedAt
    case .deleted: first.deleted == second.deleted
    case .due: first.due == second.due
    case .tags: first.tags.isIdentical(to: second.tags)
    case .project: first.project.isIdentical(to: second.project)
    case .place: first.place == second.place
    case .withdrawn: first.withdrawn == second.withdrawn
    }
  }

  /// Gives a todo the value that another one has.
  package func copy(from other: Todo, to todo: inout Todo) {
    switch self {
    case .title: todo.title = other.title
    case .subtitle: todo.subtitle = other.subtitle
    case .priority: todo.priority = other.priority
    case .completedAt: todo.completedAt = other.completedAt
    case .deleted: todo.deleted = other.deleted
    case .due: todo.due = other.due
    case .tags: todo.tags = other.tags
    case .project: todo.project = other.project
    case .place: todo.place = other.place
    case .withdrawn: todo.withdrawn = other.withdrawn
    }
  }
}
