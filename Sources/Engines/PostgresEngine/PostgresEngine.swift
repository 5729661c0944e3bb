import EventMVVM
public import EventRecords
import Foundation

/// Records of any types in a schema of a PostgreSQL database, shared by any number of machines.
///
/// Order, durability and access are the database's. Each kind has a table, with a column for each
/// field. libpq is opened at the first use. Calls wait for the network on the caller's thread, which is
/// not the home thread in a session that lasts. Used by one thread at a time, except where
/// `RecordEngine` states otherwise.
public final class PostgresEngine: RecordEngine, @unchecked Sendable {
  // Unchecked: one thread at a time uses the variables, as `RecordEngine` demands; the tables are
  // named before any other thread uses the engine.
  private let address: PostgresAddress
  private let program: String
  private let makesSchema: Bool
  private let reports: PostgresSession.Reports
  private let file: (@Sendable (_ path: String) -> any RecordEngine)?
  private let reach = PostgresReach()
  private var opened: Opened?
  /// The transaction of the unit that is open.
  private var unit: PostgresTransaction?
  /// The snapshot that several reads share.
  private var shared: PostgresSession.Snapshot?

  /// The state of the engine once the tables are named.
  private struct Opened {
    let tables: [RecordTable]
    /// The session of the thread that writes.
    let home: PostgresSession
    /// The sessions of other threads that none uses at the moment.
    let idle = Locked<[PostgresSession]>([])
  }

  /// Creates the engine of a list; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - store: The address, as ``PostgresAddress`` describes it, and its program. If it allows
  ///     that, the first use creates missing tables, after a copy of a list that has others; if
  ///     not, it fails and names the command that does.
  ///   - file: Creates the engine of a file, for a copy of the list.
  public init(
    _ store: StoreConfiguration,
    file: (@Sendable (_ path: String) -> any RecordEngine)? = nil
  ) {
    address = PostgresAddress(store.path, of: store.program)
    program = store.program
    makesSchema = store.makesSchema
    let (address, program) = (address, program)
    let report = store.reportsDoubt
    reports = PostgresSession.Reports(schema: store.reportsSchema, unread: store.reportsUnread) {
      report(StoreError(asking: $0, address, of: program))
    }
    self.file = file
  }

  /// The address, without a password.
  public var name: String { address.name }
  /// True: each use waits for the server.
  public var isDistant: Bool { true }

  /// Sets the tables; the database is connected at the first use.
  public func open(_ tables: [RecordTable]) {
    opened = Opened(tables: tables, home: session(tables))
  }

  private func session(_ tables: [RecordTable], isWatching: Bool = false) -> PostgresSession {
    PostgresSession(
      address,
      making: makesSchema ? PostgresSchema(address: address, tables: tables) : nil,
      reach,
      isWatching: isWatching,
      reports
    )
  }

  private var known: Opened {
    guard let opened else { preconditionFailure("the tables of \(name) are not named yet") }
    return opened
  }

  /// Turns an error into a message with the address and what to do.
  private func perform<T>(isWriting: Bool = false, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let problem as PostgresConnection.Problem {
      throw StoreError(problem, address, of: program, isWriting: isWriting || unit != nil)
    }
  }

  private func reader(_ snapshot: PostgresSession.Snapshot) -> PostgresReader {
    PostgresReader(PostgresNames(schema: address.schema), snapshot.ask)
  }

  // MARK: Reading

  /// Reads in one snapshot.
  public func read<T>(
    in view: StorageView,
    _ body: (any RecordReader) throws -> T
  ) throws -> T? {
    if let unit {
      guard view == .insideUnit else { return try readCommitted(body) }
      return try perform { try body(PostgresWriter(unit)) }
    }
    if view != .shared { endSharing() }
    let snapshot = shared ?? known.home.snapshot()
    if view == .shared { shared = snapshot }
    do {
      let result = try perform { try body(reader(snapshot)) }
      if view != .shared { snapshot.end() }
      return result
    } catch {
      // A failed statement has ended the snapshot.
      snapshot.end()
      shared = nil
      throw error
    }
  }

  /// Reads what is committed, on any thread.
  public func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T? {
    try aside { try body(reader($0)) }
  }

  /// Reads in one snapshot, on a connection of its own.
  private func aside<T>(_ body: (PostgresSession.Snapshot) throws -> T) throws -> T {
    let known = known
    let session = known.idle.withLock { $0.popLast() } ?? session(known.tables)
    defer { known.idle.withLock { $0.append(session) } }
    let snapshot = session.snapshot()
    defer { snapshot.end() }
    return try perform { try body(snapshot) }
  }

  /// Reads a list in parts, in a snapshot on a connection of its own.
  public func openRows(_ query: RecordQuery, of table: RecordTable) throws -> (any OpenRows)? {
    let (known, address, program) = (known, address, program)
    let session = known.idle.withLock { $0.popLast() } ?? session(known.tables)
    return try perform {
      try OpenPostgresRows(
        query,
        of: table,
        PostgresNames(schema: address.schema),
        in: session.snapshot(),
        explain: { StoreError($0, address, of: program) },
        release: { known.idle.withLock { $0.append(session) } }
      )
    }
  }

  /// Ends the snapshot that reads in one turn share.
  public func endSharing() {
    shared?.end()
    shared = nil
  }

  // MARK: Writing

  /// Writes in one transaction, or in that of the unit.
  ///
  /// Outside a unit it begins again, twice at most, where the server has undone it for the sake of others
  /// (40P01, 40001), or where the connection was lost before its commit.
  public func write<T>(
    savepoint: Bool,
    _ body: (any RecordWriter) throws -> T
  ) throws -> T {
    try perform(isWriting: true) {
      if let unit {
        return try unit.part(savepoint: savepoint) { try body(PostgresWriter(unit)) }
      }
      endSharing()
      var (attempts, asksAtOnce) = (1, false)
      while true {
        var progress = Progress.connecting
        do {
          return try transact(asksAtOnce: asksAtOnce, &progress, body)
        } catch let problem as PostgresConnection.Problem {
          if problem.code == PostgresQuery.isTaken, !asksAtOnce {
            // With the server's answer the caller finds the conflicting record.
            asksAtOnce = true
          } else if attempts < Self.mostAttempts, !StoreUse.isCancelled,
            problem.isForOthers || problem.isLost && progress == .writing
          {
            attempts += 1
          } else {
            throw problem
          }
        }
      }
    }
  }

  /// How far a transaction is.
  private enum Progress { case connecting, writing, committing }

  /// How often one transaction is tried.
  private static var mostAttempts: Int { 3 }

  private func transact<T>(
    asksAtOnce: Bool,
    _ progress: inout Progress,
    _ body: (any RecordWriter) throws -> T
  ) throws -> T {
    let transaction = try known.home.beginWriting(asksAtOnce: asksAtOnce)
    progress = .writing
    let result: T
    do {
      result = try body(PostgresWriter(transaction))
    } catch {
      transaction.rollBack()
      throw error
    }
    progress = .committing
    try transaction.commit()
    return result
  }

  /// Begins the transaction of a unit.
  public func beginUnit() throws {
    endSharing()
    unit = try perform(isWriting: true) { try known.home.beginWriting() }
  }

  /// Commits the transaction of a unit.
  public func commitUnit() throws {
    defer { unit = nil }
    try perform(isWriting: true) { try unit?.commit() }
  }

  /// Rolls back the transaction of a unit.
  public func rollBackUnit() {
    unit?.rollBack()
    unit = nil
  }

  /// Closes the connections; a later use connects again.
  public func close() {
    if unit != nil { rollBackUnit() }
    endSharing()
    known.home.close()
    known.idle.withLock { $0 = [] }
  }

  // MARK: Other processes

  /// Listens for commits of other processes.
  public func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    report: @escaping @Sendable (StoreError?) -> Void
  ) -> any StoreWatching {
    let (address, program) = (address, program)
    return PostgresWatch(session(known.tables, isWatching: true), read) { problem in
      report(
        problem.map { problem in
          problem as? StoreError
            ?? (problem as? PostgresConnection.Problem)
            .map { StoreError($0, address, of: program) }
            ?? StoreError(path: address.name, "\(problem)")
        }
      )
    }
  }

  // MARK: Maintenance

  /// Examines the stored data.
  public func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    let findings = try aside { snapshot in
      let store = reader(snapshot)
      let end = try store.end()
      let rest = try store.changes(.after(end.revision), limit: 1)
      let isWhole =
        try end.revision == 0 || !store.changes(.after(end.revision - 1), limit: 1).isEmpty
      let log: StoreReport.Finding =
        rest.isEmpty && isWhole
        ? .init(.ok, "the change log ends with revision \(end.revision)")
        : .init(
          .error,
          "the change log does not end with revision \(end.revision), as the counter says: "
            + "was the database restored in part?"
        )
      let unread = try PostgresSchema(address: address, tables: known.tables).unread(snapshot.ask)
      return try [log] + contents(store) + unread.map { .init(.warning, "the list \($0)") }
    }
    return StoreReport(path: name, findings: findings)
  }

  /// Copies the stored data into a new file, with the engine for files.
  public func backUp(to path: String) throws -> StoreCopy {
    guard let file else { throw StoreError(path: name, "is copied by 'pg_dump'.") }
    let types = RecordTypes(of: known.tables)
    guard access(path, F_OK) != 0 else {
      throw StoreError.refused(path, "is there already; name a new file")
    }
    let copy = file(path)
    copy.open(known.tables)
    defer { copy.close() }
    let copied = try self.copy(types, to: copy)
    let revision = try copy.read(in: .committed) { try $0.end().revision } ?? 0
    return StoreCopy(path: path, count: copied.records, revision: revision)
  }

  // MARK: Recordings

  /// Returns what is committed, as a text; nil if nothing was ever stored.
  public func image() throws -> [UInt8]? {
    try RecordImage.of(self, RecordTypes(of: known.tables))
  }

  /// Restores an image into an empty list.
  public func restore(_ image: [UInt8]) throws -> Bool {
    guard RecordImage.isOne(image) else { return false }
    try write {
      try RecordImage.restore(image, into: $0, named: name, RecordTypes(of: known.tables))
    }
    return true
  }
}
