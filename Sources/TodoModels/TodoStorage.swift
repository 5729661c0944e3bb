package import EventPatterns

/// Where todos are kept (S34, S100).
///
/// Used by the stream's home thread alone, but for what says otherwise.
package protocol TodoStorage: AnyObject, Sendable {
  /// Reads todos as they were last committed, or, inside a unit, as the unit left them.
  func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo]
  /// Lets go of what the reads of the last ``StorageView/shared`` shared.
  func endSharing()
  /// Reads what is committed, on a connection of its own; any thread.
  func readAside(_ query: TodoQuery) throws -> [Todo]
  /// Reads what is committed in parts of so many todos, in one snapshot; any thread.
  func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart
  /// Counts the todos that each of these finds; any thread.
  func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int]
  /// Reads the labels in use that begin with a prefix, in alphabetical order.
  func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String]
  /// Writes in one transaction, with a row in the change log for each todo that changed.
  ///
  /// - Returns: The todos, in the order of the writes, and which of them changed.
  func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo]

  /// Reads steps of the change log.
  func steps(_ query: RequestReadSteps.Query, in view: StorageView) throws -> [TodoStep]
  /// Reads a part of the change log that is committed, forwards; any thread.
  ///
  /// - Throws: ``ModelError/noSuchPlace`` if the log has no such change: it is another store's.
  func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions
  /// Takes a part of a step back, in one transaction.
  func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos

  /// Opens a transaction round all writes until it is kept or taken back.
  func beginUnit() throws
  /// Commits it.
  func keepUnit() throws
  /// Rolls it back.
  func takeBackUnit()

  /// Listens for what other processes commit from now on, until the watch is let go of.
  ///
  /// - Parameters:
  ///   - session: Our own, whose changes are not reported.
  ///   - heard: Called on a thread of the watch's own, in the order of the revisions; with a failure
  ///     once, each time that the store can't be read any more.
  /// - Returns: What has to be kept for as long as something is to be heard.
  func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching
  /// Looks for what is lost or damaged, and changes nothing; any thread.
  func examine() throws -> StoreReport
  /// Copies what is committed into a new file; any thread.
  func backUp(to path: String) throws -> StoreCopy
}

/// A todo after a write.
package struct WrittenTodo: Sendable, Equatable, Codable {
  /// The todo.
  package let todo: Todo
  /// What the write has made of it; nil if it changed nothing.
  package let novelty: TodoNovelty?
  /// The fields that the write gave another value, in the order in which they are declared; of a new todo
  /// those that are not as in an empty one.
  package let fields: [TodoField]

  /// Pairs a todo with what became of it.
  package init(_ todo: Todo, _ novelty: TodoNovelty?, _ fields: [TodoField] = []) {
    self.todo = todo
    self.novelty = novelty
    self.fields = fields
  }

  /// What a write turned a todo into; there is no earlier one of a new todo.
  package init(from before: Todo?, to after: Todo) {
    todo = after
    novelty = TodoNovelty(from: before, to: after)
    let before = before ?? Todo(uuid: after.uuid, createdAt: after.createdAt)
    fields = TodoField.allCases.filter { !$0.isSame(before, after) }
  }

  /// Whether the write changed anything.
  package var isChanged: Bool { novelty != nil }
}

/// What a change means for those who show todos (S45).
package enum TodoNovelty: Sendable, Equatable, Codable {
  /// It has come to be, or is back.
  case added
  /// It is another than before.
  case changed
  /// It is deleted, or its addition was taken back.
  case removed

  /// What turns a todo into another state of it; there is no earlier one of a new todo.
  package init(from before: Todo?, to after: Todo) {
    let wasThere = before.map { !$0.deleted && !$0.withdrawn } ?? false
    let isThere = !after.deleted && !after.withdrawn
    self = wasThere == isThere ? .changed : isThere ? .added : .removed
  }
}
