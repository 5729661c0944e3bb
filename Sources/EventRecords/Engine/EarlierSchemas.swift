/// The schemas that the store of a program had before it kept records: what brings an old file to
/// them.
///
/// The steps are carried out in one transaction, after a copy of the file. Each is SQL for SQLite
/// (3.38 or later): the n-th brings version n - 1 to version n, and a file says in `PRAGMA
/// user_version` which it has.
public struct EarlierSchemas: Sendable {
  /// Whose file it is, as `PRAGMA application_id` says.
  public let applicationID: Int32
  /// The steps, and the conversion after them.
  public let steps: [String]

  /// Lists schemas.
  ///
  /// The conversion leaves these three tables, and no other one of the old schema:
  ///
  /// - `earlier_record (number, kind, body, revision)`: the records, their fields as a JSON object.
  /// - `earlier_change (revision, record, kind, before, after, session, root, origin, at)`: the log
  ///   of their changes, the fields that were changed as JSON objects; of an addition there is no
  ///   `before` and all of them in `after`, of a removal the other way round.
  /// - `earlier_step (number, session, root, origin, at, kind, undoes, isTakenBack)`: the steps of
  ///   undo. A step has the number of its first change; its kind is 0 for a change, 1 for an undo,
  ///   2 for a redo of the step that `undoes` names.
  ///
  /// - Parameters:
  ///   - applicationID: Whose file it is.
  ///   - steps: The schemas.
  ///   - conversion: Brings the last of them to the tables above.
  public init(applicationID: Int32, steps: [String], conversion: String) {
    self.applicationID = applicationID
    self.steps = steps + [conversion]
  }
}
