import EventMVVM
package import EventPatterns

/// Reads steps of the change log.
package struct RequestReadSteps: ModelEvent, Request, Codable {
  package typealias Reply = ResponseSteps
  package static let writes = false

  /// Which steps, or whose changes.
  package enum Query: Sendable, Equatable, Codable {
    /// Steps.
    case steps(StepQuery)
    /// The changes of one todo, newest first, at most so many.
    case todo(TodoReference, Int)
  }

  /// What to read.
  package let query: Query

  /// Asks for steps.
  package init(_ query: Query) {
    self.query = query
  }
}

/// The steps that were asked for.
package struct ResponseSteps: ModelEvent, Response, Decodable {
  /// The steps or why they can't be read.
  package let result: Result<[TodoStep], ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<[TodoStep], ModelError>) {
    self.result = result
  }
}

/// A step of the change log.
package struct TodoStep: Sendable, Equatable, Codable {
  /// The step itself.
  package let step: Step
  /// How many todos it changed.
  package let count: Int
  /// What became of the first few of them.
  package let todos: [TodoDifference]

  /// Describes a step.
  package init(_ step: Step, count: Int, todos: [TodoDifference]) {
    self.step = step
    self.count = count
    self.todos = todos
  }
}

/// Takes a step back, a part at a time.
package struct RequestRevertStep: ModelEvent, Request, Codable {
  package typealias Reply = ResponseRevertStep
  /// The number of the step.
  package let step: Int
  /// Whether fields in conflict get their earlier values, too.
  package let force: Bool
  /// The number of the last todo that earlier parts have dealt with.
  package let last: Int?

  /// Asks for a part of a reversal.
  package init(step: Int, force: Bool, after last: Int?) {
    self.step = step
    self.force = force
    self.last = last
  }
}

/// What a part of a reversal has done.
package struct ResponseRevertStep: ModelEvent, Response, Decodable {
  /// What was done or why nothing was.
  package let result: Result<RevertedTodos, ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<RevertedTodos, ModelError>) {
    self.result = result
  }
}

/// The todos of a part of a step that was taken back.
package struct RevertedTodos: Sendable, Equatable, Codable {
  /// What became of those that it changed.
  package let todos: [TodoDifference]
  /// The fields that were changed since.
  package let conflicts: [TodoFieldConflict]
  /// The number of the last todo, to go on behind it; nil at the end of the step.
  package let rest: Int?

  /// Describes a part.
  package init(todos: [TodoDifference], conflicts: [TodoFieldConflict], rest: Int?) {
    self.todos = todos
    self.conflicts = conflicts
    self.rest = rest
  }
}
