/// The beginning of a list that is read in parts, and how to read on.
package struct TodoPart: Sendable {
  /// The todos, in the order of the query.
  package let todos: [Todo]
  /// What follows them; nil if nothing does.
  package let rest: TodoCursor?

  /// Pairs todos with what follows them.
  package init(_ todos: [Todo], rest: TodoCursor?) {
    self.todos = todos
    self.rest = rest
  }
}

/// The rest of a list, as it stood when its beginning was read; what is held for it goes with it.
///
/// Each part can be read once; any thread, one at a time.
package final class TodoCursor: Sendable, Equatable {
  private let read: @Sendable () throws -> TodoPart

  /// Reads on by a closure.
  package init(_ read: @escaping @Sendable () throws -> TodoPart) {
    self.read = read
  }

  /// Reads the next part.
  package func next() throws -> TodoPart { try read() }

  /// Whether both are the same cursor.
  package static func == (first: TodoCursor, second: TodoCursor) -> Bool { first === second }
}
