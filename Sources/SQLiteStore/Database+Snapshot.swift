package import GRDB

extension Database {
  /// Reads in one state of the store, however many statements that takes.
  ///
  /// - Returns: What the body reads.
  /// - Throws: What the body throws.
  package func inSnapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInsideTransaction else { return try body() }
    try execute(sql: "BEGIN")
    defer { try? execute(sql: "COMMIT") }
    return try body()
  }
}
