import SQLiteStore

extension Migrations {
  /// The schema of todos.
  ///
  /// The application's number is "todo" in ASCII.
  static let todos = Migrations(
    applicationID: 0x746F_646F,
    steps: [
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
      // Where a todo was moved to; nobody has moved the others.
      """
      ALTER TABLE todo ADD COLUMN place TEXT;
      CREATE INDEX todoByPlace ON todo (place) WHERE place IS NOT NULL;
      """,
    ]
  )
}
