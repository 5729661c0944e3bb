import GRDB
import TodoModels

/// The schema, step by step: the n-th step brings version n - 1 to version n.
struct Migrations {
  /// "todo" in ASCII: whose file it is, as `PRAGMA application_id` says.
  static let applicationID = 0x746F_646F

  /// All there are.
  static let all = Migrations(steps: [
    """
    CREATE TABLE todo (
      number INTEGER PRIMARY KEY,
      uuid TEXT NOT NULL UNIQUE,
      createdAt INTEGER NOT NULL,
      title TEXT NOT NULL,
      subtitle TEXT NOT NULL,
      priority INTEGER NOT NULL,
      completedAt INTEGER,
      deleted INTEGER NOT NULL,
      due TEXT,
      tags TEXT NOT NULL,
      project TEXT,
      revision INTEGER NOT NULL,
      folded TEXT NOT NULL
    ) STRICT;
    CREATE INDEX todoByCreation ON todo (deleted, createdAt DESC, number DESC);
    CREATE INDEX todoByDue ON todo (due, number DESC) WHERE due IS NOT NULL;
    CREATE INDEX todoByProject ON todo (project) WHERE project IS NOT NULL;
    CREATE TABLE tag (
      name TEXT NOT NULL,
      todo INTEGER NOT NULL REFERENCES todo (number),
      PRIMARY KEY (name, todo)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE change (
      revision INTEGER PRIMARY KEY,
      todo INTEGER NOT NULL REFERENCES todo (number),
      before TEXT,
      after TEXT NOT NULL,
      session INTEGER NOT NULL,
      root INTEGER NOT NULL,
      origin TEXT NOT NULL,
      at INTEGER NOT NULL,
      undoesSession INTEGER,
      undoesRoot INTEGER
    ) STRICT;
    CREATE INDEX changeByTodo ON change (todo, revision);
    CREATE INDEX changeByRoot ON change (session, root);
    """,
    // What is listed often is found without looking through all todos.
    """
    CREATE INDEX todoByOpening ON todo (createdAt DESC, number DESC)
      WHERE completedAt IS NULL AND deleted = 0;
    CREATE INDEX todoByCompletion ON todo (createdAt DESC, number DESC)
      WHERE completedAt IS NOT NULL AND deleted = 0;
    CREATE INDEX todoByPriority ON todo (priority) WHERE priority = 1;
    """,
    // What one intent has changed can be taken back as one. A step has the number of its first change;
    // its kind is 0 for a change, 1 for an undo, 2 for a redo, and `undoes` the number of a step.
    """
    CREATE TABLE step (
      number INTEGER PRIMARY KEY,
      session INTEGER NOT NULL,
      root INTEGER NOT NULL,
      origin TEXT NOT NULL,
      at INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      undoes INTEGER,
      isTakenBack INTEGER NOT NULL,
      UNIQUE (session, root)
    ) STRICT;
    INSERT INTO step
      SELECT min(revision), session, root, origin, at, 0, NULL, 0 FROM change
      GROUP BY session, root;
    CREATE INDEX stepByState ON step (kind, isTakenBack);
    CREATE INDEX stepByOrigin ON step (origin, kind, isTakenBack);
    DROP INDEX changeByRoot;
    CREATE INDEX changeByRoot ON change (session, root, todo);
    ALTER TABLE change DROP COLUMN undoesSession;
    ALTER TABLE change DROP COLUMN undoesRoot;
    """,
  ])

  let steps: [String]

  /// The version that this program knows.
  var newest: Int { steps.count }

  /// What a file is, as its header says.
  enum State: Equatable {
    /// A store of a schema that this program knows, maybe an older one.
    case store(version: Int)
    /// Nothing yet.
    case empty
    case foreign
    case newer(version: Int)
  }

  /// What a database is; read in one go, as another process may be making the schema meanwhile.
  func state(of database: Database) throws -> State {
    var (application, version, isEmpty) = (0, 0, false)
    try database.inTransaction(.deferred) {
      application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      if application == 0 && version == 0 {
        isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
      }
      return .commit
    }
    guard application == Self.applicationID else { return isEmpty ? .empty : .foreign }
    return version > newest ? .newer(version: version) : .store(version: version)
  }

  /// Brings a store to the newest schema, in one transaction.
  func run(on database: Database, from version: Int) throws {
    try database.execute(sql: "BEGIN IMMEDIATE")
    do {
      for step in version..<newest { try database.execute(sql: steps[step]) }
      try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(newest)")
      try database.execute(sql: "COMMIT")
    } catch {
      try? database.execute(sql: "ROLLBACK")
      throw error
    }
  }
}
