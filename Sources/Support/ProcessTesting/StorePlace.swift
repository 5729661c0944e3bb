import Foundation

/// Where the store of a test is: what the program does must not depend on it.
package enum StorePlace: String, CaseIterable, Sendable {
  /// A file of SQLite.
  case file
  /// A list in PostgreSQL.
  case server
  /// A list in PostgreSQL through PgBouncer in transaction mode.
  case pooler

  /// The places of a test: through PgBouncer, in `make nightly` alone.
  package static let here: [StorePlace] =
    PostgresServer.isHere ? isNightly ? allCases : [.file, .server] : [.file]

  /// The places of a test that takes many seconds at each: on PostgreSQL, in `make nightly` alone.
  package static let inLongTests: [StorePlace] = isNightly ? here : [.file]
}

extension Workplace {
  /// Creates the folder for the todo manager, with an empty store.
  ///
  /// - Parameters:
  ///   - place: Where the store is; a list has a name of its own.
  ///   - server: The server of lists; by default that of this process.
  /// - Throws: An error of the system, or the message of a list that could not be made.
  package convenience init(on place: StorePlace, of server: PostgresServer? = nil) throws {
    guard place != .file else {
      try self.init()
      return
    }
    let server = try server ?? PostgresServer.shared
    let list = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
    let address = place == .server ? server.address : server.pooled
    try self.init(store: "\(address)#\(list)")
    let made = try start(#"exec todostream --quiet store init "$1""#, ["\(server.address)#\(list)"])
      .outcome()
    guard made == Job.Outcome() else { throw ListNotMade(outcome: made) }
  }

  private struct ListNotMade: Error { let outcome: Job.Outcome }
}
