import EventRecords
import GRDB

/// The function of SQL that tells whether a text contains another one, which is in the form of `String.searchForm`.
enum SearchFunction {
  static let name = "contains_folded"

  /// Makes it known to a connection.
  static func add(to database: Database) {
    database.add(
      function: DatabaseFunction(name, argumentCount: 2, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]),
          let part = String.fromDatabaseValue(values[1])
        else { return false }
        return text.searchForm.utf8.contains(part.utf8)
      }
    )
  }
}
