import GRDB

/// The schema, step by step: the n-th step brings version n - 1 to version n.
struct Migrations: Sendable {
  /// Whose file it is, as `PRAGMA application_id` says.
  let applicationID: Int
  let steps: [Step]
  /// What makes the newest version where there was nothing.
  let fresh: [Step]
  /// What the program declares in addition, which has no version: it is made where it is missing.
  let declared: Declaration

  /// One step.
  enum Step: Sendable, ExpressibleByStringLiteral {
    case sql(String)
    /// What SQL can't say.
    case code(@Sendable (Database) throws -> Void)

    init(stringLiteral sql: String) { self = .sql(sql) }

    func run(on database: Database) throws {
      switch self {
      case .sql(let sql): try database.execute(sql: sql)
      case .code(let body): try body(database)
      }
    }
  }

  /// The version that this program knows.
  var newest: Int { steps.count }

  /// What a file is, as its header says.
  enum State: Equatable {
    /// A store of a schema that this program knows, maybe an older one.
    case store(version: Int)
    /// Nothing yet.
    case empty
    case external
    case newer(version: Int)
  }

  /// The version of the schema that a database says it has; 0 where there is none.
  static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }

  /// What a database is; read in one go, as another process may be making the schema meanwhile.
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

  /// Brings a store to the newest schema, in one transaction.
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
