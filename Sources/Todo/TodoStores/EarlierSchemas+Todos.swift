public import EventRecords

extension EarlierSchemas {
  /// The schemas that todos had before they were records: frozen, as no store is created with them
  /// any more.
  ///
  /// They only convert old files to records. A new field is a line in `Todo.fields`, and needs
  /// neither a step here nor a migration.
  ///
  /// The application's number is "todo" in ASCII.
  public static let todos = EarlierSchemas(
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
      // Indices for common lists, so that they don't read all todos.
      """
      CREATE INDEX todoByOpening ON todo (createdAt DESC, number DESC)
        WHERE completedAt IS NULL AND deleted = 0;
      CREATE INDEX todoByCompletion ON todo (createdAt DESC, number DESC)
        WHERE completedAt IS NOT NULL AND deleted = 0;
      CREATE INDEX todoByPriority ON todo (priority) WHERE priority = 1;
      """,
      // The changes of one root are undone together. A step has the number of its first
      // change; its kind is 0 for a change, 1 for an undo, 2 for a redo, and `undoes` the number of
      // a step.
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
      // The places of moved todos; the others were never moved.
      """
      ALTER TABLE todo ADD COLUMN place TEXT;
      CREATE INDEX todoByPlace ON todo (place) WHERE place IS NOT NULL;
      """,
    ],
    conversion: conversion
  )

  /// Converts todos to records.
  ///
  /// `deleted` was 1 for a deleted todo, and 2 more for one whose addition was undone: such a todo
  /// becomes no record. The log had `withdrawn` for the latter; its entries get all fields of such
  /// a todo before it was removed, or after it was added again.
  private static let conversion = """
    CREATE TABLE earlier_record AS
      SELECT number, 'todo' AS kind, revision, json_object(
        'uuid', uuid,
        'title', title,
        'subtitle', subtitle,
        'priority', CASE priority WHEN 0 THEN 'normal' WHEN 1 THEN 'high' ELSE priority END,
        'completedAt', completedAt,
        'createdAt', createdAt,
        'deleted', json(CASE WHEN deleted & 1 THEN 'true' ELSE 'false' END),
        'due', due,
        'tags', json(CASE WHEN json_valid(tags) THEN tags ELSE json_quote(tags) END),
        'project', project,
        'place', CAST(CAST(substr(place, 1, 19) AS INTEGER) AS TEXT) || '.' || substr(place, 20)
      ) AS body
      FROM todo WHERE deleted & 2 = 0;
    CREATE TABLE earlier_change AS
      SELECT revision, todo AS record, 'todo' AS kind, before, after, session, root, origin, at
      FROM change;
    CREATE UNIQUE INDEX earlierByRecord ON earlier_change (record, revision);
    UPDATE earlier_change
      SET after = json_set(after, '$.uuid', uuid, '$.createdAt', createdAt)
      FROM todo WHERE todo.number = record AND before IS NULL AND json_valid(after);
    CREATE TABLE withdrawal AS
      WITH RECURSIVE
        withdrawn (record) AS (
          SELECT DISTINCT record FROM earlier_change
          WHERE json_valid(after) AND json_type(after, '$.withdrawn') IS NOT NULL
        ),
        state (record, revision, body) AS (
          SELECT record, revision, after FROM earlier_change
          WHERE before IS NULL AND record IN withdrawn
          UNION ALL
          SELECT state.record, next.revision, json_patch(state.body, next.after)
          FROM state JOIN earlier_change AS next ON next.record = state.record AND next.revision = (
            SELECT min(revision) FROM earlier_change AS later
            WHERE later.record = state.record AND later.revision > state.revision
          )
        )
      SELECT revision, json_remove(body, '$.withdrawn') AS body,
        ifnull(json_extract(body, '$.withdrawn'), 0) AS isGone,
        json_remove(lag(body) OVER steps, '$.withdrawn') AS earlier,
        ifnull(json_extract(lag(body) OVER steps, '$.withdrawn'), 0) AS wasGone
      FROM state WINDOW steps AS (PARTITION BY record ORDER BY revision);
    UPDATE earlier_change
      SET before = CASE WHEN wasGone THEN NULL ELSE earlier END,
        after = CASE WHEN isGone THEN NULL ELSE body END
      FROM withdrawal
      WHERE withdrawal.revision = earlier_change.revision AND (isGone OR wasGone);
    CREATE TABLE earlier_step AS
      SELECT number, session, root, origin, at, kind, undoes, isTakenBack FROM step;
    DROP TABLE withdrawal;
    DROP INDEX earlierByRecord;
    DROP TABLE step;
    DROP TABLE change;
    DROP TABLE tag;
    DROP TABLE todo;
    """
}
