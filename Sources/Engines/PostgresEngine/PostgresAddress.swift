public import EventRecords

/// The address of a list: a database, as libpq takes its address, and the schema in it.
public struct PostgresAddress: Sendable {
  /// The address of the database for libpq: a URL, or `service=NAME`.
  let database: String
  /// The schema that is the list.
  let schema: String
  /// Whether the text named the schema.
  private let isNamed: Bool
  /// PostgreSQL would cut off a longer name of a schema, and take one list for another.
  static let longestName = 63

  /// Whether a text is the address of a database, and not the path of a file.
  public static func isOne(_ text: String) -> Bool {
    ["postgresql://", "postgres://", "service="].contains { text.utf8.starts(with: $0.utf8) }
  }

  /// Reads an address; whether the database exists is found out at the first use.
  ///
  /// - Parameters:
  ///   - text: The address of a database; after `#` it may name the list.
  ///   - program: The name of the program, and of the list if the address names none.
  public init(_ text: String, of program: String) {
    let hash = text.lastIndex(of: "#")
    database = hash.map { String(text[..<$0]) } ?? text
    schema = hash.map { String(text[text.index(after: $0)...]) } ?? program
    isNamed = hash != nil
  }

  private init(_ database: String, schema: String) {
    (self.database, self.schema, isNamed) = (database, schema, true)
  }

  /// Returns the address of another list in the same database.
  func named(_ schema: String) -> PostgresAddress { PostgresAddress(database, schema: schema) }

  /// Checks that libpq can read the address, and that a list can have its name.
  ///
  /// - Throws: A `StoreError` with the reason, which does not repeat what is secret.
  func check() throws {
    guard try LibPQ.shared.get().options(of: database) != nil else {
      throw StoreError(path: "", Self.unreadable)
    }
    guard 1...Self.longestName ~= schema.utf8.count, !schema.utf8.contains(0),
      !schema.hasPrefix("pg_")
    else {
      throw StoreError(
        path: name,
        "'\(schema)' can't be the name of a list: it has to have 1 to \(Self.longestName) bytes, and not to begin with 'pg_'."
      )
    }
  }

  /// The address for people, without its secrets.
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

  /// Refuses an unreadable address, and one with a password: every user of the machine can read an
  /// argument, and a configuration file is copied.
  ///
  /// Without libpq nothing is checked: the first use of the store fails then.
  ///
  /// - Throws: A `StoreError` that does not repeat the address.
  public static func check(_ text: String, from source: AddressSource) throws {
    guard let pq = try? LibPQ.shared.get() else { return }
    let database = text.lastIndex(of: "#").map { String(text[..<$0]) } ?? text
    guard let options = pq.options(of: database) else {
      throw StoreError(path: "", unreadable)
    }
    guard hasSecret(options) else { return }
    let reason =
      switch source {
      case .argument: "A password in an argument is seen by all users of this machine"
      case .configuration: "A password does not belong in a configuration file"
      }
    throw StoreError(
      path: "",
      "\(reason): write it to ~/.pgpass, to the file that $PGPASSFILE names, or to a service file, "
        + "and name that by service=NAME."
    )
  }

  /// The message about an unreadable address; libpq's own message would repeat the address.
  private static let unreadable =
    "The address of the store can't be read: it has to be postgresql://[USER@]HOST[:PORT]/DATABASE or service=NAME."
}

extension PostgresAddress {
  /// The channel on which commits are announced.
  var channel: String { schema }
}
