import GRDB

/// The versions of the schema: the n-th step migrates version n - 1 to version n.
struct Migrations: Sendable {
  /// The application that owns the file, in `PRAGMA application_id`.
  let applicationID: Int
  let steps: [Step]
  /// The steps that create the newest version in an empty file.
  let fresh: [Step]
  /// The tables that the program declares; they have no version, and are created where they are
  /// missing.
  let declared: Declaration

  /// One step.
  enum Step: Sendable, ExpressibleByStringLiteral {
    case sql(String)
    /// A step that SQL can't express.
    case code(@Sendable (Database) throws -> Void)

    init(stringLiteral sql: String) { self = .sql(sql) }

    func run(on database: Database) throws {
      switch self {
      case .sql(let sql): try database.execute(sql: sql)
      case .code(let body): try body(database)
      }
    }
  }

  /// The newest version that this program can read.
  var newest: Int { steps.count }

  /// The state of a file, by its header.
  enum State: Equatable {
    /// A store with a schema that this program can read, maybe an older one.
    case store(version: Int)
    /// An empty file.
    case empty
    case external
    case newer(version: Int)
  }

  /// Returns the version of a database's schema; 0 if it has none.
  static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }

  /// Returns the state of a database, in one read: another process may be creating the schema.
  func state(of database: Database) throws -> State {
    try database.inSnapshot {
      let owner = try database.cachedStatement(sql: "PRAGMA application_id")
      let application = try Int.fetchOne(owner) ?? 0
      let version = try Self.version(of: database)
      guard application != applicationID else {
        return version > newest ? .newer(version: version) : .store(version: version)
      }
      guard application == 0, version == 0 else { return .external }
      let count = "SELECT count(*) FROM sqlite_schema"
      let objects = try Int.fetchOne(database.cachedStatement(sql: count))
      return objects == 0 ? .empty : .external
    }
  }

  /// Migrates a store to the newest schema, in one transaction.
  func run(on database: Database, from version: Int) throws {
    try database.execute(sql: "BEGIN IMMEDIATE")
    do {
      for step in version == 0 ? fresh : Array(steps[version...]) { try step.run(on: database) }
      try declared.make(database)
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(newest)")
      try database.execute(sql: "COMMIT")
    } catch {
      try? database.execute(sql: "ROLLBACK")
      throw error
    }
  }
}
