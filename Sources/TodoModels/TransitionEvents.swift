package import EventMVVM

/// Reads what became of todos, one change after another, from a revision on.
package struct RequestReadTransitions: ModelEvent, Request, Codable {
  package typealias Reply = ResponseTransitions
  package static let writes = false

  /// The last change that is known; nil for the beginning.
  package let place: TransitionPlace?
  /// How many changes at most.
  package let limit: Int

  /// Asks for the changes behind a revision.
  package init(after place: TransitionPlace?, limit: Int) {
    self.place = place
    self.limit = limit
  }
}

/// The changes that were asked for.
package struct ResponseTransitions: ModelEvent, Response, Decodable {
  // The second says which addition was undone or redone.
  package static let version = 2
  /// The changes or why they can't be read.
  package let result: Result<TodoTransitions, ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<TodoTransitions, ModelError>) {
    self.result = result
  }
}

/// A change, told from those of all other stores by whose intent it was.
package struct TransitionPlace: Sendable, Equatable, Codable {
  /// Its revision.
  package let revision: Int
  /// Whose intent it was.
  package let root: Root

  /// Names a change.
  package init(_ revision: Int, _ root: Root) {
    self.revision = revision
    self.root = root
  }
}

/// A part of the change log.
package struct TodoTransitions: Sendable, Equatable, Codable {
  /// A change of one todo.
  package struct Transition: Sendable, Equatable, Codable {
    /// The todo before, of whose identity only the number counts; nil if it is new.
    package let before: Todo?
    /// The todo afterwards.
    package let after: Todo
    /// When.
    package let time: Instant
    /// The addition that this has taken back, or taken back no longer; nil for any other change.
    package let addition: Addition?

    /// Describes a change.
    package init(
      from before: Todo?,
      to after: Todo,
      at time: Instant,
      reversing addition: Addition? = nil
    ) {
      self.before = before
      self.after = after
      self.time = time
      self.addition = addition
    }

    /// Whether it takes an addition back, or has one stand again.
    package var reversesAddition: Bool {
      before.map { $0.withdrawn != after.withdrawn } ?? false
    }
  }

  /// How a todo came to be.
  package struct Addition: Sendable, Equatable, Codable {
    /// The todo as it was then, of whose identity only the number counts.
    package let todo: Todo
    /// When.
    package let time: Instant

    /// Describes an addition.
    package init(of todo: Todo, at time: Instant) {
      self.todo = todo
      self.time = time
    }
  }

  /// The changes, oldest first.
  package let transitions: [Transition]
  /// The last change that they reach; nil where there is none.
  package let place: TransitionPlace?
  /// Whether that is the end of the log.
  package let isLast: Bool

  /// Describes a part of the log.
  package init(_ transitions: [Transition], upTo place: TransitionPlace?, isLast: Bool) {
    self.transitions = transitions
    self.place = place
    self.isLast = isLast
  }
}
