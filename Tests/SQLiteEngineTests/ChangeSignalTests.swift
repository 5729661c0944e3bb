import Platform
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import GRDB
import Testing
import TodoModels

@testable import SQLiteEngine

/// The bell: what tells processes of commits, and keeps writers apart.

@Suite(.hangLimit) struct ChangeSignalTests {
  private func text(_ store: FreshStore) throws -> String {
    try String(contentsOfFile: store.path + "-bell", encoding: .utf8)
  }

  @Test func `each commit rings with the newest revision`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(try text(store) == "                   1\n")
    try store.add(2)
    try store.change(1) { $0.title = "Oat milk" }
    #expect(try text(store) == "                   3\n")
    #expect(ChangeSignal.revision(of: store.path) == 3)
  }

  @Test func `a unit rings when it is committed, and not when it is rolled back`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.database.beginUnit()
    try store.add(2)
    #expect(ChangeSignal.revision(of: store.path) == 1)
    store.database.rollBackUnit()
    #expect(ChangeSignal.revision(of: store.path) == 1)
    try store.database.beginUnit()
    try store.add(3)
    try store.database.commitUnit()
    #expect(ChangeSignal.revision(of: store.path) == 2)
  }

  @Test(
    arguments: [
      ("", nil), ("17", nil), ("\n", nil), ("x\n", nil), (" 1 7\n", nil), ("17\n", 17),
      ("                   4\n", 4), ("99999999999999999999\n", nil),
    ] as [(String, Int?)]
  )
  func `a bell that is torn says nothing`(text: String, revision: Int?) throws {
    let store = try FreshStore()
    try text.write(toFile: store.path + "-bell", atomically: false, encoding: .utf8)
    #expect(ChangeSignal.revision(of: store.path) == revision)
  }

  @Test func `a writer waits for another one, and is there when it unlocks`() throws {
    let store = try FreshStore()
    try store.add(1)
    let (first, second) = (ChangeSignal(store: store.path), ChangeSignal(store: store.path))
    try first.lock(patience: 5)
    let order = Locked<[String]>([])
    let isThere = Gate()
    Thread.detachNewThread {
      try? second.lock(patience: 60)
      order.withLock { $0.append("second") }
      isThere.open()
    }
    order.withLock { $0.append("first") }
    first.unlock()
    try isThere.wait("the second has the lock")
    #expect(order.withLock { $0 } == ["first", "second"])
    second.unlock()
    try first.lock(patience: 0)
  }

  @Test func `a writer that has waited long enough says so, and holds nothing later`() throws {
    let store = try FreshStore()
    try store.add(1)
    let (first, second) = (ChangeSignal(store: store.path), ChangeSignal(store: store.path))
    try first.lock(patience: 5)
    #expect(throws: StoreError.locked(store.path)) { try second.lock(patience: 0.01) }
    first.unlock()
    try ChangeSignal(store: store.path).lock(patience: 60)
  }

  #if os(Linux)
    @Test func `writers that are refused leave one descriptor waiting, however many they are`()
      throws
    {
      let store = try FreshStore()
      try store.add(1)
      let (first, second) = (ChangeSignal(store: store.path), ChangeSignal(store: store.path))
      try first.lock(patience: 5)
      let identity = FileIdentity(at: store.path + "-bell")
      func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
          .count { Int32($0).flatMap { FileIdentity(of: $0) } == identity }
      }
      var counts: [Int] = []
      for _ in 1...5 {
        #expect(throws: StoreError.locked(store.path)) { try second.lock(patience: 0.01) }
        counts.append(try openDescriptors())
      }
      // That of the holder, that of the store, that of the refused, and the one that waits.
      #expect(counts == [4, 4, 4, 4, 4])
      first.unlock()
      try second.lock(patience: 60)
      second.unlock()
    }
  #endif

  @Test func `a bell that was deleted is made anew, and still keeps writers apart`() throws {
    let store = try FreshStore()
    try store.add(1)
    let (first, second) = (ChangeSignal(store: store.path), ChangeSignal(store: store.path))
    try first.lock(patience: 5)
    first.unlock()
    try FileManager.default.removeItem(atPath: store.path + "-bell")
    try first.lock(patience: 5)
    #expect(throws: StoreError.locked(store.path)) { try second.lock(patience: 0) }
  }

  // MARK: What is missing

  @Test func `a store whose log was taken away after a crash says what is missing`() throws {
    let store = try FreshStore()
    try store.add(1)
    let behind = store.folder + "/behind.sqlite"
    _ = try store.database.backUp(to: behind)
    try store.add(2)
    // What a crash leaves, without the log: the file of before, in WAL mode.
    let other = TodoDatabase(path: behind)
    _ = try other.write([], by: .test)
    try " 2\n".write(toFile: behind + "-bell", atomically: false, encoding: .utf8)
    let message =
      "behind.sqlite: lacks changes that were made: it ends with revision 1, but had come to 2. "
      + "Put back behind.sqlite-wal if it was moved away, or a newer copy of the store; "
      + "to go on without them, delete behind.sqlite-bell"
    let again = TodoDatabase(path: behind)
    #expect(storeMessage(store) { _ = try again.read() } == message)
    #expect(storeMessage(store) { _ = try again.write([.add(.test(3))], by: .test) } == message)
    try FileManager.default.removeItem(atPath: behind + "-bell")
    #expect(try again.write([.add(.test(3))], by: .test).map(\.number) == [2])
  }

  @Test(arguments: [true, false])
  func `a store of which nothing is left is not begun anew`(isEmpty: Bool) throws {
    let store = try FreshStore()
    do {
      let writer = store.other()
      _ = try writer.write([.add(.test(1))], by: .test)
    }
    for suffix in ["", "-wal", "-shm"] { unlink(store.path + suffix) }
    if isEmpty { try Data().write(to: URL(filePath: store.path)) }
    let message =
      "todos.sqlite: is \(isEmpty ? "empty" : "missing"), but had come to revision 1. "
      + "Put back the file, or a copy of it; to begin anew, delete todos.sqlite-bell"
    #expect(storeMessage(store) { _ = try store.numbers() } == message)
    #expect(storeMessage(store) { try store.add(2) } == message)
    #expect(
      try store.database.examine().findings.map { "\($0.level) \($0.text)" }
        == ["error \(message.dropFirst("todos.sqlite: ".count))"]
        .map { $0.replacingOccurrences(of: "delete ", with: "delete \(store.folder)/") }
    )
    #expect((StoreFile.size(store.path) ?? 0) == 0)
    unlink(store.path + "-bell")
    #expect(try store.add(2).number == 1)
  }

  @Test func `a database without a table is not begun anew, either, where a store has been`() throws
  {
    let store = try FreshStore()
    try DatabaseQueue(path: store.path)
      .write { try $0.execute(sql: "CREATE TABLE x(y); DROP TABLE x") }
    #expect(try store.numbers() == [])
    try " 2\n".write(toFile: store.path + "-bell", atomically: false, encoding: .utf8)
    let message =
      "todos.sqlite: is empty, but had come to revision 2. "
      + "Put back the file, or a copy of it; to begin anew, delete todos.sqlite-bell"
    #expect(storeMessage(store) { _ = try store.numbers() } == message)
    #expect(storeMessage(store) { try store.add(2) } == message)
    unlink(store.path + "-bell")
    #expect(try store.add(2).number == 1)
  }

  @Test func `an emptied file does not have its log thrown away`() throws {
    let store = try FreshStore()
    try store.add(1)
    let copy = store.folder + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: store.path + "-wal", toPath: copy + "-wal")
    try Data().write(to: URL(filePath: copy))
    let message =
      "copy.sqlite: is empty, but copy.sqlite-wal with its last changes is there; "
      + "put the file back, or move copy.sqlite-wal away to begin anew"
    let database = TodoDatabase(path: copy)
    #expect(storeMessage(store) { _ = try database.read() } == message)
    #expect(storeMessage(store) { _ = try database.write([.add(.test(2))], by: .test) } == message)
    #expect(StoreFile.size(copy + "-wal") ?? 0 > 0)
  }

  @Test func `behind a link the files are named where they are`() throws {
    let store = try FreshStore()
    let (link, place) = (store.folder + "/link", store.folder + "/inner")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "inner/t")
    try " 2\n".write(toFile: place + "/t-bell", atomically: false, encoding: .utf8)
    #expect(
      storeMessage(store) { _ = try TodoDatabase(path: link).write([], by: .test) }
        == "link: is missing, but had come to revision 2. "
        + "Put back the file, or a copy of it; to begin anew, delete inner/t-bell"
    )
  }

  @Test func `a backup that is put in the store's place is taken as it is`() throws {
    let store = try FreshStore()
    try store.add(1)
    _ = try store.database.backUp(to: store.folder + "/copy")
    try store.add(2)
    let path = store.folder + "/restored.sqlite"
    try FileManager.default.copyItem(atPath: store.folder + "/copy", toPath: path)
    try FileManager.default.copyItem(atPath: store.path + "-bell", toPath: path + "-bell")
    let restored = TodoDatabase(path: path)
    #expect(try restored.read().map(\.number) == [1])
    #expect(try restored.write([.add(.test(3))], by: .test).map(\.number) == [2])
    #expect(ChangeSignal.revision(of: path) == 2)
  }
}
