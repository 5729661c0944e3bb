package import EventPatterns
import EventMVVM
package import TodoModels

/// What other processes have changed meanwhile, and where that first mattered to a session.
package struct OutsideChange: Sendable, Equatable, Codable {
  /// The change.
  package let change: StoreChange
  /// The use of the store, from 1, that was the first to find it.
  package let use: Int
}

/// A store whose session is recorded: it notes what other processes changed meanwhile, as soon as that
/// matters to what the session reads or writes.
///
/// Each use of the store on the home thread is numbered, and finds what is noted under its number and
/// those before it, and nothing else: so a ``ReplayedStore`` knows what to find, and when. Used as
/// `TodoStorage` demands.
package final class RecordedStore: TodoStorage, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `TodoStorage` demands.
  private let database: TodoDatabase
  private let session: UInt64
  /// Whether long reads run beside the home thread.
  private let readsAside: Bool
  private let note: @Sendable (OutsideChange) -> Void
  /// The last revision that is known to the recording.
  private var last = 0
  /// The number of the use that is under way.
  private var use = 0
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
    note: @escaping @Sendable (OutsideChange) -> Void
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
    for change in news.changes { note(OutsideChange(change: change, use: use)) }
  }

  /// Reads between two looks that find nothing new: what was read holds what was noted, and no more.
  ///
  /// Where others write without a pause, the last attempt counts.
  private func looking<T>(_ body: () throws -> T) rethrows -> T {
    use += 1
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

  /// Writes while nobody else can: what was found is what the write meets, whatever comes of it.
  private func alone<T>(_ body: () throws -> T) throws -> T {
    use += 1
    guard !isInUnit else { return try body() }
    try database.beginUnit()
    do {
      look()
      let result = try body()
      try database.keepUnit()
      return result
    } catch {
      database.takeBackUnit()
      throw error
    }
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
    try alone { try database.write(writes, by: writer) }
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
    try alone { try database.revert(part, by: writer) }
  }

  package func beginUnit() throws {
    use += 1
    try database.beginUnit()
    // Nobody else writes from here on.
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
