// A store in a recorded session, and when that is told again: each use of it on the home thread is numbered,
// and what other processes have changed meanwhile belongs to the use that was the first to find it.

/// What other processes have changed meanwhile, and where that first mattered to a session.
package struct OutsideChange<Change: Sendable & Equatable & Codable>: Sendable, Equatable, Codable {
  /// The change.
  package let change: Change
  /// The use of the store, from 1, that was the first to find it.
  package let use: Int

  /// Places a change.
  package init(change: Change, use: Int) {
    self.change = change
    self.use = use
  }
}

/// What is done round each use of a store, on the stream's home thread.
package protocol StoreUses: AnyObject {
  /// Begins, before the first use.
  func begin()
  /// Reads.
  func reading<T>(_ body: () throws -> T) throws -> T
  /// Reads what may take long, and beside frontends does so beside the home thread: then it is no use, as its
  /// reply itself is recorded.
  func readingLong<T>(_ body: () throws -> T) throws -> T
  /// Writes, in a transaction of its own or as a part of the unit.
  func writing<T>(_ body: () throws -> T) throws -> T
  /// Begins a unit.
  func beginUnit() throws
  /// Keeps it.
  func keepUnit() throws
  /// Takes it back.
  func takeBackUnit()
}

/// Nothing is done round them.
package final class PlainUses: StoreUses {
  private let store: SharedStore

  /// Leaves the uses of a store as they are.
  package init(_ store: SharedStore) { self.store = store }

  package func begin() {}
  package func reading<T>(_ body: () throws -> T) throws -> T { try body() }
  package func readingLong<T>(_ body: () throws -> T) throws -> T { try body() }
  package func writing<T>(_ body: () throws -> T) throws -> T { try body() }
  package func beginUnit() throws { try store.beginUnit() }
  package func keepUnit() throws { try store.keepUnit() }
  package func takeBackUnit() { store.takeBackUnit() }
}

/// Notes what others changed, as soon as that matters to what the session reads or writes.
package final class RecordedUses<Change: Sendable & Equatable & Codable>: StoreUses {
  private let store: SharedStore
  private let readsAside: Bool
  /// Finds what others have committed behind a revision, and the last revision that is known now.
  private let find: (_ revision: Int) throws -> (changes: [Change], last: Int)
  private let note: @Sendable (OutsideChange<Change>) -> Void
  /// The last revision that is known to the recording.
  private var last = 0
  /// The number of the use that is under way.
  private var use = 0
  private var isInUnit = false

  /// Notes what others change from now on.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - readsAside: Whether long reads run beside the home thread.
  ///   - find: Finds what others have committed behind a revision, and the last revision that is known now.
  ///   - note: Called on the home thread with each change, in order.
  package init(
    _ store: SharedStore,
    readsAside: Bool,
    find: @escaping (_ revision: Int) throws -> (changes: [Change], last: Int),
    note: @escaping @Sendable (OutsideChange<Change>) -> Void
  ) {
    self.store = store
    store.sharesReads = false
    self.readsAside = readsAside
    self.find = find
    self.note = note
  }

  package func begin() { last = (try? store.readOnce(Revision.newest)) ?? 0 }

  /// Looks for what others have changed; inside of a unit nobody can.
  ///
  /// What can't be read now fails in its own place.
  private func look() {
    guard !isInUnit, let news = try? find(last) else { return }
    last = news.last
    for change in news.changes { note(OutsideChange(change: change, use: use)) }
  }

  /// Reads between two looks that find nothing new: what was read holds what was noted, and no more.
  ///
  /// Where others write without a pause, the last attempt counts.
  package func reading<T>(_ body: () throws -> T) throws -> T {
    use += 1
    look()
    for _ in 0..<20 {
      let known = last
      // What is not found depends on what others have changed, too.
      let result = Result { try body() }
      look()
      if last == known { return try result.get() }
    }
    return try body()
  }

  package func readingLong<T>(_ body: () throws -> T) throws -> T {
    try readsAside ? body() : reading(body)
  }

  /// Writes while nobody else can: what was found is what the write meets, whatever comes of it.
  package func writing<T>(_ body: () throws -> T) throws -> T {
    use += 1
    guard !isInUnit else { return try body() }
    try store.beginUnit()
    do {
      look()
      let result = try body()
      try store.keepUnit()
      return result
    } catch {
      store.takeBackUnit()
      throw error
    }
  }

  package func beginUnit() throws {
    use += 1
    try store.beginUnit()
    // Nobody else writes from here on.
    look()
    isInUnit = true
  }

  package func keepUnit() throws {
    defer { isInUnit = false }
    try store.keepUnit()
  }

  package func takeBackUnit() {
    store.takeBackUnit()
    isInUnit = false
  }
}

/// Writes what others changed when the session was recorded, before the use that was the first to find it.
package final class RetoldUses<Change: Sendable & Equatable & Codable>: StoreUses {
  private let store: SharedStore
  private let readsAside: Bool
  private let adopt: (Change) throws -> Void
  /// What others have changed and no use has found yet, in order.
  private var pending: [OutsideChange<Change>] = []
  /// How often the store was used.
  private var uses = 0

  /// Tells it in a store that nobody else uses.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - readsAside: Whether long reads ran beside the home thread when it was recorded.
  ///   - adopt: Writes a change as another process has made it.
  package init(
    _ store: SharedStore,
    readsAside: Bool,
    adopt: @escaping (Change) throws -> Void
  ) {
    self.store = store
    store.sharesReads = false
    self.readsAside = readsAside
    self.adopt = adopt
  }

  /// Names what others have changed, before it is found.
  package func expect(_ change: OutsideChange<Change>) { pending.append(change) }

  /// Writes what this use is the first to find.
  private func use() throws {
    uses += 1
    while let next = pending.first, next.use <= uses {
      pending.removeFirst()
      try adopt(next.change)
    }
  }

  package func begin() {}

  package func reading<T>(_ body: () throws -> T) throws -> T {
    try use()
    return try body()
  }

  package func readingLong<T>(_ body: () throws -> T) throws -> T {
    try readsAside ? body() : reading(body)
  }

  package func writing<T>(_ body: () throws -> T) throws -> T {
    try use()
    return try body()
  }

  package func beginUnit() throws {
    try use()
    try store.beginUnit()
  }

  package func keepUnit() throws { try store.keepUnit() }
  package func takeBackUnit() { store.takeBackUnit() }
}
