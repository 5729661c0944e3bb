import EventMVVM
import EventRecords
import GRDB

/// An application's data in one SQLite file, private to its user and shared by any number of
/// processes.
///
/// The file is opened at the first use, and an opening that failed is tried again at the next.
/// Every write is one IMMEDIATE transaction, synchronised in full. It knows no table but `change`,
/// to which each change appends a row under the next revision. Used by one thread, but for what
/// says otherwise.
final class SharedStore: @unchecked Sendable {
  // Unchecked: the variables belong to the one thread; what any thread may call touches the opener
  // and what the lock protects alone.
  /// Opens the file, by any thread.
  let opener: StoreOpener
  /// What has been opened to write, if anything has.
  private(set) var writer: StoreConnection?
  /// Whether the process lives long, and reads often before it writes, if it ever does.
  private let isLasting: Bool
  /// What such a process reads by, on the one thread, until it writes.
  private var reader: StoreConnection?
  /// A connection that only sees what is committed.
  private let aside = Locked<StoreConnection?>(nil)
  /// The connection that the unit's transaction is open on.
  private var unit: StoreConnection?
  /// The connection on which several reads share a transaction.
  private var shared: StoreConnection?

  /// Names a store; nothing is opened or created yet.
  ///
  /// - Parameters:
  ///   - opener: Opens it.
  ///   - isLasting: Whether to keep what is opened to read; else a read leaves no trace.
  init(_ opener: StoreOpener, isLasting: Bool) {
    self.opener = opener
    self.isLasting = isLasting
  }

  /// The file, as the user named it.
  var path: String { opener.file.path }

  // MARK: Reading

  /// Reads what is committed or, inside a unit, what the unit has written, too.
  ///
  /// A process that has not written yet reads without a connection that would leave traces.
  ///
  /// - Returns: What was read; nil if there is no store yet.
  /// - Throws: A ``StoreError``, or what the reading throws.
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

  /// Begins a transaction that only reads, for several reads.
  private func share() throws {
    let connection = try connection()
    try connection?.queue.inDatabase { try $0.execute(cached: "BEGIN") }
    shared = connection
  }

  /// Ends what several reads share; what is read next is what is committed then.
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

  /// What to read by, whose files are still there: what the process writes with, if it does, else a
  /// connection that is kept; nil if there is no store yet.
  private func connection() throws -> StoreConnection? {
    if writer != nil { return try openWriter() }
    if try Self.kept(&reader) == nil { reader = try opener.openToRead() }
    return reader
  }

  /// Reads what is committed, on a connection of its own; any thread.
  ///
  /// - Returns: What was read; nil if there is no store yet.
  /// - Throws: A ``StoreError``, or what the reading throws.
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

  /// Writes in the unit's transaction, of which this is a part that can fail by itself; else in one
  /// of its own.
  ///
  /// - Parameters:
  ///   - savepoint: Whether the body can fail after it has written something, and not because the
  ///     store fails.
  ///   - body: Writes; appends to the table `change`.
  /// - Returns: What the body does.
  /// - Throws: A ``StoreError``, or what the body throws.
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

  /// Opens a transaction round all writes until it is committed or rolled back.
  func beginUnit() throws {
    try perform {
      let connection = try openWriter()
      // Triggers have SQLite keep a copy of each page that a statement changes, in a file once
      // there are many: a quarter of the time that a script of additions takes.
      try connection.queue.inDatabase { try $0.execute(cached: "PRAGMA temp_store = MEMORY") }
      try connection.begin()
      unit = connection
    }
  }

  /// Commits it.
  func commitUnit() throws {
    try perform {
      defer { unit = nil }
      try unit?.commit()
    }
  }

  /// Rolls it back.
  func rollBackUnit() {
    unit?.rollBack()
    unit = nil
  }

  /// Closes what is open: what was written is copied from the log into the file, unless another
  /// process has that open.
  func close() {
    if unit != nil { rollBackUnit() }
    endSharing()
    reader = nil
    aside.withLock { $0 = nil }
    // Readers can't remove the log: the writer is the last.
    writer = nil
  }

  // MARK: Maintenance

  /// The store as one file, as it is committed; nil if it is not there yet or nothing was ever in
  /// it.
  func image() throws -> [UInt8]? {
    try perform {
      guard let connection = try opener.openToRead() else { return nil }
      return try connection.queue.inDatabase { database in
        guard try Revision.newest(database) > 0 else { return nil }
        return try Backup.image(of: database)
      }
    }
  }

  /// Puts SQLite's errors in words, with the path and what to do; closes what is open on files that
  /// are not the store's any more, so that the next use opens what is there then.
  ///
  /// - Returns: What the body does.
  /// - Throws: A ``StoreError``, or what else the body throws.
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

  /// Inside a unit always its connection, even if the files are gone: only it can be rolled back.
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

  /// A connection that is still open, on files that are still there; nil where there is none.
  private static func kept(_ connection: inout StoreConnection?) throws -> StoreConnection? {
    if let open = connection, open.isClosed || open.files.lacksLog { connection = nil }
    try connection?.files.check()
    return connection
  }
}
