import EventRecords
import GRDB

extension Migrations {
  /// The schema of records: a table for each kind that the program declares, and the log of their
  /// changes.
  ///
  /// The application's number is derived from the program's name (FNV-1a, 31 bits), so that no
  /// program opens a file of another; a program that had a number before it stored records retains
  /// that one. A step has the number of its first change; its kind is 0 for a change, 1 for an
  /// undo, 2 for a redo, and `undoes` the number of the reverted step.
  static func records(
    of program: String,
    _ tables: [RecordTable],
    after earlier: EarlierSchemas? = nil
  ) -> Migrations {
    let hash = program.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let declaration = Declaration(tables)
    let today = Step.code { try OldRecords($0, tables).migrate(by: declaration) }
    // The columns of ranked values have had their names since then: tables are brought to that form
    // after all steps, and a version of before does not write ranks to them.
    let named: Step = ""
    return Migrations(
      applicationID: earlier.map { Int($0.applicationID) } ?? Int(hash & 0x7FFF_FFFF),
      steps: (earlier.map(steps) ?? [bodies]) + [today, named],
      fresh: [bodies, today],
      declared: declaration
    )
  }

  /// The schemas of a program before it stored records; the last becomes version 1 of its new
  /// schema.
  private static func steps(_ earlier: EarlierSchemas) -> [Step] {
    let tables: Step = """
      INSERT INTO record (number, kind, body, revision)
        SELECT number, kind, body, revision FROM earlier_record;
      INSERT INTO change (revision, record, kind, before, after, session, root, origin, at)
        SELECT revision, record, kind, before, after, session, root, origin, at FROM earlier_change;
      INSERT INTO step (number, session, root, origin, at, kind, undoes, isTakenBack)
        SELECT number, session, root, origin, at, kind, undoes, isTakenBack FROM earlier_step;
      DROP TABLE earlier_record;
      DROP TABLE earlier_change;
      DROP TABLE earlier_step;
      """
    var steps = earlier.steps.map { Step.sql($0) }
    let conversion = steps.removeLast()
    steps.append(
      .code { database in
        for step in [conversion, bodies, tables] { try step.run(on: database) }
      }
    )
    return steps
  }

  /// Version 1 had one table for records of all kinds, with their fields as JSON.
  private static let bodies: Step = """
    CREATE TABLE record (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      revision INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX recordByKind ON record (kind, number);
    CREATE TABLE change (
      revision INTEGER PRIMARY KEY,
      record INTEGER NOT NULL,
      kind TEXT NOT NULL,
      before TEXT,
      after TEXT,
      session INTEGER NOT NULL,
      root INTEGER NOT NULL,
      origin TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX changeByRecord ON change (record, revision);
    CREATE INDEX changeByRoot ON change (session, root, revision);
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
    CREATE INDEX stepByState ON step (kind, isTakenBack);
    CREATE INDEX stepByOrigin ON step (origin, kind, isTakenBack);
    """
}

/// The records of version 1, with their fields as JSON; the log had all fields before and after.
struct OldRecords {
  private let database: Database
  private let tables: [RecordTable]

  init(_ database: Database, _ tables: [RecordTable]) {
    self.database = database
    self.tables = tables
  }

  /// Migrates the records to version 2.
  ///
  /// A record that can't be read, or has a kind that this version of the program does not declare,
  /// is not moved; `doctor` names it, and a version that declares its kind moves it.
  func migrate(by declaration: Declaration) throws {
    try database.execute(
      sql: """
        CREATE TABLE declaration (
          kind TEXT NOT NULL,
          signature INTEGER NOT NULL,
          PRIMARY KEY (kind, signature)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE change ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
        DROP INDEX changeByRoot;
        CREATE INDEX changeByRoot ON change (session, root, record);
        """
    )
    try declaration.make(database)
    try narrowLog()
    if try Int.fetchOne(database, sql: "SELECT count(*) FROM record") == 0 {
      try database.execute(sql: "DROP TABLE record")
    }
  }

  /// Moves the records of the declared kinds to their tables.
  func moveRecords() throws {
    let writer = SQLiteWriter(database, TableStatements())
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT number, kind, body, revision FROM record ORDER BY number"
    )
    var moved: [Int] = []
    while let row = try rows.next() {
      let (number, kind): (Int, String) = (row[0], row[1])
      guard let table = tables.first(where: { $0.storedKind == kind }) else { continue }
      let isMoved = try table.insert(
        json: row[2],
        number: number,
        revision: row[3],
        by: writer
      )
      if isMoved { moved.append(number) }
    }
    let statement = try database.makeStatement(sql: "DELETE FROM record WHERE number = ?")
    for number in moved { try statement.execute(arguments: [number]) }
  }

  /// Removes unchanged fields from the log.
  private func narrowLog() throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT revision, kind, before, after FROM change
        WHERE before IS NOT NULL AND after IS NOT NULL ORDER BY revision
        """
    )
    let statement = try database.makeStatement(
      sql: "UPDATE change SET before = ?, after = ? WHERE revision = ?"
    )
    var narrowed: [(revision: Int, before: String, after: String)] = []
    while let row = try rows.next() {
      let (revision, kind): (Int, String) = (row[0], row[1])
      let table = tables.first { $0.storedKind == kind }
      guard let (before, after) = RecordTable.changed(from: row[2], to: row[3], in: table) else {
        continue
      }
      narrowed.append((revision, before, after))
    }
    for change in narrowed {
      try statement.execute(arguments: [change.before, change.after, change.revision])
    }
  }
}
