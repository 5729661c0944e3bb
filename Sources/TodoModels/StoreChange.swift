package import EventMVVM

/// What another process has changed in the store, with one intent.
package struct StoreChange: Sendable, Equatable, Codable {
  /// The intent behind it.
  package let root: Root
  /// The name of the other process's frontend or plugin whose intent it was.
  package let origin: String
  /// When.
  package let time: Instant
  /// The number of the step that it took back, if it was an undo or a redo.
  package let undoes: Int?
  /// The todos as it left them, in the order of their changes.
  package var todos: [WrittenTodo]

  /// Notes a change.
  package init(
    root: Root,
    origin: String,
    time: Instant,
    undoes: Int? = nil,
    todos: [WrittenTodo]
  ) {
    self.undoes = undoes
    self.root = root
    self.origin = origin
    self.time = time
    self.todos = todos
  }
}

/// Says what another process has changed in the store.
///
/// Changes come in the order of their revisions, each once, and many of one intent in several events.
package struct ResponseStoreChange: ModelEvent, Fact, Codable {
  // The second says which fields were changed.
  package static let version = 2
  /// The change or why the store can't be watched.
  package let result: Result<StoreChange, ModelError>

  /// Wraps what was heard.
  package init(_ result: Result<StoreChange, ModelError>) {
    self.result = result
  }

  /// Writes the result.
  package func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }

  /// Reads a result.
  package init(from decoder: any Decoder) throws { result = try Result(from: decoder) }

  package var subject: String? { result.subject { $0.todos.subject } }
}
