import CSQLite
import EventRecords
import Foundation
import GRDB

/// Opens connections to a store.
struct StoreOpener: Sendable {
  /// The file.
  let file: StoreFile
  /// How long a writer waits for another one, in seconds.
  let patience: TimeInterval
  /// The schema.
  let migrations: Migrations
  /// Told what a store has that this version does not read, once it was brought to its form.
  var reportsUnread: @Sendable (StoreError) -> Void = { _ in }

  private var path: String { file.path }

  // MARK: To write

  /// Opens the store for reading and writing; creates it if there is none, and migrates an older
  /// one to today's schema.
  func openToWrite() throws -> StoreConnection {
    let (target, presence) = try locate()
    let signal = ChangeSignal(store: target)
    if presence == .nothing {
      try file.create(target)
    } else if presence == .empty, chmod(target, 0o600) == 0 {
      // Made by another program, it becomes as private as a new one.
    } else if !StoreFile.isWritable(target) {
      throw StoreError.readOnly(path)
    }
    try checkLogBelongs(to: target)
    let queue = try DatabaseQueue(path: target, configuration: configuration)
    try queue.inDatabase { database in
      try prepare(database, signal, target)
    }
    return connection(queue, target, signal, isReadOnly: false)
  }

  /// Finds the file.
  ///
  /// - Returns: The real path, and what exists there.
  /// - Throws: The reason why the file can't be used; also if a store was lost: a new one in its
  ///   place would assign the same numbers and revisions again.
  func locate() throws -> (target: String, presence: StoreFile.Presence) {
    let found = try file.locate()
    guard found.presence != .file else { return found }
    if let loss = try loss(of: found.target) { throw loss }
    return try file.locate()
  }

  /// Returns the loss if the file of a store is empty or missing; nil if there never was a store.
  func loss(of target: String) throws -> StoreError? {
    guard let signalled = ChangeSignal.revision(of: target), signalled > 0 else { return nil }
    // The store may just have been created: the signal is sent when the file has its first page.
    let presence = try file.locate().presence
    return presence == .file ? nil : lost(target, presence.rawValue, signalled)
  }

  func lost(_ target: String, _ what: String, _ signalled: Int) -> StoreError {
    StoreError(
      path: path,
      "is \(what), but had come to revision \(signalled). "
        + "Put back the file, or a copy of it; to begin anew, delete \(signalName(of: target))"
    )
  }

  private func signalName(of target: String) -> String {
    ChangeSignal.path(of: file.name(of: target))
  }

  func connection(
    _ queue: DatabaseQueue,
    _ target: String,
    _ signal: ChangeSignal? = nil,
    isReadOnly: Bool = true
  ) -> StoreConnection {
    StoreConnection(
      queue,
      OpenFiles(path: path, target: target),
      signal ?? ChangeSignal(store: target),
      patience: patience,
      version: migrations.newest,
      isReadOnly: isReadOnly
    )
  }

  var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.allowsUnsafeTransactions = true
    // No table refers to another one.
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { SearchFunction.add(to: $0) }
    return configuration
  }

  /// Updates the schema, and makes each commit sync in full.
  ///
  /// Not by GRDB's configuration: that switches to WAL before any check, and so converts a file of
  /// another application; and it does so after `prepareDatabase`, and then syncs less.
  private func prepare(_ database: Database, _ signal: ChangeSignal, _ target: String) throws {
    let isInWAL = try checkFiles(database, target)
    let isNewest = try isUpToDate(database)
    if isInWAL { try checkNothingIsMissing(database, target) }
    if !isInWAL || !isNewest { try renew(database, signal, target) }
    // The first read creates the log, so that it is known from then on.
    _ = try newestRevision(database)
    try database.execute(cached: "PRAGMA synchronous = FULL")
    // A damaged page is refused when it is read, and not written to.
    try database.execute(cached: "PRAGMA cell_size_check = ON")
    try database.execute(cached: "PRAGMA journal_size_limit = 1048576")
  }

  /// Makes a store of an empty file, an older store, or a copy from `backup`.
  ///
  /// The signal is sent first: a file in WAL mode is refused if the signal has a newer revision.
  private func renew(_ database: Database, _ signal: ChangeSignal, _ target: String) throws {
    try signal.lock(patience: patience)
    defer { signal.unlock() }
    let known = try version(of: database) ?? 0
    // The file was removed after it was found.
    if known == 0, let signalled = ChangeSignal.revision(of: target), signalled > 0 {
      throw lost(target, StoreFile.Presence.empty.rawValue, signalled)
    }
    signal.send(try newestRevision(database))
    let copy = try backUpBeforeMigration(database, from: known)
    do {
      try switchToWAL(database)
      guard try !isUpToDate(database) else { return }
      try migrations.run(on: database, from: known)
    } catch {
      // Nothing was changed, and it is tried again at each use.
      if let copy { unlink(copy) }
      guard let error = error as? StoreError, error.path.isEmpty else { throw error }
      throw StoreError(path: path, error.cause)
    }
    guard known > 0 else { return }
    let declared = migrations.declared
    for unread in try declared.unread(database) + declared.unknownKinds(database) {
      reportsUnread(StoreError(path: path, unread))
    }
  }

  /// Whether a store has today's schema, and all that the program declares.
  func isUpToDate(_ database: Database) throws -> Bool {
    try version(of: database) == migrations.newest && migrations.declared.isMade(database)
  }

  /// Switches to WAL mode; SQLite's own waiting for readers of the file does not apply to that.
  private func switchToWAL(_ database: Database) throws {
    let end = DispatchTime.now() + patience
    while true {
      do {
        return try database.execute(sql: "PRAGMA journal_mode = WAL")
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && DispatchTime.now() < end
      {
        usleep(2_000)
      }
    }
  }

  /// Returns the newest revision; 0 in a database without tables.
  private func newestRevision(_ database: Database) throws -> Int {
    do {
      return try Revision.newest(database)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return 0
    }
  }

  /// Returns the version of the schema; nil if there is none.
  func version(of database: Database) throws -> Int? {
    switch try migrations.state(of: database) {
    case .store(let version): return version
    case .empty: return nil
    case .external:
      throw StoreError(
        path: path,
        "is another application's database; name another file with --store"
      )
    case .newer(let version):
      throw StoreError.newer(path, version, known: migrations.newest)
    }
  }

  /// Copies a store before its migration, for the older version of the program.
  ///
  /// - Returns: The copy; nil where none is needed.
  private func backUpBeforeMigration(_ database: Database, from version: Int) throws -> String? {
    guard version > 0 else { return nil }
    if version == migrations.newest {
      guard try migrations.declared.converts(database) else { return nil }
    }
    let folder = "\(path).schema-\(version)"
    var name = folder
    var number = 1
    while StoreFile.size(name) != nil {
      number += 1
      name = "\(folder)-\(number)"
    }
    _ = try Backup.copy(database, to: name) { _ in }
    return name
  }

  /// Compares the acknowledged revision with the stored one.
  ///
  /// A file that is not in WAL mode is a copy that was put in place on purpose, whatever its
  /// revision.
  func checkNothingIsMissing(_ database: Database, _ target: String) throws {
    let signalled = ChangeSignal.revision(of: target) ?? 0
    guard signalled > 0 else { return }
    let newest = try newestRevision(database)
    guard newest < signalled, try database.compareFiles() != .noLoggedDatabase else { return }
    throw StoreError.outOfDate(path, file.name(of: target), newest, signalled)
  }

  // MARK: What belongs together

  /// Throws if a file without a log of its own is next to one: a copy that replaced the store.
  ///
  /// SQLite would apply the log to the copy, and mix both.
  func checkLogBelongs(to target: String) throws {
    guard NamedFile(target + "-wal")?.size ?? 0 > 0, csqlite_is_kept_without_log(target) != 0 else {
      return
    }
    throw otherLogBeside(target)
  }

  private func otherLogBeside(_ target: String) -> StoreError {
    let log = file.name(of: target) + "-wal"
    return StoreError(
      path: path,
      "is a copy that was put in the place of the store, and \(log) is the log of the store before. "
        + "Move \(log) away to use the copy"
    )
  }

  /// Throws if the files that SQLite has opened do not belong together.
  ///
  /// - Returns: Whether the database has a write-ahead log.
  @discardableResult
  func checkFiles(_ database: Database, _ target: String) throws -> Bool {
    switch try database.compareFiles() {
    case .match: return true
    case .noLoggedDatabase:
      guard NamedFile(target + "-wal")?.size ?? 0 > 0, NamedFile(target)?.size ?? 0 > 0 else {
        return false
      }
      database.keepLogAtClose()
      throw otherLogBeside(target)
    case .otherLog:
      database.keepLogAtClose()
      throw StoreError(
        path: path + "-wal",
        "is not the log that the programs use which have the store open: it was truncated or replaced. "
          + "Put it back, or end these programs",
        isRetryable: true
      )
    }
  }
}
