import GRDB

/// The schema, step by step: the n-th step brings version n - 1 to version n.
package struct Migrations: Sendable {
  /// Whose file it is, as `PRAGMA application_id` says.
  let applicationID: Int
  package let steps: [String]

  /// Lists the steps of an application's schema.
  package init(applicationID: Int, steps: [String]) {
    self.applicationID = applicationID
    self.steps = steps
  }

  /// The version that this program knows.
  package var newest: Int { steps.count }

  /// What a file is, as its header says.
  enum State: Equatable {
    /// A store of a schema that this program knows, maybe an older one.
    case store(version: Int)
    /// Nothing yet.
    case empty
    case foreign
    case newer(version: Int)
  }

  /// The version of the schema that a database says it has; 0 where there is none.
  static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }

  /// What a database is; read in one go, as another process may be making the schema meanwhile.
  func state(of database: Database) throws -> State {
    var (application, version, isEmpty) = (0, 0, false)
    try database.inTransaction(.deferred) {
      application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      version = try Self.version(of: database)
      if application == 0 && version == 0 {
        isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
      }
      return .commit
    }
    guard application == applicationID else { return isEmpty ? .empty : .foreign }
    return version > newest ? .newer(version: version) : .store(version: version)
  }

  /// Brings a store to the newest schema, in one transaction.
  func run(on database: Database, from version: Int) throws {
    try database.execute(sql: "BEGIN IMMEDIATE")
    do {
      for step in version..<newest { try database.execute(sql: steps[step]) }
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(newest)")
      try database.execute(sql: "COMMIT")
    } catch {
      try? database.execute(sql: "ROLLBACK")
      throw error
    }
  }
}
