import GRDB

/// How far a store has come: the number of its last change.
///
/// Every schema has a table `change` with a column `revision`, to which each change appends a row.
enum Revision {
  /// The revision of the last row; 0 if there is none.
  static func newest(_ database: Database) throws -> Int {
    let statement = try database.cachedStatement(sql: "SELECT max(revision) FROM change")
    return try Int.fetchOne(statement) ?? 0
  }
}
