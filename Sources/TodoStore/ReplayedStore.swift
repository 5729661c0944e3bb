package import EventPatterns
import EventMVVM
package import TodoModels

/// A store in which a recorded session is told again: what other processes changed meanwhile is written
/// into it, each change in the place where it was.
///
/// A revision says where: before the first write of the session's own that would take it, and at the
/// latest when the session heard of it. Used by the home thread.
package final class ReplayedStore: TodoStorage, @unchecked Sendable {
  // Unchecked: the variable belongs to the stream's home thread, as `TodoStorage` demands.
  private let database: TodoDatabase
  /// What others are still to change, in order.
  private var pending: ArraySlice<StoreChange> = []

  /// Tells it in a store that nobody else uses.
  package init(_ database: TodoDatabase) {
    self.database = database
  }

  /// Names what other processes have changed, in order, before anything is told.
  package func expect(_ changes: [StoreChange]) {
    pending = changes.flatMap(\.singles)[...]
  }

  /// Writes what the session hears of now, unless that is in the store already.
  package func hear(_ change: StoreChange) throws {
    let last = change.todos.last?.todo.revision ?? 0
    while let next = pending.first, next.revision <= last { try adopt(next) }
  }

  /// Takes what others had changed when the session read or wrote next.
  package func meet(_ change: StoreChange) throws {
    let known = Set(pending.map(\.revision))
    let news = change.singles.filter { !known.contains($0.revision) }
    pending = (pending + news).sorted { $0.revision < $1.revision }[...]
    try catchUp()
  }

  /// Writes what others have changed before the next own write.
  private func catchUp() throws {
    guard !pending.isEmpty else { return }
    let newest = try database.newestRevision()
    // What the recording began with may hold the first of them.
    pending = pending.drop { $0.revision <= newest }
    var revision = newest + 1
    while let next = pending.first, next.revision == revision {
      try adopt(next)
      revision += 1
    }
  }

  private func adopt(_ change: StoreChange) throws {
    pending = pending.dropFirst()
    try database.adopt(change)
  }

  // MARK: The store

  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try database.read(query, in: view)
  }

  package func readAside(_ query: TodoQuery) throws -> [Todo] { try database.readAside(query) }

  package func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try database.read(query, inPartsOf: count)
  }

  package func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try database.count(predicates)
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try database.labels(kind, prefix: prefix, in: view)
  }

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    try catchUp()
    return try database.write(writes, by: writer)
  }

  package func steps(
    _ query: RequestReadSteps.Query,
    in view: StorageView
  ) throws -> [TodoStep] {
    try database.steps(query, in: view)
  }

  package func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    try database.transitions(after: place, limit: limit)
  }

  package func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try catchUp()
    return try database.revert(part, by: writer)
  }

  package func beginUnit() throws {
    try catchUp()
    try database.beginUnit()
  }

  package func keepUnit() throws { try database.keepUnit() }
  package func takeBackUnit() { database.takeBackUnit() }

  package func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching {
    database.watch(besides: session, heard)
  }

  package func examine() throws -> StoreReport { try database.examine() }
  package func backUp(to path: String) throws -> StoreCopy { try database.backUp(to: path) }
}

extension StoreChange {
  /// The change, todo by todo.
  fileprivate var singles: [StoreChange] {
    todos.map { StoreChange(root: root, origin: origin, time: time, todos: [$0]) }
  }

  /// The revision of a change of one todo.
  fileprivate var revision: Int { todos.first?.todo.revision ?? 0 }
}
