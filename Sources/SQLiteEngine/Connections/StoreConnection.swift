import EventMVVM
import EventRecords
import Foundation
import GRDB

/// A connection to a store that has been checked: ours, of this program's schema, nothing missing.
///
/// Used by one thread at a time.
final class StoreConnection: Sendable {
  /// The connection itself.
  let queue: DatabaseQueue
  let files: OpenFiles
  private let signal: ChangeSignal
  private let patience: TimeInterval
  /// The schema that the program writes by.
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
    // To close the last connection copies the log into the file: never one that is another store's.
    if !isClosed, !isReadOnly, !isIntact { closeKeepingLog() }
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

  /// Begins a transaction that writes, once no other process does.
  ///
  /// The signal's lock is held from before BEGIN until the commit and its checkpoint are over:
  /// SQLite 3.7.0 to 3.51.2 have a rare race between processes when the log is started anew.
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

  /// Throws unless what is about to be written continues the store as it was acknowledged, by any
  /// process.
  private func checkNothingChanged(_ database: Database) throws {
    try files.check(database.compareFiles())
    let (newest, signalled) = (try Revision.newest(database), signal.revision ?? 0)
    guard newest >= signalled else {
      throw files.stale(.outOfDate(files.path, files.name, newest, signalled))
    }
    let found = try Migrations.version(of: database)
    guard found <= version else { throw StoreError.newer(files.path, found, known: version) }
  }

  /// Commits, and signals it to other processes.
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

  /// Whether it was closed before its end, as its files were not the store's any more.
  var isClosed: Bool { closing.withLock { $0 } }

  /// Closes it without copying the log, or deleting it; any thread, once what is just done with it
  /// is done.
  ///
  /// What a list still reads in parts ends first; until then the store can't be opened anew.
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

extension Database {
  /// Throws if SQLite has given up the transaction by itself, as it does with some errors: what is
  /// written from then on would be kept statement by statement.
  func checkIsInsideTransaction(_ path: String) throws {
    guard sqliteConnection != nil else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
    guard !isInsideTransaction else { return }
    throw StoreError(
      path: path,
      "the transaction was given up after an error; nothing was written, try again"
    )
  }
}
