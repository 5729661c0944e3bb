// The store of a recorded session, and of its replay: each use of it on the home thread is
// numbered, and an external change belongs to the first use that finds it.

/// An external change, and the use of the store at which it first affected a session.
package struct FoundChange: Sendable, Equatable, Codable {
  /// The change.
  package let change: ExternalChange
  /// The number of the use that found it first, from 1.
  package let use: Int

  /// Creates a found change.
  package init(change: ExternalChange, use: Int) {
    self.change = change
    self.use = use
  }
}

/// An engine around another one, which numbers its uses; a subclass defines the action at each use.
///
/// Reads that may take long run in the background where frontends are served. These are not
/// counted as uses, as their replies are recorded.
package class NumberedEngine: RecordEngine, @unchecked Sendable {
  // Unchecked: the variables of subclasses belong to the stream's home thread, as
  // `RecordEngine` demands.
  fileprivate let engine: any RecordEngine
  private let readsAside: Bool
  fileprivate private(set) var types = RecordTypes([])
  /// The number of uses so far.
  fileprivate var uses = 0

  fileprivate init(_ engine: any RecordEngine, readsAside: Bool) {
    self.engine = engine
    self.readsAside = readsAside
  }

  /// Reads as a use.
  fileprivate func reading<T>(_ body: () throws -> T) throws -> T { try body() }
  /// Writes as a use.
  fileprivate func writing<T>(_ body: () throws -> T) throws -> T { try body() }

  package var name: String { engine.name }

  package func open(_ tables: [RecordTable]) {
    types = RecordTypes(of: tables)
    engine.open(tables)
  }

  package func read<T>(in view: StorageView, _ body: (any RecordReader) throws -> T) throws -> T? {
    // Each must see external changes that were committed just before.
    try reading { try engine.read(in: view == .shared ? .committed : view, body) }
  }

  package func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T? {
    try readsAside ? engine.readCommitted(body) : reading { try engine.readCommitted(body) }
  }

  package func openRows(_ query: RecordQuery, of table: RecordTable) throws -> (any OpenRows)? {
    try readsAside
      ? engine.openRows(query, of: table) : reading { try engine.openRows(query, of: table) }
  }

  package func endSharing() { engine.endSharing() }
  package func close() { engine.close() }
  package func image() throws -> [UInt8]? { try engine.image() }
  package func restore(_ image: [UInt8]) throws -> Bool { try engine.restore(image) }

  package func write<T>(
    savepoint: Bool,
    _ body: (any RecordWriter) throws -> T
  ) throws -> T {
    try writing { try engine.write(savepoint: savepoint, body) }
  }

  package func beginUnit() throws { try engine.beginUnit() }
  package func commitUnit() throws { try engine.commitUnit() }
  package func rollBackUnit() { engine.rollBackUnit() }

  package func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    report: @escaping @Sendable (StoreError?) -> Void
  ) -> any StoreWatching {
    engine.watch(read, report: report)
  }

  package func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    try engine.examine(contents)
  }

  package func backUp(to path: String) throws -> StoreCopy { try engine.backUp(to: path) }
}

/// Records external changes, as soon as they affect a read or a write of the session.
package final class RecordedEngine: NumberedEngine, @unchecked Sendable {
  private let session: UInt64
  private let note: @Sendable (FoundChange) -> Void
  /// The last revision that the recording covers.
  private var last = 0
  private var isInUnit = false

  /// Creates an engine that records external changes from ``begin()`` on.
  ///
  /// - Parameters:
  ///   - engine: The store.
  ///   - session: The session, whose own changes are not external.
  ///   - readsAside: Whether long reads run in the background.
  ///   - note: Called on the home thread with each change, in order.
  package init(
    _ engine: any RecordEngine,
    excluding session: UInt64,
    readsAside: Bool,
    _ note: @escaping @Sendable (FoundChange) -> Void
  ) {
    self.session = session
    self.note = note
    super.init(engine, readsAside: readsAside)
  }

  /// Treats committed changes as known; called before the first use.
  package func begin() {
    last = (try? engine.read(in: .committed) { try $0.end().revision }) ?? 0
  }

  /// Searches for external changes.
  ///
  /// Failures are ignored here: the use itself fails.
  private func look(_ view: StorageView = .committed) {
    let updates = try? engine.read(in: view) { store in
      try RecordHistory(store, types).external(after: last, excluding: session, limit: .max)
    }
    guard let updates else { return }
    last = updates.last
    for change in updates.changes { note(FoundChange(change: change, use: uses)) }
  }

  /// Reads between two searches of which the second finds nothing new: the read saw exactly the
  /// recorded changes.
  ///
  /// Where other processes write without a pause, the last attempt counts.
  fileprivate override func reading<T>(_ body: () throws -> T) throws -> T {
    uses += 1
    // Inside a unit no other process writes.
    guard !isInUnit else { return try body() }
    look()
    for _ in 0..<20 {
      let known = last
      // A record that is not found depends on external changes as well.
      let result = Result { try body() }
      look()
      if last == known { return try result.get() }
    }
    return try body()
  }

  /// Writes while no other process can: the write builds on the changes that were found, even if it
  /// fails.
  fileprivate override func writing<T>(_ body: () throws -> T) throws -> T {
    guard !isInUnit else {
      uses += 1
      return try body()
    }
    try beginUnit()
    do {
      let result = try body()
      try commitUnit()
      return result
    } catch {
      rollBackUnit()
      throw error
    }
  }

  package override func beginUnit() throws {
    uses += 1
    try engine.beginUnit()
    isInUnit = true
    look(.insideUnit)
  }

  package override func commitUnit() throws {
    defer { isInUnit = false }
    try engine.commitUnit()
  }

  package override func rollBackUnit() {
    engine.rollBackUnit()
    isInUnit = false
  }
}

/// Writes the external changes of the recorded session, each before the use that found it first.
package final class ReplayedEngine: NumberedEngine, @unchecked Sendable {
  /// External changes that no use has found yet, in order.
  private var pending: [FoundChange] = []

  /// Creates an engine that replays a session in its own store.
  ///
  /// - Parameters:
  ///   - engine: The store.
  ///   - readsAside: Whether long reads ran in the background when it was recorded.
  package override init(_ engine: any RecordEngine, readsAside: Bool) {
    super.init(engine, readsAside: readsAside)
  }

  /// Adds an external change, before the use that finds it.
  package func expect(_ change: FoundChange) { pending.append(change) }

  /// Writes the changes that this use finds first.
  private func use() throws {
    uses += 1
    while let next = pending.first, next.use <= uses {
      pending.removeFirst()
      try adopt(next.change)
    }
  }

  /// Writes a change in the form of another process's change.
  private func adopt(_ change: ExternalChange) throws {
    try engine.write { store in
      var transaction = try RecordTransaction(
        store,
        types,
        by: Author(root: change.root, origin: change.origin, time: change.time),
        ordinal: 0
      )
      transaction.undone = try change.undoes.flatMap { try store.steps(.number($0)).first }
      try transaction.adopt(change.changes)
    }
  }

  fileprivate override func reading<T>(_ body: () throws -> T) throws -> T {
    try use()
    return try body()
  }

  fileprivate override func writing<T>(_ body: () throws -> T) throws -> T {
    try reading(body)
  }

  package override func beginUnit() throws {
    try use()
    try engine.beginUnit()
  }
}
