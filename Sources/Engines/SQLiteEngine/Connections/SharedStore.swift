import EventMVVM
import EventRecords
import GRDB

/// An application's data in one SQLite file, private to its user and shared by any number of
/// processes.
///
/// The file is opened at the first use, and after a failed opening at the next. Every write is one
/// IMMEDIATE transaction, synchronised in full. The only table that it uses is `change`, to which
/// each change appends a row under the next revision. Used by one thread, except where a method
/// states otherwise.
final class SharedStore: @unchecked Sendable {
  // Unchecked: the variables belong to the one thread; methods for any thread use only the opener
  // and what the lock protects.
  /// Opens the file, on any thread.
  let opener: StoreOpener
  /// The connection that writes; nil before the first write.
  private(set) var writer: StoreConnection?
  /// Whether the process lives long, and reads often, even before its first write.
  private let isLasting: Bool
  /// The connection that reads, in a lasting process, until it writes.
  private var reader: StoreConnection?
  /// A connection that reads committed data, for other threads.
  private let aside = Locked<StoreConnection?>(nil)
  /// The connection with the unit's transaction.
  private var unit: StoreConnection?
  /// The connection on which several reads share a transaction.
  private var shared: StoreConnection?

  /// Creates a store; nothing is opened or created yet.
  ///
  /// - Parameters:
  ///   - opener: Opens the store.
  ///   - isLasting: Whether to retain the connection that reads; otherwise a read leaves no trace.
  init(_ opener: StoreOpener, isLasting: Bool) {
    self.opener = opener
    self.isLasting = isLasting
  }

  /// The file, as the user named it.
  var path: String { opener.file.path }

  // MARK: Reading

  /// Reads committed data and, inside a unit, what the unit has written.
  ///
  /// Before the first write it reads without a connection that would leave traces.
  ///
  /// - Returns: The result of `body`; nil if there is no store yet.
  /// - Throws: A ``StoreError``, or the error of `body`.
  func read<T>(in view: StorageView, _ body: (Database) throws -> T) throws -> T? {
    guard unit == nil || view == .insideUnit else { return try readCommitted(body) }
    return try perform {
      if view == .toWrite, try opener.locate().presence == .file {
        return try openWriter().queue.inDatabase(body)
      }
      guard isLasting || writer != nil else { return try opener.readOnce(body) }
      guard view == .shared else {
        endSharing()
        return try connection()?.queue.inDatabase(body)
      }
      if shared?.isClosed != false { try share() }
      return try shared?.queue.inDatabase(body)
    }
  }

  /// Begins a transaction for several reads.
  private func share() throws {
    let connection = try connection()
    try connection?.queue.inDatabase { try $0.execute(cached: "BEGIN") }
    shared = connection
  }

  /// Ends the shared transaction; the next read finds what is committed by then.
  func endSharing() {
    guard let connection = shared else { return }
    shared = nil
    try? connection.queue.inDatabase { database in
      // Some errors have ended it already, and so has a closing.
      guard database.sqliteConnection != nil, database.isInsideTransaction else { return }
      do {
        try database.execute(cached: "COMMIT")
      } catch {
        try database.execute(cached: "ROLLBACK")
      }
    }
  }

  /// Returns a connection to read with, whose files still exist: the one that writes, or else the
  /// retained one; nil if there is no store yet.
  private func connection() throws -> StoreConnection? {
    if writer != nil { return try openWriter() }
    if try Self.kept(&reader) == nil { reader = try opener.openToRead() }
    return reader
  }

  /// Reads committed data, on a connection of its own; any thread.
  ///
  /// - Returns: The result of `body`; nil if there is no store yet.
  /// - Throws: A ``StoreError``, or the error of `body`.
  func readCommitted<T>(_ body: (Database) throws -> T) throws -> T? {
    try perform {
      let connection = try aside.withLock { open in
        if let kept = try Self.kept(&open) { return kept as StoreConnection? }
        open = try opener.openToRead()
        return open
      }
      return try connection?.queue.inDatabase(body)
    }
  }

  // MARK: Writing

  /// Writes in the unit's transaction, as a part that can fail by itself; without a unit in a
  /// transaction of its own.
  ///
  /// - Parameters:
  ///   - savepoint: Whether `body` can fail after it has written something, other than by an error
  ///     of the store.
  ///   - body: Writes; appends to the table `change`.
  /// - Returns: The result of `body`.
  /// - Throws: A ``StoreError``, or the error of `body`.
  func write<T>(savepoint: Bool = true, _ body: (Database) throws -> T) throws -> T {
    try perform {
      guard unit != nil else { return try openWriter().transaction(body) }
      return try openWriter().queue
        .inDatabase { database in
          try database.checkIsInsideTransaction(path)
          return savepoint
            ? try database.inPart { try body(database) }
            : try database.unlessHalfDone { try body(database) }
        }
    }
  }

  // MARK: Units

  /// Opens a transaction for all writes until it is committed or rolled back.
  func beginUnit() throws {
    try perform {
      let connection = try openWriter()
      // Because of the triggers SQLite copies each page that a statement changes, into a file once
      // there are many: a quarter of the time of a script of additions.
      try connection.queue.inDatabase { try $0.execute(cached: "PRAGMA temp_store = MEMORY") }
      try connection.begin()
      unit = connection
    }
  }

  /// Commits the unit's transaction.
  func commitUnit() throws {
    try perform {
      defer { unit = nil }
      try unit?.commit()
    }
  }

  /// Rolls back the unit's transaction.
  func rollBackUnit() {
    unit?.rollBack()
    unit = nil
  }

  /// Closes all connections: the log is copied into the file, unless another process has it open.
  func close() {
    if unit != nil { rollBackUnit() }
    endSharing()
    reader = nil
    aside.withLock { $0 = nil }
    // Readers can't remove the log: the writer has to be the last.
    writer = nil
  }

  // MARK: Maintenance

  /// Returns committed data as one file; nil if the file does not exist yet or nothing was ever
  /// stored.
  func image() throws -> [UInt8]? {
    try perform {
      guard let connection = try opener.openToRead() else { return nil }
      return try connection.queue.inDatabase { database in
        guard try Revision.newest(database) > 0 else { return nil }
        return try Backup.image(of: database)
      }
    }
  }

  /// Turns SQLite's errors into messages with the path and what to do.
  ///
  /// Closes connections whose files are no longer the store's, so that the next use opens the
  /// present files.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: A ``StoreError``, or any other error of `body`.
  func perform<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let stale as StaleFiles {
      OpenConnections.close(target: stale.target)
      throw stale.error
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }

  // MARK: Opening

  /// Inside a unit it returns the unit's connection, even if the files are gone: only that can be
  /// rolled back.
  private func openWriter() throws -> StoreConnection {
    if let unit {
      try unit.files.check()
      return unit
    }
    endSharing()
    if let kept = try Self.kept(&writer) { return kept }
    let opened = try opener.openToWrite()
    writer = opened
    reader = nil
    return opened
  }

  /// Returns a connection that is still open, on files that still exist; nil if there is none.
  private static func kept(_ connection: inout StoreConnection?) throws -> StoreConnection? {
    if let open = connection, open.isClosed || open.files.lacksLog { connection = nil }
    try connection?.files.check()
    return connection
  }
}
