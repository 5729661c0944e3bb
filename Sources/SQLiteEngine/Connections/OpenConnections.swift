import EventMVVM

/// The connections of this process that share memory with each other, by SQLite's own doing.
enum OpenConnections {
  private struct Entry {
    weak var connection: StoreConnection?
  }

  private static let entries = Locked<[Entry]>([])

  /// Remembers a connection as long as it lives.
  static func add(_ connection: StoreConnection) {
    entries.withLock { entries in
      entries.removeAll { $0.connection == nil }
      entries.append(Entry(connection: connection))
    }
  }

  private static var open: [StoreConnection] {
    entries.withLock { $0.compactMap(\.connection) }.filter { !$0.isClosed }
  }

  /// Closes all connections to a store, on all threads, and leaves its log as it is.
  ///
  /// Waits until what they are just doing is done. Not to be called where one of them is in use by
  /// the caller.
  static func close(target: String) {
    for connection in open where connection.files.target == target { connection.closeKeepingLog() }
  }
}
