import EventRecords

/// The triggers that maintain sets, so that they are right after a write of a version that does not
/// know the set, too.
extension PostgresSchema {
  /// Creates the function of a set, and its trigger.
  ///
  /// The function has the name of the set's table. Its statements name their tables, and so are planned
  /// once in a connection. All other names are PostgreSQL's own, whatever the path of its caller.
  func makeFunction(
    of column: String,
    in table: String,
    on connection: PostgresConnection
  ) throws {
    let set = "\(names.schema).\(PostgresNames.quoted("\(table).\(column)"))"
    let field = PostgresNames.quoted(column)
    let body = """
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          DELETE FROM \(set) WHERE number = OLD._number;
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.\(field) LIKE '[%' AND NEW.\(field) <> '[]' THEN
          INSERT INTO \(set) (name, number) SELECT DISTINCT value #>> '{}', NEW._number
          FROM json_array_elements(NEW.\(field)::json) AS value
          WHERE json_typeof(value) = 'string';
        END IF;
        RETURN NULL;
      END
      """
    try connection.send(
      """
      CREATE OR REPLACE FUNCTION \(set)() RETURNS trigger LANGUAGE plpgsql SET \(PostgresNames.path)
      AS \(StoredValue.text(body).sqlConstant)
      """
    )
    try connection.send(
      """
      CREATE OR REPLACE TRIGGER \(PostgresNames.quoted("\(column):names"))
      AFTER INSERT OR DELETE OR UPDATE OF \(field)
      ON \(names.schema).\(PostgresNames.quoted(table)) FOR EACH ROW EXECUTE FUNCTION \(set)()
      """
    )
  }

  /// Returns the functions that take names from the path of their caller, as earlier programs have
  /// made them; of those that this role may change.
  func functionsWithoutPath(_ connection: PostgresConnection) throws -> [String] {
    let found = try connection.ask(
      """
      SELECT proname FROM pg_proc
      WHERE pronamespace = to_regnamespace($1) AND prorettype = 'trigger'::regtype
        AND starts_with(proname, 'record_') AND proconfig IS NULL
        AND pg_has_role(proowner, 'USAGE') ORDER BY 1
      """,
      [.text(names.schema)]
    )
    return (0..<found.count).compactMap { found.text($0, 0) }
  }

  /// Gives these functions their own path.
  func setPaths(_ connection: PostgresConnection) throws {
    for function in try functionsWithoutPath(connection) {
      try connection.send(
        "ALTER FUNCTION \(names.schema).\(PostgresNames.quoted(function))() SET \(PostgresNames.path)"
      )
    }
  }

  /// Creates the functions and triggers of all sets that a list has, of whatever version; this list is
  /// that one, or a copy of it.
  func makeFunctions(of list: PostgresSchema, on connection: PostgresConnection) throws {
    let sets = try connection.ask(
      """
      SELECT relname, attname FROM pg_trigger
      JOIN pg_class ON pg_class.oid = tgrelid
      JOIN pg_attribute ON attrelid = tgrelid AND attnum = tgattr[0]
      WHERE relnamespace = to_regnamespace($1) AND NOT tgisinternal ORDER BY 1, 2
      """,
      [.text(list.names.schema)]
    )
    for row in 0..<sets.count {
      guard let table = sets.text(row, 0), let column = sets.text(row, 1) else { continue }
      try makeFunction(of: column, in: table, on: connection)
    }
  }
}
