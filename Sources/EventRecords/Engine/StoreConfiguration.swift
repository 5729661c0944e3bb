/// The store that an engine uses, and its program.
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

  /// Creates a configuration.
  public init(of program: String, path: String) {
    self.program = program
    self.path = path
  }
}
