package import GRDB

extension Database {
  /// Reads in one state of the store, however many statements that takes.
  ///
  /// - Returns: What the body reads.
  /// - Throws: What the body throws.
  package func inSnapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInsideTransaction else { return try body() }
    // Prepared once for each connection: to prepare both anew costs as much as finding a record.
    try cachedStatement(sql: "BEGIN").execute()
    defer { try? cachedStatement(sql: "COMMIT").execute() }
    return try body()
  }
}
