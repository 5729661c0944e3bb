package import EventMVVM

/// A thing to do (S33): knows itself, and nothing of stores, view models or views (S8, S34).
package struct Todo: Sendable, Equatable {
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
  /// When it is due.
  package var due: CivilTime?
  /// Its labels, in the order in which they were added, each once.
  package var tags: [String] = []
  /// What it is part of.
  package var project: String?
  /// The revision of the store at its last change; 0 until it was stored.
  package var revision: Int = 0

  /// Creates a todo that nobody has stored yet.
  package init(uuid: UniqueID, createdAt: Instant, number: Int = 0) {
    self.uuid = uuid
    self.createdAt = createdAt
    self.number = number
  }

  /// Whether it is done.
  package var complete: Bool { completedAt != nil }

  /// Whether it is the same todo, with whatever content (S52).
  package func isSame(as other: Todo) -> Bool { uuid == other.uuid }
}

/// How much a todo matters.
package enum Priority: String, Sendable, Equatable, CaseIterable {
  /// As much as most.
  case normal
  /// More than most.
  case high
}

/// How somebody refers to a todo.
package enum TodoReference: Sendable, Hashable {
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
