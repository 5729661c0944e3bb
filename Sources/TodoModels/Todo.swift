package import EventMVVM

/// A thing to do (S33): knows itself, and nothing of stores, view models or views (S8, S34).
package struct Todo: Sendable, Equatable, Codable {
  /// Its identity; unique in the world.
  package let uuid: UniqueID
  /// Its small number, never reused or shifted; 0 until it was stored.
  package var number: Int
  /// When it was made.
  package let createdAt: Instant
  /// What is to be done.
  package var title = ""
  /// Notes, of any number of lines.
  package var subtitle = ""
  /// How much it matters.
  package var priority = Priority.normal
  /// When it was completed; nil while it is open.
  package var completedAt: Instant?
  /// Whether it was deleted; deleted todos can be listed and restored (S37).
  package var deleted = false
  /// Whether its addition was taken back.
  ///
  /// Only taking that back brings it to light again; its number and its identity stay its own.
  package var withdrawn = false
  /// When it is due.
  package var due: CivilTime?
  /// Its labels, in the order in which they were added, each once.
  package var tags: [String] = []
  /// What it is part of.
  package var project: String?
  /// Where it was moved to in the order of the list; nil if nobody has moved it.
  package var place: TodoPlace?
  /// The revision of the store at its last change; 0 until it was stored.
  package var revision: Int = 0

  /// How many labels a todo has at most; the rules of the domain say so.
  package static let mostTags = 100

  /// Creates a todo that nobody has stored yet.
  package init(uuid: UniqueID, createdAt: Instant, number: Int = 0) {
    self.uuid = uuid
    self.createdAt = createdAt
    self.number = number
  }

  /// Whether it is done.
  package var complete: Bool { completedAt != nil }

  /// Where it stands in the order of the list.
  package var standing: TodoPlace { place ?? TodoPlace(number: number) }

  /// Whether it is the same todo, with whatever content (S52).
  package func isSame(as other: Todo) -> Bool { uuid == other.uuid }
}

extension Todo {
  /// Whether both have the same content, texts byte for byte: an edit from one spelling of a
  /// character to another is a change.
  package static func == (first: Todo, second: Todo) -> Bool {
    first.uuid == second.uuid && first.number == second.number
      && first.createdAt == second.createdAt && first.priority == second.priority
      && first.completedAt == second.completedAt && first.deleted == second.deleted
      && first.withdrawn == second.withdrawn
      && first.due == second.due && first.place == second.place && first.revision == second.revision
      && first.title.isIdentical(to: second.title)
      && first.subtitle.isIdentical(to: second.subtitle)
      && first.tags.isIdentical(to: second.tags)
      && first.project.isIdentical(to: second.project)
  }
}

/// How much a todo matters.
package enum Priority: String, Sendable, Equatable, CaseIterable, Codable {
  /// As much as most.
  case normal
  /// More than most.
  case high
}

/// How somebody refers to a todo.
package enum TodoReference: Sendable, Hashable, Codable {
  /// By its number.
  case number(Int)
  /// By its identity.
  case uuid(UniqueID)
  /// By the beginning of its UUID, in lower case.
  case prefix(String)

  /// The reference as a person writes it.
  package var text: String {
    switch self {
    case .number(let number): "#\(number)"
    case .uuid(let uuid): uuid.text
    case .prefix(let prefix): prefix
    }
  }
}
