import GRDB

extension Database {
  /// Reads in one state of the store, however many statements that takes.
  ///
  /// - Returns: What the body reads.
  /// - Throws: What the body throws.
  func inSnapshot<T>(_ body: () throws -> T) throws -> T {
    guard !isInsideTransaction else { return try body() }
    try execute(cached: "BEGIN")
    defer { try? execute(cached: "COMMIT") }
    return try body()
  }

  /// Writes a part of a transaction that can fail by itself.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; then nothing of it is written.
  func inPart<T>(_ body: () throws -> T) throws -> T {
    try execute(cached: "SAVEPOINT part")
    do {
      let result = try body()
      try execute(cached: "RELEASE part")
      return result
    } catch {
      try? execute(cached: "ROLLBACK TO part")
      try? execute(cached: "RELEASE part")
      throw error
    }
  }

  /// Writes a part of a transaction that fails before it has written anything.
  ///
  /// If it fails after that, the whole transaction is rolled back; what is written in it later
  /// fails, as does its commit. A savepoint takes a tenth of the instructions of an addition, and
  /// keeps a copy of each page that is changed.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  func unlessHalfDone<T>(_ body: () throws -> T) throws -> T {
    let changes = totalChangesCount
    do {
      return try body()
    } catch {
      if totalChangesCount != changes { try? execute(cached: "ROLLBACK") }
      throw error
    }
  }

  /// Executes a statement without values that is prepared once for each connection: to prepare it
  /// each time costs half as much as finding a record.
  func execute(cached sql: String) throws { try cachedStatement(sql: sql).execute() }
}
