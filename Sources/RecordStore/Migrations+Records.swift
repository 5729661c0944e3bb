import SQLiteStore

extension Migrations {
  /// The schema of records: their values, and the journal of their changes.
  ///
  /// The application's number is made of the program's name (FNV-1a, 31 bits), so that no program takes the file
  /// of another for its own. A step has the number of its first change; its kind is 0 for a change, 1 for an
  /// undo, 2 for a redo, and `undoes` the number of a step.
  static func records(of program: String) -> Migrations {
    let hash = program.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return Migrations(applicationID: Int(hash & 0x7FFF_FFFF), steps: steps)
  }

  private static let steps = [
    """
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
  ]
}
