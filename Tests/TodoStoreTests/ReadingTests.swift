import EventMVVMTesting
import EventPatterns
import EventMVVM
import Foundation
import GRDB
import Testing
import TodoModels

@testable import SQLiteStore

@testable import TodoStore

@Suite(.hangLimit) struct ReadingTests {
  private func files(_ store: FreshStore) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted()
  }

  /// A store whose last process has ended: one file, and its bell.
  private func closed(_ body: (TodoDatabase) throws -> Void) throws -> FreshStore {
    let store = try FreshStore()
    try body(TodoDatabase(path: store.path))
    return store
  }

  /// Makes the last change look older than the clock of any file system can blur.
  private func settle(_ store: FreshStore) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000.5)],
      ofItemAtPath: store.path
    )
  }

  @Test func `reading a store that is not there makes nothing`() throws {
    let store = try FreshStore()
    #expect(try store.numbers() == [])
    #expect(modelError { _ = try store.todo(3) } == .notFound(.number(3)))
    #expect(try store.database.labels(.tags, prefix: "", in: .committed) == [])
    #expect(try store.database.read(TodoQuery(), inPartsOf: 10).todos == [])
    #expect(try files(store) == [])
  }

  @Test func `reading a closed store leaves no trace`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1))], by: .test) }
    try settle(store)
    #expect(try files(store) == ["todos.sqlite", "todos.sqlite-bell"])
    #expect(try store.numbers() == [1])
    #expect(try store.todo(1).title == "Milk")
    #expect(try files(store) == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `a name with what means something in a URI is read as it stands`() throws {
    let store = try FreshStore()
    let path = store.folder + "/50% of #1? ü.sqlite"
    do { _ = try TodoDatabase(path: path).write([.add(.test(1))], by: .test) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000.5)],
      ofItemAtPath: path
    )
    #expect(try TodoDatabase(path: path).read(TodoQuery(), in: .committed).count == 1)
    #expect(try TodoDatabase(path: "/" + path).read(TodoQuery(), in: .committed).count == 1)
  }

  @Test func `a reader sees what a process that is still open has written`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(try store.other().read(TodoQuery(), in: .committed).map(\.number) == [1])
    try store.add(2)
    #expect(try store.other().read(TodoQuery(), in: .committed).map(\.number) == [2, 1])
  }

  @Test func `what changes a file while it is read has it read again`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1))], by: .test) }
    try settle(store)
    var readings = 0
    let numbers = try StoreOpener(
      file: StoreFile(path: store.path),
      patience: 5,
      migrations: .todos
    )
    .readOnce { database in
      readings += 1
      let numbers = try Int.fetchAll(database, sql: "SELECT number FROM todo ORDER BY 1")
      if readings == 1 {
        _ = try TodoDatabase(path: store.path).write([.add(.test(2))], by: .test)
      }
      return numbers
    }
    #expect(readings == 2)
    #expect(numbers == [1, 2])
  }

  // MARK: Parts

  @Test func `a list in parts is one snapshot, whatever is written meanwhile`() throws {
    let store = try FreshStore()
    for id in 1...5 { try store.add(UInt64(id)) }
    let first = try store.database.read(TodoQuery(), inPartsOf: 2)
    #expect(first.todos.map(\.number) == [5, 4])
    try store.change(3) { $0.title = "Changed" }
    try store.change(2) { $0.deleted = true }
    let second = try first.rest?.next()
    #expect(second?.todos.map(\.title) == ["Milk", "Milk"])
    let third = try second?.rest?.next()
    #expect(third?.todos.map(\.number) == [1])
    #expect(third?.rest == nil)
  }

  @Test func `a list that ends with a part has an empty one behind it`() throws {
    let store = try FreshStore()
    for id in 1...4 { try store.add(UInt64(id)) }
    let first = try store.database.read(TodoQuery(), inPartsOf: 2)
    let second = try first.rest?.next()
    #expect(second?.todos.map(\.number) == [2, 1])
    let third = try second?.rest?.next()
    #expect(third?.todos == [])
    #expect(third?.rest == nil)
  }

  @Test func `a list that is no longer than a part comes at once, and leaves no trace`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1)), .add(.test(2))], by: .test) }
    try settle(store)
    let part = try store.database.read(TodoQuery(), inPartsOf: 2)
    #expect(part.todos.count == 2)
    #expect(part.rest == nil)
    #expect(try files(store) == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `a list that nobody reads to its end holds nothing up`() throws {
    let store = try FreshStore()
    for id in 1...5 { try store.add(UInt64(id)) }
    _ = try store.database.read(TodoQuery(), inPartsOf: 2)
    try store.add(6)
    #expect(try store.numbers().count == 6)
  }
}
