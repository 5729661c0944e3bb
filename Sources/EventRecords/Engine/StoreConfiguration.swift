/// Which store an engine is to keep records in, and for whom.
public struct StoreConfiguration: Sendable {
  /// The name of the program whose store it is.
  public var program: String
  /// The schemas that the store had before it had records.
  public var earlier: EarlierSchemas?
  /// The path or address.
  public var path: String
  /// Whether missing folders are made, too.
  public var makesFolders = false
  /// Whether to keep what is opened to read; else a read leaves no trace.
  public var isLasting = false

  /// Names a store.
  public init(of program: String, path: String) {
    self.program = program
    self.path = path
  }
}
