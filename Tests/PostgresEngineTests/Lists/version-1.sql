-- A list of version 1, as pg_dump writes it, without comments and settings. Four todos, of which one is completed and one
-- deleted, and an addition that was undone.

CREATE SCHEMA todos;

CREATE FUNCTION todos.keep_names() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    EXECUTE format('DELETE FROM %I.%I WHERE number = $1', TG_TABLE_SCHEMA, TG_ARGV[0])
    USING OLD._number;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    EXECUTE format(
      'INSERT INTO %I.%I (name, number) SELECT DISTINCT value #>> ''{}'', ($1)._number '
      'FROM json_array_elements(CASE WHEN ($1).%I LIKE ''[%%'' THEN ($1).%I ELSE ''[]'' END::json) '
      'AS value WHERE json_typeof(value) = ''string''',
      TG_TABLE_SCHEMA, TG_ARGV[0], TG_ARGV[1], TG_ARGV[1]
    ) USING NEW;
  END IF;
  RETURN NULL;
END $_$;

CREATE TABLE todos.change (
    revision bigint NOT NULL,
    record bigint NOT NULL,
    kind text NOT NULL,
    before text,
    after text,
    session bigint NOT NULL,
    root bigint NOT NULL,
    origin text NOT NULL,
    at bigint NOT NULL,
    part bigint DEFAULT 0 NOT NULL
);

CREATE TABLE todos.counter (
    version bigint NOT NULL,
    revision bigint NOT NULL,
    number bigint NOT NULL,
    session bigint,
    root bigint
);

CREATE TABLE todos.declaration (
    kind text NOT NULL,
    signature bigint NOT NULL
);

CREATE TABLE todos.record_todo (
    _number bigint NOT NULL,
    _revision bigint NOT NULL,
    _text text COLLATE pg_catalog."C",
    uuid text DEFAULT '00000000-0000-0000-0000-000000000000'::text COLLATE pg_catalog."C",
    title text DEFAULT ''::text COLLATE pg_catalog."C",
    subtitle text DEFAULT ''::text COLLATE pg_catalog."C",
    priority bigint DEFAULT 0,
    "completedAt" bigint,
    "createdAt" bigint DEFAULT 0,
    deleted bigint DEFAULT 0,
    due text COLLATE pg_catalog."C",
    tags text DEFAULT '[]'::text COLLATE pg_catalog."C",
    project text COLLATE pg_catalog."C",
    place text COLLATE pg_catalog."C"
);

CREATE TABLE todos."record_todo.tags" (
    name text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
);

CREATE TABLE todos.step (
    number bigint NOT NULL,
    session bigint NOT NULL,
    root bigint NOT NULL,
    origin text NOT NULL,
    at bigint NOT NULL,
    kind bigint NOT NULL,
    undoes bigint,
    "isTakenBack" bigint NOT NULL
);

INSERT INTO todos.change VALUES (1, 1, 'todo', NULL, '{"uuid":"73428bd3-df4e-4285-812b-c705506133d7","title":"Buy milk","subtitle":"","priority":"normal","createdAt":"2026-11-26T05:24:24.387Z","deleted":false,"due":"2026-12-01","tags":["home","shop"]}', 7820641875006146897, 1, 'batch', 1795670664388, 1);
INSERT INTO todos.change VALUES (2, 2, 'todo', NULL, '{"uuid":"962491b3-1a6b-4f05-8e16-818e04cddd54","title":"Call Ann","subtitle":"","priority":"high","createdAt":"2026-11-26T05:24:24.388Z","deleted":false,"tags":[],"project":"family"}', 7820641875006146897, 1, 'batch', 1795670664388, 1);
INSERT INTO todos.change VALUES (3, 3, 'todo', NULL, '{"uuid":"4c01421b-6fd4-4dcb-a051-9a97c61eed04","title":"Écrire à Zoé","subtitle":"«l''été»","priority":"normal","createdAt":"2026-11-26T05:24:24.388Z","deleted":false,"tags":["home"]}', 7820641875006146897, 1, 'batch', 1795670664389, 1);
INSERT INTO todos.change VALUES (4, 4, 'todo', NULL, '{"uuid":"decd32ee-3708-47a5-b861-bd4605825755","title":"To be deleted","subtitle":"","priority":"normal","createdAt":"2026-11-26T05:24:24.389Z","deleted":false,"tags":["gone"]}', 7820641875006146897, 1, 'batch', 1795670664389, 1);
INSERT INTO todos.change VALUES (5, 1, 'todo', '{"completedAt":null}', '{"completedAt":"2026-11-26T05:24:24.547Z"}', 4751965021088569317, 1, 'cli', 1795670664547, 1);
INSERT INTO todos.change VALUES (6, 2, 'todo', '{"tags":[]}', '{"tags":["shop","o''clock \"x\""]}', -4546576386171316439, 1, 'cli', 1795670664795, 1);
INSERT INTO todos.change VALUES (7, 4, 'todo', '{"deleted":false}', '{"deleted":true}', 2621447848259180779, 1, 'cli', 1795670664975, 1);
INSERT INTO todos.change VALUES (8, 5, 'todo', NULL, '{"uuid":"c83cf1dc-7e65-4595-a98e-9afafc7ed43f","title":"Undone","subtitle":"","priority":"normal","createdAt":"2026-11-26T05:24:25.118Z","deleted":false,"tags":[]}', 1270219417122669380, 1, 'cli', 1795670665118, 1);
INSERT INTO todos.change VALUES (9, 5, 'todo', '{"uuid":"c83cf1dc-7e65-4595-a98e-9afafc7ed43f","title":"Undone","subtitle":"","priority":"normal","createdAt":"2026-11-26T05:24:25.118Z","deleted":false,"tags":[]}', NULL, -9022217229499061797, 1, 'cli', 1795670665327, 1);

INSERT INTO todos.counter VALUES (1, 9, 5, -9022217229499061797, 1);

INSERT INTO todos.declaration VALUES ('todo', 5598450417579342056);

INSERT INTO todos.record_todo VALUES (3, 3, 'écrire à zoé
«l''été»', '4c01421b-6fd4-4dcb-a051-9a97c61eed04', 'Écrire à Zoé', '«l''été»', 0, NULL, 1795670664388, 0, NULL, '["home"]', NULL, NULL);
INSERT INTO todos.record_todo VALUES (1, 5, 'buy milk
', '73428bd3-df4e-4285-812b-c705506133d7', 'Buy milk', '', 0, 1795670664547, 1795670664387, 0, '2026-12-01', '["home","shop"]', NULL, NULL);
INSERT INTO todos.record_todo VALUES (2, 6, 'call ann
', '962491b3-1a6b-4f05-8e16-818e04cddd54', 'Call Ann', '', 1, NULL, 1795670664388, 0, NULL, '["shop","o''clock \"x\""]', 'family', NULL);
INSERT INTO todos.record_todo VALUES (4, 7, 'to be deleted
', 'decd32ee-3708-47a5-b861-bd4605825755', 'To be deleted', '', 0, NULL, 1795670664389, 1, NULL, '["gone"]', NULL, NULL);

INSERT INTO todos."record_todo.tags" VALUES ('home', 1);
INSERT INTO todos."record_todo.tags" VALUES ('shop', 1);
INSERT INTO todos."record_todo.tags" VALUES ('home', 3);
INSERT INTO todos."record_todo.tags" VALUES ('gone', 4);
INSERT INTO todos."record_todo.tags" VALUES ('o''clock "x"', 2);
INSERT INTO todos."record_todo.tags" VALUES ('shop', 2);

INSERT INTO todos.step VALUES (1, 7820641875006146897, 1, 'batch', 1795670664388, 0, NULL, 0);
INSERT INTO todos.step VALUES (5, 4751965021088569317, 1, 'cli', 1795670664547, 0, NULL, 0);
INSERT INTO todos.step VALUES (6, -4546576386171316439, 1, 'cli', 1795670664795, 0, NULL, 0);
INSERT INTO todos.step VALUES (7, 2621447848259180779, 1, 'cli', 1795670664975, 0, NULL, 0);
INSERT INTO todos.step VALUES (9, -9022217229499061797, 1, 'cli', 1795670665327, 1, 8, 0);
INSERT INTO todos.step VALUES (8, 1270219417122669380, 1, 'cli', 1795670665118, 0, NULL, 1);

ALTER TABLE ONLY todos.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (revision);

ALTER TABLE ONLY todos.declaration
    ADD CONSTRAINT declaration_pkey PRIMARY KEY (kind, signature);

ALTER TABLE ONLY todos."record_todo.tags"
    ADD CONSTRAINT "record_todo.tags_pkey" PRIMARY KEY (name, number);

ALTER TABLE ONLY todos.record_todo
    ADD CONSTRAINT record_todo_pkey PRIMARY KEY (_number);

ALTER TABLE ONLY todos.step
    ADD CONSTRAINT step_pkey PRIMARY KEY (number);

ALTER TABLE ONLY todos.step
    ADD CONSTRAINT step_session_root_key UNIQUE (session, root);

CREATE INDEX "changeByRecord" ON todos.change USING btree (record, revision);

CREATE INDEX "changeByRoot" ON todos.change USING btree (session, root, record);

CREATE INDEX "record_todo.tags:number" ON todos."record_todo.tags" USING btree (number);

CREATE INDEX "record_todo:deleted,createdAt" ON todos.record_todo USING btree (deleted, "createdAt");

CREATE INDEX "record_todo:due" ON todos.record_todo USING btree (due);

CREATE INDEX "record_todo:place" ON todos.record_todo USING btree (place);

CREATE INDEX "record_todo:priority" ON todos.record_todo USING btree (priority);

CREATE INDEX "record_todo:project" ON todos.record_todo USING btree (project);

CREATE INDEX "record_todo:uuid" ON todos.record_todo USING btree (uuid);

CREATE INDEX "stepByOrigin" ON todos.step USING btree (origin, kind, "isTakenBack", number);

CREATE INDEX "stepByState" ON todos.step USING btree (kind, "isTakenBack", number);

CREATE TRIGGER "tags:names" AFTER INSERT OR DELETE OR UPDATE OF tags ON todos.record_todo FOR EACH ROW EXECUTE FUNCTION todos.keep_names('record_todo.tags', 'tags');
