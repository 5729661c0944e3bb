import EventMVVM

/// Reads todos (S18).
package struct RequestReadTodos: ModelEvent, Request, Codable {
  package typealias Reply = ResponseTodos
  package static let writes = false
  /// How much of a list to read at once.
  package enum Extent: Sendable, Equatable, Codable {
    /// All of it.
    case all
    /// The first so many, and a way to go on.
    case part(Int)
    /// What follows a part.
    case rest(CursorNumber)

    /// What follows a part.
    package static func rest(_ cursor: TodoCursor) -> Extent { .rest(CursorNumber(cursor)) }
  }

  /// Which, in which order, and how many.
  package var query: TodoQuery
  /// How much of it at once.
  package var extent: Extent

  /// Asks for todos.
  package init(_ query: TodoQuery = TodoQuery(), _ extent: Extent = .all) {
    self.query = query
    self.extent = extent
  }

  package var subject: String? { query.predicate.references?.subject }
}

/// The todos that were asked for (S18).
package struct ResponseTodos: ModelEvent, Response, Decodable {
  /// The todos or why they can't be read.
  package let result: Result<[Todo], ModelError>
  /// What follows, where a part was asked for.
  package private(set) var rest: TodoCursor?

  /// Wraps an outcome.
  package init(_ result: Result<[Todo], ModelError>) {
    self.result = result
  }

  /// Writes its result, and which list can be read on.
  package func _record(to encoder: any Encoder) throws -> Bool {
    var container = encoder.container(keyedBy: Key.self)
    switch result {
    case .success(let todos): try container.encode(todos, forKey: .success)
    case .failure(let error): try container.encode(error, forKey: .failure)
    }
    try container.encodeIfPresent(rest.map(CursorNumber.init), forKey: .rest)
    return true
  }

  /// Reads what was recorded; of what follows, no more is there than that something does.
  package init(from decoder: any Decoder) throws {
    result = try Result(from: decoder)
    rest = try decoder.container(keyedBy: Key.self)
      .decodeIfPresent(CursorNumber.self, forKey: .rest)?
      .cursor
  }

  private enum Key: String, CodingKey {
    case success, failure, rest
  }

  /// Wraps a part of a list.
  init(_ part: Result<TodoPart, ModelError>) {
    result = part.map(\.todos)
    rest = try? part.get().rest
  }

  package var subject: String? { result.subject { $0.subject } }
}

/// Changes todos, or adds one (S19): all of its writes take effect, or none.
package struct RequestWriteTodo: ModelEvent, Request, Codable {
  package typealias Reply = ResponseTodo
  /// What to write, in order.
  package var writes: [TodoWrite]

  /// Asks for writes that belong together.
  package init(_ writes: [TodoWrite]) {
    self.writes = writes
  }

  /// Asks for one write.
  package init(_ write: TodoWrite) {
    writes = [write]
  }

  package var subject: String? { writes.subject }
}

/// One write.
package enum TodoWrite: Sendable, Equatable, Codable {
  /// Adds a todo; if one with its UUID exists, gives that one its content (upsert by id).
  case add(Todo)
  /// Changes some fields of a todo; `seen` is the revision that the writer saw, if any.
  case change(TodoReference, TodoPatch, seen: Int?)
  /// Gives a todo another place in the order of the list, beside another one (S62).
  case move(TodoReference, TodoSide, of: TodoReference, seen: Int?)

  /// The todo as the writer refers to it; nil if it is new.
  var subject: String? {
    switch self {
    case .add(let todo): todo.number == 0 ? nil : Subject.number(todo.number)
    case .change(let reference, _, _), .move(let reference, _, _, _): reference.text
    }
  }
}

/// The todos as they were written, in the order of the writes (S19).
package struct ResponseTodo: ModelEvent, Response, Decodable {
  // The second says which fields were changed.
  package static let version = 2
  /// The todos or why nothing was written.
  package let result: Result<[WrittenTodo], ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<[WrittenTodo], ModelError>) {
    self.result = result
  }

  package var subject: String? { result.subject { $0.subject } }
}

/// Reads the labels in use, for completion.
package struct RequestReadLabels: ModelEvent, Request, Codable {
  /// Which labels.
  package enum Kind: Sendable, Equatable, Codable {
    /// Tags.
    case tags
    /// Projects.
    case projects
  }

  package typealias Reply = ResponseLabels
  package static let writes = false
  /// Which labels.
  package var kind: Kind
  /// What they begin with.
  package var prefix: String

  /// Asks for labels.
  package init(_ kind: Kind, prefix: String) {
    self.kind = kind
    self.prefix = prefix
  }
}

/// The labels in use, in alphabetical order.
package struct ResponseLabels: ModelEvent, Response, Decodable {
  /// The labels or why they can't be read.
  package let result: Result<[String], ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<[String], ModelError>) {
    self.result = result
  }
}

/// Counts todos.
package struct RequestCountTodos: ModelEvent, Request, Codable {
  package typealias Reply = ResponseCount
  package static let writes = false
  /// Which; each is counted for itself, without references.
  package var predicates: [TodoQuery.Predicate]

  /// Asks for numbers.
  package init(_ predicates: [TodoQuery.Predicate]) {
    self.predicates = predicates
  }
}

/// The numbers of todos, in the order of the predicates.
package struct ResponseCount: ModelEvent, Response, Decodable {
  /// The numbers or why they can't be read.
  package let result: Result<[Int], ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<[Int], ModelError>) {
    self.result = result
  }
}
