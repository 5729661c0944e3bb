import EventMVVM
import EventMVVMTesting
import Foundation
import GRDB
import Testing
import TodoModels

@testable import EventRecords
@testable import SQLiteEngine

/// Reading without a trace.
@Suite(.hangLimit) struct ReadingTests {
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
    #expect(try store.database.labels("tags") == [])
    #expect(try store.database.count() == nil)
    let process = store.process()
    #expect(throws: Failure(.notFound, "There is no todo #3.", field: "id", id: 3)) {
      try process.ask(RequestReadTodos(3))
    }
    #expect(throws: Failure(.notFound, "There is no todo beef.", field: "id")) {
      try process.ask(RequestReadTodos(RecordReference.identity("beef")))
    }
    #expect(try process.ask(RequestReadTodos(.newest, inPartsOf: 10)) == [])
    #expect(try store.files() == [])
  }

  @Test func `reading a closed store leaves no trace`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1))], by: .test) }
    try settle(store)
    #expect(try store.files() == ["todos.sqlite", "todos.sqlite-bell"])
    #expect(try store.numbers() == [1])
    #expect(try store.todo(1).value.title == "Milk")
    #expect(try store.files() == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `reading what was closed just now leaves no trace`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1))], by: .test) }
    // As young as it can be, for as long as the test takes.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3600)],
      ofItemAtPath: store.path
    )
    #expect(try store.numbers() == [1])
    #expect(try store.files() == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `what reads beside a writer does not keep its log`() throws {
    let store = try closed { database in
      _ = try database.write([.add(.test(1))], by: .test)
      #expect(try database.count() == 1)
      database.records.close()
    }
    #expect(try store.files() == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `a name with what means something in a URI is read as it stands`() throws {
    let store = try FreshStore()
    let path = store.folder + "/50% of #1? ü.sqlite"
    do { _ = try TodoDatabase(path: path).write([.add(.test(1))], by: .test) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000.5)],
      ofItemAtPath: path
    )
    #expect(try TodoDatabase(path: path).read().count == 1)
    #expect(try TodoDatabase(path: "/" + path).read().count == 1)
  }

  @Test func `a reader sees what a process that is still open has written`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(try store.other().read().map(\.number) == [1])
    try store.add(2)
    #expect(try store.other().read().map(\.number) == [2, 1])
  }

  @Test func `what changes a file while it is read has it read again`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1))], by: .test) }
    try settle(store)
    var readings = 0
    let numbers = try StoreOpener(
      file: StoreFile(path: store.path),
      patience: 5,
      migrations: .records(of: "todostream", [TodoDatabase.table])
    )
    .readOnce { database in
      readings += 1
      let numbers = try Int.fetchAll(database, sql: "SELECT _number FROM record_todo ORDER BY 1")
      if readings == 1 {
        _ = try TodoDatabase(path: store.path).write([.add(.test(2))], by: .test)
      }
      return numbers
    }
    #expect(readings == 2)
    #expect(numbers == [1, 2])
  }

  // MARK: Parts

  @Test func `a list that is no longer than a part comes at once, and leaves no trace`() throws {
    let store = try closed { _ = try $0.write([.add(.test(1)), .add(.test(2))], by: .test) }
    try settle(store)
    #expect(try store.process().ask(RequestReadTodos(.newest, inPartsOf: 2)).count == 2)
    #expect(try store.files() == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `a list that nobody reads to its end holds nothing up`() throws {
    let store = try FreshStore()
    for id in 1...5 { try store.add(UInt64(id)) }
    let process = store.process()
    #expect(try process.ask(RequestReadTodos(.newest, inPartsOf: 2)).map(\.number) == [5, 4])
    try store.add(6)
    #expect(try store.numbers().count == 6)
  }
}
