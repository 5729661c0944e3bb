import EventPatterns

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

/// The rest of a list, known by a number in recordings: what holds it open can't be written.
package struct CursorNumber: Sendable, Equatable, Codable {
  /// The rest of the list.
  package let cursor: TodoCursor

  /// Numbers the rest of a list.
  package init(_ cursor: TodoCursor) {
    self.cursor = cursor
  }

  /// Writes the number.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Identities.of(encoder.userInfo)?.number(of: cursor) ?? 0)
  }

  /// Finds the rest of that number; where nobody has read a beginning, there is none to go on with.
  package init(from decoder: any Decoder) throws {
    let number = try decoder.singleValueContainer().decode(Int.self)
    let identities = Identities.of(decoder.userInfo)
    if let known = identities?.object(number) as? TodoCursor {
      cursor = known
    } else {
      cursor = TodoCursor {
        throw StoreError(path: "", "the rest of this list was not kept in the recording")
      }
      _ = identities?.number(of: cursor)
    }
  }
}
