import EventRecords

/// Where a list is: the address of a database, as libpq takes it, and the schema in it.
public struct PostgresAddress: Sendable {
  /// What libpq takes for an address: a URL, or `service=NAME`.
  let database: String
  /// The schema that is the list.
  let schema: String
  /// Whether the schema was named.
  private let isNamed: Bool

  /// Whether a text is meant to be one, and no path of a file.
  public static func isOne(_ text: String) -> Bool {
    ["postgresql://", "postgres://", "service="].contains { text.utf8.starts(with: $0.utf8) }
  }

  /// Reads an address; whether there is such a database is found out when it is used.
  ///
  /// - Parameters:
  ///   - text: The address of a database; a name after `#` is the list.
  ///   - program: The name of the program, which the list has if none follows.
  public init(_ text: String, of program: String) {
    let hash = text.lastIndex(of: "#")
    database = hash.map { String(text[..<$0]) } ?? text
    schema = hash.map { String(text[text.index(after: $0)...]) } ?? program
    isNamed = hash != nil
  }

  /// Finds out whether libpq can read it, and whether a list can have that name.
  ///
  /// - Throws: A `StoreError` why not, which does not repeat what is secret.
  func check() throws {
    guard try LibPQ.shared.get().options(of: database) != nil else {
      throw StoreError(path: "", Self.unreadable)
    }
    // PostgreSQL would cut off what is longer, and take one list for another.
    guard 1...63 ~= schema.utf8.count, !schema.utf8.contains(0), !schema.hasPrefix("pg_") else {
      throw StoreError(
        path: name,
        "'\(schema)' can't be the name of a list: it has to have 1 to 63 bytes, and not to begin with 'pg_'."
      )
    }
  }

  /// The address for people: without what is secret in it.
  public var name: String {
    let list = isNamed ? "#\(schema)" : ""
    guard let options = try? LibPQ.shared.get().options(of: database) else {
      return "PostgreSQL\(list)"
    }
    guard Self.hasSecret(options) else { return database + list }
    let place = (options["host"] ?? "") + (options["port"].map { ":\($0)" } ?? "")
    return "postgresql://\(options["user"].map { $0 + "@" } ?? "")\(place)/"
      + "\(options["dbname"] ?? "")\(list)"
  }

  private static func hasSecret(_ options: [String: String]) -> Bool {
    options["password"] != nil || options["sslpassword"] != nil
  }

  /// Refuses one that can't be read, and one in the arguments of a process that has a password:
  /// every user of the machine sees those.
  ///
  /// - Throws: A `StoreError` that does not repeat it.
  public static func check(argument text: String) throws {
    let database = text.lastIndex(of: "#").map { String(text[..<$0]) } ?? text
    guard let options = try LibPQ.shared.get().options(of: database) else {
      throw StoreError(path: "", unreadable)
    }
    guard hasSecret(options) else { return }
    throw StoreError(
      path: "",
      "A password in an argument is seen by all users of this machine: write it to ~/.pgpass, "
        + "to the file that $PGPASSFILE names, or to a service file, and name that by service=NAME."
    )
  }

  /// What is wrong with an address; libpq's own words would repeat it.
  private static let unreadable =
    "The address of the store can't be read: it has to be postgresql://[USER@]HOST[:PORT]/DATABASE or service=NAME."
}

extension PostgresAddress {
  /// Under which name commits are announced.
  var channel: String { schema }
}
