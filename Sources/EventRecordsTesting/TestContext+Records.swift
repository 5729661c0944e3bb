import EventMVVM
public import EventMVVMTesting
public import EventRecords
import SQLiteEngine
public import Testing

extension TestContext {
  /// A context in which records of these types are kept: by SQLite, in memory.
  ///
  /// - Parameters:
  ///   - types: The types of the records.
  ///   - location: Where an event that was not asserted is reported.
  /// - Returns: The context, in which nothing is stored.
  public static func withRecords(
    _ types: any Record.Type...,
    location: SourceLocation = #_sourceLocation
  ) -> TestContext {
    let test = TestContext(location: location)
    test.add(RecordServer(MemoryDatabase(), types, watchesExternalChanges: false))
    return test
  }
}
