import EventMVVM
import EventRecords
import Foundation
import GRDB

/// A connection to a store that has been checked: its application, its schema, its completeness.
///
/// Used by one thread at a time.
final class StoreConnection: Sendable {
  /// The connection itself.
  let queue: DatabaseQueue
  let files: OpenFiles
  private let signal: ChangeSignal
  private let patience: TimeInterval
  /// The schema by which the program writes.
  private let version: Int
  private let isReadOnly: Bool
  private let closing = Locked(false)

  init(
    _ queue: DatabaseQueue,
    _ files: OpenFiles,
    _ signal: ChangeSignal,
    patience: TimeInterval,
    version: Int,
    isReadOnly: Bool
  ) {
    self.queue = queue
    self.files = files
    self.signal = signal
    self.patience = patience
    self.version = version
    self.isReadOnly = isReadOnly
    if files.sharesMemory { OpenConnections.add(self) }
  }

  deinit {
    // Closing the last connection copies the log into the file, which must not be another store's.
    if !isClosed, !isReadOnly, !isIntact { closeKeepingLog() }
    ClosedQueues.close(queue)
  }

  private var isIntact: Bool {
    (try? files.check()) != nil && (try? queue.inDatabase { try $0.compareFiles() }) == .match
  }

  // MARK: Transactions

  /// Writes in a transaction of its own.
  func transaction<T>(_ body: (Database) throws -> T) throws -> T {
    try begin()
    let result: T
    do {
      result = try queue.inDatabase(body)
    } catch {
      rollBack()
      throw error
    }
    try commit()
    return result
  }

  /// Begins a transaction that writes, once no other process writes.
  ///
  /// The signal's lock is held from before BEGIN until after the commit and its checkpoint: SQLite
  /// 3.7.0 to 3.51.2 have a rare race between processes when the log is restarted.
  func begin() throws {
    try signal.lock(patience: patience)
    do {
      try files.check()
      try queue.inDatabase { database in
        try database.execute(cached: "BEGIN IMMEDIATE")
        do {
          try checkNothingChanged(database)
        } catch {
          try? database.execute(cached: "ROLLBACK")
          throw error
        }
      }
    } catch {
      signal.unlock()
      throw error
    }
  }

  /// Throws unless the transaction continues the store as all processes have acknowledged it.
  private func checkNothingChanged(_ database: Database) throws {
    try files.check(database.compareFiles())
    let (newest, signalled) = (try Revision.newest(database), signal.revision ?? 0)
    guard newest >= signalled else {
      throw files.stale(.outOfDate(files.path, files.name, newest, signalled))
    }
    let found = try Migrations.version(of: database)
    guard found <= version else { throw StoreError.newer(files.path, found, known: version) }
  }

  /// Commits, and notifies other processes.
  func commit() throws {
    defer { signal.unlock() }
    try queue.inDatabase { database in
      do {
        try files.check()
        try database.checkIsInsideTransaction(files.path)
        let revision = try Revision.newest(database)
        do {
          try database.execute(cached: "COMMIT")
        } catch let error as DatabaseError {
          throw StoreError(error, path: files.path, isCommitting: true)
        }
        signal.send(revision)
      } catch {
        try? database.execute(cached: "ROLLBACK")
        throw error
      }
    }
  }

  /// Rolls back.
  func rollBack() {
    try? queue.inDatabase { try $0.execute(cached: "ROLLBACK") }
    signal.unlock()
  }

  // MARK: Closing

  /// Whether it was closed early, because its files were no longer the store's.
  var isClosed: Bool { closing.withLock { $0 } }

  /// Closes the connection without copying or deleting the log; any thread, once the present use of
  /// the connection has ended.
  ///
  /// A list that is still being read in parts ends first; until then the store can't be opened
  /// anew.
  func closeKeepingLog() {
    let wasClosed = closing.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    queue.inDatabase { $0.keepLogAtClose() }
    try? queue.close()
  }
}

/// Closed queues, of which a process keeps the first few: one that is released asks Foundation's
/// notification center to forget it, which it never knew, and whose creation takes as long as a
/// tenth of a command.
private enum ClosedQueues {
  private static let kept = Locked<[DatabaseQueue]>([])

  static func close(_ queue: DatabaseQueue) {
    // One that can't be closed yet is closed when it is released.
    guard (try? queue.close()) != nil else { return }
    kept.withLock { if $0.count < 4 { $0.append(queue) } }
  }
}

extension Database {
  /// Throws if SQLite has rolled back the transaction by itself, as it does after some errors:
  /// later statements would be committed one by one.
  func checkIsInsideTransaction(_ path: String) throws {
    guard sqliteConnection != nil else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    guard !isInsideTransaction else { return }
    throw StoreError(
      path: path,
      "the transaction was given up after an error; nothing was written, try again"
    )
  }
}

/// The revision of a store: the number of its last change.
///
/// Every schema has a table `change` with a column `revision`, to which each change appends a row.
enum Revision {
  /// Returns the revision of the last row; 0 if there is none.
  static func newest(_ database: Database) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT max(revision) FROM change")
    return try Int.fetchOne(statement) ?? 0
  }
}

/// The connections of this process, which share memory if they are to the same store: SQLite does
/// that.
enum OpenConnections {
  private struct Entry {
    weak var connection: StoreConnection?
  }

  private static let entries = Locked<[Entry]>([])

  /// Adds a connection, without keeping it alive.
  static func add(_ connection: StoreConnection) {
    entries.withLock { entries in
      entries.removeAll { $0.connection == nil }
      entries.append(Entry(connection: connection))
    }
  }

  private static var open: [StoreConnection] {
    entries.withLock { $0.compactMap(\.connection) }.filter { !$0.isClosed }
  }

  /// Closes all connections to a store, on all threads, and leaves its log as it is.
  ///
  /// Waits for their present uses. Must not be called while the caller uses one of them.
  static func close(target: String) {
    for connection in open where connection.files.target == target { connection.closeKeepingLog() }
  }
}

extension Database {
  /// Reads one state of the store with any number of statements.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  func inSnapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInsideTransaction else { return try body() }
    try execute(cached: "BEGIN")
    defer { try? execute(cached: "COMMIT") }
    return try body()
  }

  /// Writes a part of a transaction that can fail by itself.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; then the part is rolled back.
  func inPart<T>(_ body: () throws -> T) throws -> T {
    try execute(cached: "SAVEPOINT part")
    do {
      let result = try body()
      try execute(cached: "RELEASE part")
      return result
    } catch {
      try? execute(cached: "ROLLBACK TO part")
      try? execute(cached: "RELEASE part")
      throw error
    }
  }

  /// Writes a part of a transaction that fails before it has written anything.
  ///
  /// If it fails after that, the whole transaction is rolled back; later writes in it fail, as does
  /// its commit. The savepoint that this saves costs a tenth of the instructions of an addition,
  /// and a copy of each page that is changed.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  func unlessHalfDone<T>(_ body: () throws -> T) throws -> T {
    let changes = totalChangesCount
    do {
      return try body()
    } catch {
      if totalChangesCount != changes { try? execute(cached: "ROLLBACK") }
      throw error
    }
  }

  /// Executes a statement without values that is prepared once for each connection: preparing it
  /// each time costs half as much as finding a record.
  func execute(cached sql: String) throws { try cachedStatement(sql: sql).execute() }
}
