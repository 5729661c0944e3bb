package import EventPatterns
import EventMVVM
package import TodoModels

/// A store in which a recorded session is told again: what other processes changed meanwhile is written
/// into it, before the use of the store that was the first to find it.
///
/// Used by the home thread.
package final class ReplayedStore: TodoStorage, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `TodoStorage` demands.
  private let database: TodoDatabase
  /// Whether long reads ran beside the home thread: they are not asked again.
  private let readsAside: Bool
  /// What others have changed and no use has found yet, in order.
  private var pending: [OutsideChange] = []
  /// How often the store was used.
  private var uses = 0

  /// Tells it in a store that nobody else uses.
  ///
  /// - Parameters:
  ///   - database: The store.
  ///   - readsAside: Whether long reads ran beside the home thread when it was recorded.
  package init(_ database: TodoDatabase, readsAside: Bool) {
    self.database = database
    self.readsAside = readsAside
  }

  /// Names what others have changed, before it is found.
  package func expect(_ change: OutsideChange) { pending.append(change) }

  /// Writes what this use is the first to find.
  private func use() throws {
    uses += 1
    while let next = pending.first, next.use <= uses {
      pending.removeFirst()
      try database.adopt(next.change)
    }
  }

  /// A read that is one of the uses, unless it ran beside the home thread.
  private func useAtHome() throws {
    if !readsAside { try use() }
  }

  // MARK: The store

  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try use()
    return try database.read(query, in: view)
  }

  package func readAside(_ query: TodoQuery) throws -> [Todo] { try database.readAside(query) }

  package func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try useAtHome()
    return try database.read(query, inPartsOf: count)
  }

  package func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try useAtHome()
    return try database.count(predicates)
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try use()
    return try database.labels(kind, prefix: prefix, in: view)
  }

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    try use()
    return try database.write(writes, by: writer)
  }

  package func steps(
    _ query: RequestReadSteps.Query,
    in view: StorageView
  ) throws -> [TodoStep] {
    try use()
    return try database.steps(query, in: view)
  }

  package func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    try useAtHome()
    return try database.transitions(after: place, limit: limit)
  }

  package func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try use()
    return try database.revert(part, by: writer)
  }

  package func beginUnit() throws {
    try use()
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
