import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import Testing
import TodoModels

/// Reads that are queued together, and share a snapshot.
@Suite(.hangLimit) struct SharedReadsTests {
  private let store: FreshStore
  /// What serves several frontends, and has not written.
  private let reader: TodoDatabase

  init() throws {
    store = try FreshStore()
    try store.add(1, "Milk")
    reader = TodoDatabase(path: store.path, isLasting: true)
  }

  private func titles(_ database: TodoDatabase, _ view: StorageView = .shared) throws -> [String] {
    try database.read(in: view).map(\.value.title)
  }

  @Test func `reads that share see one state, and the next ones what was committed since`() throws {
    #expect(try titles(reader) == ["Milk"])
    try store.add(2, "Bread")
    #expect(try titles(reader) == ["Milk"])
    reader.endSharing()
    #expect(try titles(reader) == ["Bread", "Milk"])
  }

  @Test func `a read that does not share sees what is committed, and ends what is shared`()
    throws
  {
    #expect(try titles(reader) == ["Milk"])
    try store.add(2, "Bread")
    #expect(try titles(reader, .committed) == ["Bread", "Milk"])
    #expect(try titles(reader) == ["Bread", "Milk"])
  }

  @Test func `a write amid reads that share works, and is seen by those behind it`() throws {
    #expect(try titles(reader) == ["Milk"])
    _ = try reader.write([.add(.test(2, "Bread"))], by: .test)
    #expect(try titles(reader) == ["Bread", "Milk"])
    _ = try reader.write([.add(.test(3, "Rye"))], by: .test)
    #expect(try titles(reader) == ["Rye", "Bread", "Milk"])
    try store.add(4, "Salt")
    reader.endSharing()
    #expect(try titles(reader) == ["Salt", "Rye", "Bread", "Milk"])
  }

  @Test func `a unit amid reads that share sees itself, and they see what is committed`() throws {
    #expect(try titles(reader) == ["Milk"])
    try reader.beginUnit()
    _ = try reader.write([.add(.test(2, "Bread"))], by: .test)
    #expect(try titles(reader, .insideUnit) == ["Bread", "Milk"])
    #expect(try titles(reader) == ["Milk"])
    reader.endSharing()
    #expect(try titles(reader, .insideUnit) == ["Bread", "Milk"])
    reader.rollBackUnit()
    #expect(try titles(reader) == ["Milk"])
  }

  @Test func `what reads share does not keep the log from being written back`() throws {
    #expect(try titles(reader) == ["Milk"])
    reader.endSharing()
    try store.add(2, "Bread")
    #expect(try store.rows("PRAGMA wal_checkpoint(TRUNCATE)") == ["0 | 0 | 0"])
  }

  @Test func `the files are looked at once for all that share, and for the next one again`() throws
  {
    #expect(try titles(reader) == ["Milk"])
    try FileManager.default.moveItem(atPath: store.path, toPath: store.path + "-away")
    #expect(try titles(reader) == ["Milk"])
    reader.endSharing()
    #expect(throws: StoreError.self) { try titles(reader) }
    try FileManager.default.moveItem(atPath: store.path + "-away", toPath: store.path)
    #expect(try titles(reader) == ["Milk"])
  }

  @Test func `a store that is not there yet is found as soon as it is`() throws {
    let store = try FreshStore()
    let reader = TodoDatabase(path: store.path, isLasting: true)
    #expect(try titles(reader) == [])
    try store.add(1, "Milk")
    reader.endSharing()
    #expect(try titles(reader) == ["Milk"])
  }

  @Test
  func `a session that is recorded shares nothing: each read finds what was committed before it`()
    throws
  {
    reader.noteExternalChanges(excluding: 1) { _ in }
    #expect(try titles(reader) == ["Milk"])
    try store.add(2, "Bread")
    #expect(try titles(reader) == ["Bread", "Milk"])
  }
}
