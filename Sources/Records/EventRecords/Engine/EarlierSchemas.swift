/// The schemas that the store of a program had before it had records, to convert an old file to
/// them.
///
/// The steps are carried out in one transaction, after a copy of the file. Each is SQL for SQLite
/// (3.38 or later): the n-th brings version n - 1 to version n, and a file has its version in
/// `PRAGMA user_version`.
///
/// ```swift
/// RecordDatabase(of: "todostream", after: .todos, path: path),
/// ```
public struct EarlierSchemas: Sendable {
  /// The application of the file, as in `PRAGMA application_id`.
  public let applicationID: Int32
  /// The steps, and the conversion after them.
  public let steps: [String]

  /// Creates a list of schemas.
  ///
  /// The conversion creates these three tables, and no other one of the old schema:
  ///
  /// - `earlier_record (number, kind, body, revision)`: the records, their fields as a JSON object.
  /// - `earlier_change (revision, record, kind, before, after, session, root, origin, at)`: the log
  ///   of their changes, the fields that were changed as JSON objects; of an addition there is no
  ///   `before` and all of them in `after`, of a removal the other way round.
  /// - `earlier_step (number, session, root, origin, at, kind, undoes, isTakenBack)`: the steps of
  ///   undo. A step has the number of its first change; its kind is 0 for a change, 1 for an undo,
  ///   2 for a redo of the step in `undoes`.
  ///
  /// - Parameters:
  ///   - applicationID: The application of the file.
  ///   - steps: The schemas.
  ///   - conversion: Converts the last schema to the tables above.
  public init(applicationID: Int32, steps: [String], conversion: String) {
    self.applicationID = applicationID
    self.steps = steps + [conversion]
  }
}
