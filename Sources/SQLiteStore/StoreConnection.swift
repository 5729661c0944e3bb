import EventPatterns
import EventMVVM
import Foundation
package import GRDB

/// A connection to a store that has been checked: ours, of this program's schema, nothing missing.
///
/// Used by one thread at a time.
package final class StoreConnection: Sendable {
  /// The connection itself.
  package let queue: DatabaseQueue
  package let files: OpenFiles
  private let bell: Bell
  private let patience: TimeInterval
  /// Where a copy lies that goes with the connection.
  private let folder: String?

  init(
    _ queue: DatabaseQueue,
    _ files: OpenFiles,
    _ bell: Bell,
    patience: TimeInterval,
    folder: String? = nil
  ) {
    self.queue = queue
    self.files = files
    self.bell = bell
    self.patience = patience
    self.folder = folder
  }

  deinit {
    guard let folder else { return }
    try? queue.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  // MARK: Transactions

  /// Writes in a transaction of its own.
  func transaction<T>(_ body: (Database) throws -> T) throws -> T {
    try begin()
    let result: T
    do {
      result = try queue.inDatabase(body)
    } catch {
      takeBack()
      throw error
    }
    try keep()
    return result
  }

  /// Begins a transaction that writes, once no other process does.
  ///
  /// The bell's lock is held from before BEGIN until the commit and its checkpoint are over: SQLite
  /// 3.7.0 to 3.51.2 have a rare race between processes when the log is started anew.
  func begin() throws {
    try bell.lock(patience: patience)
    do {
      try files.check()
      try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    } catch {
      bell.unlock()
      throw error
    }
  }

  /// Commits, and tells other processes.
  func keep() throws {
    defer { bell.unlock() }
    try queue.inDatabase { database in
      do {
        try files.check()
        try database.checkIsInsideTransaction(files.path)
        let revision = try Revision.newest(database)
        try commit(database)
        bell.ring(revision)
      } catch {
        try? database.execute(sql: "ROLLBACK")
        throw error
      }
    }
  }

  private func commit(_ database: Database) throws {
    do {
      try database.execute(sql: "COMMIT")
    } catch let error as DatabaseError {
      throw StoreError(error, path: files.path, isCommitting: true)
    }
  }

  /// Rolls back.
  func takeBack() {
    try? queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
    bell.unlock()
  }

  // MARK: Giving up

  /// Never closes the connection: closing would copy a log that is not the store's any more into it.
  func abandon() {
    Self.abandoned.withLock { $0.append(self) }
  }

  private static let abandoned = Locked<[StoreConnection]>([])
}

extension Database {
  /// Throws if SQLite has given up the transaction by itself, as it does with some errors: what is
  /// written from then on would be kept statement by statement.
  func checkIsInsideTransaction(_ path: String) throws {
    guard !isInsideTransaction else { return }
    throw StoreError(
      path: path,
      "the transaction was given up after an error; nothing was written, try again"
    )
  }
}
