public import EventRecords

/// Stores in files, by SQLite; each text is the path of one unless another kind of store recognizes
/// it.
///
/// ```swift
/// Parts(
///   engines: [SQLiteFiles()],
///   frontends: [REPLLauncher(), BatchLauncher(), LineServer()],
///   plugins: [.on(UndoHistory())]
/// )
/// ```
public struct SQLiteFiles: EngineProvider {
  /// Nil: the addresses are paths.
  public var addressForm: String? { nil }

  /// Creates the provider.
  public init() {}

  /// Returns true: any text is a path.
  public func recognizes(_ address: String) -> Bool { true }

  /// Creates the engine of a file.
  public func engine(
    _ store: StoreConfiguration,
    file: (@Sendable (_ path: String) -> any RecordEngine)?
  ) -> any RecordEngine {
    RecordDatabase(store)
  }
}
