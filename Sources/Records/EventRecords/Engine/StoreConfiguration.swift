/// The store that an engine uses, and its program.
///
/// ```swift
/// var store = StoreConfiguration(of: "test", path: "\(address)#\(schema)")
/// store.makesSchema = true
/// store.reportsUnread = report
/// return PostgresEngine(store)
/// ```
public struct StoreConfiguration: Sendable {
  /// The name of the program whose store it is.
  public var program: String
  /// The schemas that the store had before it had records.
  public var earlier: EarlierSchemas?
  /// The path or address.
  public var path: String
  /// Whether missing folders are created.
  public var makesFolders = false
  /// Whether files stay open after a read; else a read leaves no trace.
  public var isLasting = false

  /// Whether the missing schema of a store on another machine is created; a file is created by the
  /// first write.
  public var makesSchema = false
  /// Called by an engine on another machine when it has created or changed the schema, once, on the
  /// thread that uses it.
  public var reportsSchema: @Sendable (SchemaChange) -> Void = { _ in }
  /// Called by an engine that has brought a store to the form of this version, and has found in it what the
  /// version does not read; with a message for a person, on the thread that uses it.
  public var reportsUnread: @Sendable (StoreError) -> Void = { _ in }
  /// Called by an engine on another machine that has lost its connection during a commit, and has been
  /// asking for the outcome for some time; with a message for a person, on the thread that uses it.
  public var reportsDoubt: @Sendable (StoreError) -> Void = { _ in }

  /// Creates a configuration.
  public init(of program: String, path: String) {
    self.program = program
    self.path = path
  }
}

/// What was done to the schema of a store.
public enum SchemaChange: Sendable, Equatable {
  /// It was created.
  case created
  /// It was changed for this version of the program; `copy` names a copy of the store from before,
  /// nil if none could be made.
  case updated(copy: String?)
}
