// Records as JSON texts, in the form of earlier schemas.

extension RecordTable {
  /// Stores a record whose fields are a JSON object.
  ///
  /// - Returns: False if the fields can't be read; then nothing is stored.
  /// - Throws: The store's failure.
  package func insert(
    json text: String,
    number: Int,
    revision: Int,
    by writer: any RecordWriter
  ) throws -> Bool {
    try insert(self.type, text, number, revision, writer)
  }

  private func insert<R: Record>(
    _ type: R.Type,
    _ text: String,
    _ number: Int,
    _ revision: Int,
    _ writer: any RecordWriter
  ) throws -> Bool {
    guard let value = try? R(RecordFields(text, number, kind), number) else { return false }
    try value.withFields { record in
      try writer.insert(
        RecordValues(fields, record),
        number: number,
        revision: revision,
        into: self
      )
    }
    return true
  }

  /// Returns the fields that differ in two states of a record, with their values in each.
  ///
  /// - Parameters:
  ///   - before: All fields of one state, as a JSON object.
  ///   - after: All fields of the other.
  ///   - table: The table of the record; nil if its kind is unknown.
  /// - Returns: The fields, as JSON objects; nil if they can't be read.
  package static func changed(
    from before: String,
    to after: String,
    in table: RecordTable?
  ) -> (before: String, after: String)? {
    if let table, let changed = table.changed(table.type, before, after) { return changed }
    guard let before = try? RecordFields(before, 0, ""), let after = try? RecordFields(after, 0, "")
    else { return nil }
    let names = after.differences(from: before)
    return (before.text(of: names), after.text(of: names))
  }

  private func changed<R: Record>(
    _ type: R.Type,
    _ before: String,
    _ after: String
  ) -> (before: String, after: String)? {
    guard let before = try? R(RecordFields(before, 0, kind), 0),
      let after = try? R(RecordFields(after, 0, kind), 0)
    else { return nil }
    let set = after.differences(from: before)
    guard let first = try? before.text(set), let second = try? after.text(set) else { return nil }
    return (first, second)
  }
}
