import EventMVVM
public import EventMVVMTesting
public import EventRecords
import SQLiteEngine
public import Testing

extension TestContext {
  /// Creates a context in which records of these types are stored by SQLite, in memory.
  ///
  /// ```swift
  /// let test = TestContext.withRecords(Shelf.self)
  /// let written = try test.value(of: RequestWriteRecords([.add(Shelf(title: "A", width: 1.5))]))
  /// #expect(written.map(\.number) == [1])
  /// ```
  ///
  /// - Parameters:
  ///   - types: The types of the records.
  ///   - location: The location of the test, for events that it does not expect.
  /// - Returns: The context, without records.
  public static func withRecords(
    _ types: any Record.Type...,
    location: SourceLocation = #_sourceLocation
  ) -> TestContext {
    let test = TestContext(location: location)
    test.add(RecordServer(MemoryDatabase(), types, watchesExternalChanges: false))
    return test
  }
}
