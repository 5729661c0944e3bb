import EventMVVM
public import EventRecords
import Foundation
import GRDB

/// Records of any types in one SQLite file, private to its user and shared by any number of
/// processes.
///
/// Each kind has a table of its own, with a column for each field. The engine answers on the
/// caller's thread. Used by one thread, except where `RecordEngine` states otherwise.
///
/// ```swift
/// let database = RecordDatabase(of: "test", path: folder + "/cart.sqlite")
/// app.add(
///   RecordServer(database, [Line.self], watchesExternalChanges: false),
///   model,
///   BadgeViewModel()
/// )
/// ```
public final class RecordDatabase: RecordEngine, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `RecordEngine` demands; the
  // tables are named before any other thread uses the engine.
  private var opened: Opened?
  private let program: String
  private let earlier: EarlierSchemas?
  private let file: StoreFile
  private let patience: TimeInterval
  private let isLasting: Bool
  private let reportsUnread: @Sendable (StoreError) -> Void

  /// The state of the engine once the tables are named.
  private struct Opened {
    let store: SharedStore
    let tables: [RecordTable]
    let statements: TableStatements
  }

  /// Creates the engine of a file; nothing is opened or created yet.
  ///
  /// - Parameters:
  ///   - program: The name of the program that owns the file.
  ///   - earlier: The schemas of the file before the program stored records.
  ///   - path: The file.
  ///   - makesFolders: Whether missing folders are created.
  ///   - patience: How long a write waits for one of another process, in seconds.
  ///   - isLasting: Whether to retain the connection that reads; otherwise a read leaves no trace.
  public convenience init(
    of program: String,
    after earlier: EarlierSchemas? = nil,
    path: String,
    makesFolders: Bool = false,
    patience: Double = 5,
    isLasting: Bool = false
  ) {
    var store = StoreConfiguration(of: program, path: path)
    store.earlier = earlier
    store.makesFolders = makesFolders
    store.isLasting = isLasting
    self.init(store, patience: patience)
  }

  /// Creates the engine of a configuration; nothing is opened or created yet.
  public convenience init(_ store: StoreConfiguration) { self.init(store, patience: 5) }

  private init(_ store: StoreConfiguration, patience: Double) {
    program = store.program
    earlier = store.earlier
    file = StoreFile(path: store.path, makesFolders: store.makesFolders)
    self.patience = patience
    isLasting = store.isLasting
    reportsUnread = store.reportsUnread
  }

  /// The path of the file.
  public var name: String { file.path }

  /// Sets the tables; the file is opened at the first use.
  public func open(_ tables: [RecordTable]) {
    let opener = StoreOpener(
      file: file,
      patience: patience,
      migrations: .records(of: program, tables, after: earlier),
      reportsUnread: reportsUnread
    )
    opened = Opened(
      store: SharedStore(opener, isLasting: isLasting),
      tables: tables,
      statements: TableStatements()
    )
  }

  private var known: Opened {
    guard let opened else { preconditionFailure("the tables of \(file.path) are not named yet") }
    return opened
  }

  // MARK: Reading and writing

  /// Reads in one snapshot; nil if there is no store yet.
  public func read<T>(
    in view: StorageView,
    _ body: (any RecordReader) throws -> T
  ) throws -> T? {
    let known = known
    return try known.store.read(in: view) { database in
      try database.inSnapshot { try body(SQLiteReader(database, known.statements)) }
    }
  }

  /// Reads what is committed, on any thread.
  public func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T? {
    let known = known
    return try known.store.readCommitted { database in
      try database.inSnapshot { try body(SQLiteReader(database, known.statements)) }
    }
  }

  /// Opens a list that is read in parts.
  public func openRows(
    _ query: RecordQuery,
    of table: RecordTable
  ) throws -> (any OpenRows)? {
    let known = known
    return try known.store.perform {
      try known.store.opener.openToRead()
        .map { try OpenSQLiteRows($0, known.statements, query, of: table) }
    }
  }

  /// Ends the snapshot that reads in one turn share.
  public func endSharing() { known.store.endSharing() }

  /// Closes the file once no list is being read; a later use opens it again.
  public func close() { known.store.close() }

  /// Writes in one transaction, or in that of the unit.
  public func write<T>(
    savepoint: Bool,
    _ body: (any RecordWriter) throws -> T
  ) throws -> T {
    let known = known
    return try known.store.write(savepoint: savepoint) {
      try body(SQLiteWriter($0, known.statements))
    }
  }

  /// Begins the transaction of a unit.
  public func beginUnit() throws { try known.store.beginUnit() }
  /// Commits the transaction of a unit.
  public func commitUnit() throws { try known.store.commitUnit() }
  /// Rolls back the transaction of a unit.
  public func rollBackUnit() { known.store.rollBackUnit() }

  // MARK: Other processes

  /// Watches for commits of other processes.
  public func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    report: @escaping @Sendable (StoreError?) -> Void
  ) -> any StoreWatching {
    let known = known
    let statements = known.statements
    return StoreWatch(known.store.opener, report) { database, revision in
      try read(SQLiteReader(database, statements), revision)
    }
  }

  // MARK: Maintenance

  /// Examines the store.
  public func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    let known = known
    return try known.store.perform {
      let kind = known.tables.count == 1 ? known.tables[0].kind : "record"
      return try StoreExamination(known.store.opener, of: kind)
        .report { database in
          try contents(SQLiteReader(database, known.statements)) + leftovers(database)
            + known.store.opener.migrations.declared.unread(database)
            .map { .init(.warning, "the store \($0)") }
        }
    }
  }

  /// Returns a finding for each record of an earlier schema that could not be read.
  private func leftovers(_ database: Database) throws -> [StoreReport.Finding] {
    guard try database.tableExists("record") else { return [] }
    let rows = try Row.fetchAll(database, sql: "SELECT kind, number FROM record ORDER BY number")
    return
      rows.map {
        .init(
          .warning,
          "\($0[0] as String) #\($0[1] as Int) could not be read when the store was brought to its new form; "
            + "the copy of before that has it"
        )
      }
      .shortened
  }

  /// Copies the store into a new file.
  public func backUp(to path: String) throws -> StoreCopy {
    let known = known
    return try known.store.backUp(to: path) { database in
      let reader = SQLiteReader(database, known.statements)
      return try known.tables.reduce(0) { try $0 + reader.count(.all, of: $1) }
    }
  }

  // MARK: Recordings

  /// Restores the store of a replay from an image, whichever engine made it.
  ///
  /// - Parameter state: The starting state that the recording contains.
  /// - Returns: Whether it is an image; if not, it is the store's file.
  /// - Throws: The reason why the image can't be read, or the store can't be written.
  public func restore(_ state: [UInt8]) throws -> Bool {
    guard RecordImage.isOne(state) else { return false }
    let known = known
    try known.store.write { database in
      try RecordImage.restore(
        state,
        into: SQLiteWriter(database, known.statements),
        named: name,
        RecordTypes(of: known.tables)
      )
    }
    return true
  }

  /// Returns committed data as one file; nil if the file does not exist yet or nothing was ever
  /// stored.
  public func image() throws -> [UInt8]? {
    try known.store.image()
  }
}
