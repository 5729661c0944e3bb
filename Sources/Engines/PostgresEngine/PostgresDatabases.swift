public import EventRecords

/// Stores in databases of PostgreSQL; see ``PostgresAddress``.
public struct PostgresDatabases: EngineProvider {
  /// The form of an address.
  public var addressForm: String? { "postgresql://… or service=NAME" }

  /// Creates the provider.
  public init() {}

  /// Returns whether a text begins as an address of PostgreSQL does.
  public func recognizes(_ address: String) -> Bool { PostgresAddress.isOne(address) }

  /// Refuses an unreadable address, and one with a password.
  public func check(_ address: String, from source: AddressSource) throws {
    try PostgresAddress.check(address, from: source)
  }

  /// Returns the address without a password.
  public func name(of address: String, program: String) -> String {
    PostgresAddress(address, of: program).name
  }

  /// Creates the engine of a list in a database.
  public func engine(
    _ store: StoreConfiguration,
    file: (@Sendable (_ path: String) -> any RecordEngine)?
  ) -> any RecordEngine {
    PostgresEngine(store, file: file)
  }
}
