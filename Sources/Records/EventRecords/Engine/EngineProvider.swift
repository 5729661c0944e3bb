/// Creates the engines of one kind of store, and reads the addresses of these stores.
///
/// A program lists the kinds of stores that it has; an address belongs to the first kind that
/// recognizes it, and to files last. Used on any thread.
public protocol EngineProvider: Sendable {
  /// The form of an address, for a person: `postgresql://… or service=NAME`.
  ///
  /// Nil if the stores are files: every text is a path, and one of them is the store of a program
  /// that is given no address.
  var addressForm: String? { get }
  /// Returns whether a text is the address of a store of this kind; for files, true.
  func recognizes(_ address: String) -> Bool
  /// Checks an address before it is used; by default every address is accepted.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - source: Where it was given.
  /// - Throws: A ``StoreError`` that does not repeat a secret.
  func check(_ address: String, from source: AddressSource) throws
  /// Returns the name of a store for messages and recordings, without secrets; by default the
  /// address itself.
  func name(of address: String, program: String) -> String
  /// Creates the engine of a store; no store is opened yet.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - file: Creates an engine for the path of a file, for a copy of the store; nil if the program
  ///     has none for files.
  /// - Returns: The engine.
  func engine(
    _ store: StoreConfiguration,
    file: (@Sendable (_ path: String) -> any RecordEngine)?
  ) -> any RecordEngine
}

/// Where the address of a store was given.
public enum AddressSource: Sendable {
  /// In an argument of the process, which every user of the machine can read.
  case argument
  /// In a configuration file, which people copy.
  case configuration
}

extension EngineProvider {
  /// Accepts every address.
  public func check(_ address: String, from source: AddressSource) throws {}
  /// Returns the address.
  public func name(of address: String, program: String) -> String { address }
}
