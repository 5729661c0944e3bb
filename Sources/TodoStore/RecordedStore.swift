package import EventPatterns
import EventMVVM
package import TodoModels

/// A store whose session is recorded: it notes what other processes changed meanwhile, as soon as that
/// matters to what the session reads or writes.
///
/// A process that runs one job hears of others only by what it finds. Used as `TodoStorage` demands.
package final class RecordedStore: TodoStorage, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `TodoStorage` demands.
  private let database: TodoDatabase
  private let session: UInt64
  /// Whether long reads run beside the home thread.
  private let readsAside: Bool
  private let note: @Sendable (StoreChange) -> Void
  /// The last revision that is known to the recording.
  private var last = 0
  private var isInUnit = false

  /// Notes what others change from now on.
  ///
  /// - Parameters:
  ///   - database: The store.
  ///   - session: Our own, whose changes are not noted.
  ///   - readsAside: Whether long reads run beside the home thread.
  ///   - note: Called on the home thread with each change, in order.
  package init(
    _ database: TodoDatabase,
    besides session: UInt64,
    readsAside: Bool,
    note: @escaping @Sendable (StoreChange) -> Void
  ) {
    self.database = database
    self.session = session
    self.readsAside = readsAside
    self.note = note
  }

  /// The store as one file, from which on changes are noted; nil if nothing was ever in it.
  package func image() throws -> [UInt8]? {
    last = (try? database.newestRevisionRead()) ?? 0
    return try database.image()
  }

  /// Looks for what others have changed; inside of a unit nobody can.
  ///
  /// What can't be read now fails in its own place.
  private func look() {
    guard !isInUnit, let news = try? database.changes(after: last, besides: session) else { return }
    last = news.last
    news.changes.forEach(note)
  }

  /// Reads between two looks that find nothing new: what was read holds what was noted, and no more.
  ///
  /// Where others write without a pause, the last attempt counts.
  private func looking<T>(_ body: () throws -> T) rethrows -> T {
    look()
    for _ in 0..<20 {
      let known = last
      let result = try body()
      look()
      if last == known { return result }
    }
    return try body()
  }

  /// Reads on any thread: beside the home thread nothing is noted, as the reply itself is recorded.
  private func lookingAtHome<T>(_ body: () throws -> T) rethrows -> T {
    try readsAside ? body() : looking(body)
  }

  private func lookingRound<T>(_ body: () throws -> T) rethrows -> T {
    look()
    defer { look() }
    return try body()
  }

  // MARK: The store

  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try looking { try database.read(query, in: view) }
  }

  package func readAside(_ query: TodoQuery) throws -> [Todo] { try database.readAside(query) }

  package func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try lookingAtHome { try database.read(query, inPartsOf: count) }
  }

  package func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try lookingAtHome { try database.count(predicates) }
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try looking { try database.labels(kind, prefix: prefix, in: view) }
  }

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    try lookingRound { try database.write(writes, by: writer) }
  }

  package func steps(
    _ query: RequestReadSteps.Query,
    in view: StorageView
  ) throws -> [TodoStep] {
    try looking { try database.steps(query, in: view) }
  }

  package func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    try lookingAtHome { try database.transitions(after: place, limit: limit) }
  }

  package func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try lookingRound { try database.revert(part, by: writer) }
  }

  package func beginUnit() throws {
    look()
    try database.beginUnit()
    // Nobody else writes from here on, but somebody may have since.
    look()
    isInUnit = true
  }

  package func keepUnit() throws {
    defer { isInUnit = false }
    try database.keepUnit()
  }

  package func takeBackUnit() {
    database.takeBackUnit()
    isInUnit = false
  }

  package func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching {
    database.watch(besides: session, heard)
  }

  package func examine() throws -> StoreReport { try database.examine() }
  package func backUp(to path: String) throws -> StoreCopy { try database.backUp(to: path) }
}
