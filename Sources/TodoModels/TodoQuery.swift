package import EventMVVM

/// Which todos to read, in which order, and how many (S36).
package struct TodoQuery: Sendable, Equatable, Codable {
  /// Which to read; all parts must hold.
  package struct Predicate: Sendable, Equatable, Codable {
    /// Those referred to; nil means any.
    package var references: [TodoReference]?
    /// Each a part of title or notes, in any case.
    package var words: [String] = []
    /// Completed or open ones.
    package var complete: Bool?
    /// Deleted ones or others.
    package var deleted: Bool?
    /// Those that have all these tags.
    package var tags: [String] = []
    /// Those of a project.
    package var project: String?
    /// Those of a priority.
    package var priority: Priority?
    /// Those due strictly before.
    package var dueBefore: CivilTime?
    /// Those due strictly after.
    package var dueAfter: CivilTime?

    /// Any todo.
    package init() {}
  }

  /// What to sort by.
  package enum Key: String, Sendable, Equatable, CaseIterable, Codable {
    /// When it was made.
    case created
    /// When it is due; those without come last in either direction.
    case due
    /// High before normal.
    case priority
    /// The title, in alphabetical order.
    case title
    /// As a person has put them (S62): the newest first, but for those that were moved.
    case manual
  }

  /// An order; ties go by number, newest first.
  package struct Sort: Sendable, Equatable, Codable {
    /// What to sort by.
    package var key: Key
    /// Whether the key's own order is turned round.
    package var isReversed: Bool

    /// An order by a key; by `created` newest first (S35), else smallest or most urgent first.
    package init(_ key: Key, isReversed: Bool = false) {
      self.key = key
      self.isReversed = isReversed
    }
  }

  /// Which to read.
  package var predicate = Predicate()
  /// In which order.
  package var sort = Sort(.created)
  /// How many at most; nil means all.
  package var limit: Int?

  /// Reads all todos, newest first.
  package init() {}

  /// Whether there can be so many todos that reading them takes long.
  var mayBeLong: Bool { predicate.references == nil && limit.map { $0 > 100 } ?? true }

  /// Reads the todos referred to.
  package init(_ references: [TodoReference]) {
    predicate.references = references
  }
}
