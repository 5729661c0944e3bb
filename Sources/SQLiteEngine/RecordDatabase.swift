import EventMVVM
public import EventRecords
import Foundation
import GRDB

/// Records of any types in one SQLite file, private to its user and shared by any number of
/// processes.
///
/// Each kind has a table of its own, with a column for each field. An engine that is near: it
/// answers on the thread that asks. Used by one thread, but for what `RecordEngine` says otherwise.
public final class RecordDatabase: RecordEngine, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `RecordEngine` demands; the
  // tables are named before any other thread has it.
  private var opened: Opened?
  private let program: String
  private let earlier: EarlierSchemas?
  private let file: StoreFile
  private let patience: TimeInterval
  private let isLasting: Bool

  /// What there is once the tables are named.
  private struct Opened {
    let store: SharedStore
    let tables: [RecordTable]
    let statements: TableStatements
  }

  /// Names a file; nothing is opened or created yet.
  ///
  /// - Parameters:
  ///   - program: The name of the program whose file it is.
  ///   - earlier: The schemas that the file had before it had records.
  ///   - path: The file.
  ///   - makesFolders: Whether missing folders are made, too.
  ///   - patience: How long a write waits for another process's, in seconds.
  ///   - isLasting: Whether to keep what is opened to read; else a read leaves no trace.
  public init(
    of program: String,
    after earlier: EarlierSchemas? = nil,
    path: String,
    makesFolders: Bool = false,
    patience: Double = 5,
    isLasting: Bool = false
  ) {
    self.program = program
    self.earlier = earlier
    file = StoreFile(path: path, makesFolders: makesFolders)
    self.patience = patience
    self.isLasting = isLasting
  }

  /// Names the file of a configuration; nothing is opened or created yet.
  public convenience init(_ store: StoreConfiguration) {
    self.init(
      of: store.program,
      after: store.earlier,
      path: store.path,
      makesFolders: store.makesFolders,
      isLasting: store.isLasting
    )
  }

  /// The path of the file.
  public var name: String { file.path }

  /// Makes the tables known; the file is opened when it is needed.
  public func open(_ tables: [RecordTable]) {
    let opener = StoreOpener(
      file: file,
      patience: patience,
      migrations: .records(of: program, tables, after: earlier)
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

  /// Reads in one snapshot; nil where there is nothing yet.
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

  /// Ends what reads in one turn share.
  public func endSharing() { known.store.endSharing() }

  /// Closes the file once nothing reads; a later use opens it again.
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

  /// Watches for what other processes commit.
  public func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    failed: @escaping @Sendable (StoreError) -> Void
  ) -> any StoreWatching {
    let known = known
    let statements = known.statements
    return StoreWatch(known.store.opener, failed) { database, revision in
      try read(SQLiteReader(database, statements), revision)
    }
  }

  // MARK: Maintenance

  /// Examines what is stored.
  public func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    let known = known
    return try known.store.perform {
      let kind = known.tables.count == 1 ? known.tables[0].kind : "record"
      return try StoreExamination(known.store.opener, of: kind)
        .report { database in
          try contents(SQLiteReader(database, known.statements)) + leftovers(database)
        }
    }
  }

  /// What an earlier schema has left, as it could not be read.
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

  /// Copies what is stored into a new file.
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

  /// The store as one file, as it is committed; nil if it is not there yet or nothing was ever in
  /// it.
  public func image() throws -> [UInt8]? {
    try known.store.image()
  }
}
