import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import GRDB
import Testing
import TodoModels

@testable import SQLiteEngine

/// The file of a store: where it is, what it is, and what can be wrong with it.
@Suite(.hangLimit) struct StoreFileTests {
  @Test func `a copy that was read is read on when somebody has written to it`() throws {
    let store = try FreshStore()
    try store.add(1)
    let path = store.folder + "/copy.sqlite"
    _ = try store.database.backUp(to: path)
    // A copy has no log before the first write.
    let copy = TodoDatabase(path: path)
    #expect(try copy.count() == 1)
    _ = try copy.write([.add(.test(2))], by: .test)
    #expect(try copy.count() == 2)
  }

  private let migrations = Migrations.records(of: "todostream", [TodoDatabase.table])

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  // MARK: Where it is

  @Test func `S74 a store touches its own file and no other`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(
      try store.files() == [
        "todos.sqlite", "todos.sqlite-bell", "todos.sqlite-shm", "todos.sqlite-wal",
      ]
    )
  }

  @Test func `S74 naming a file creates nothing`() throws {
    let store = try FreshStore()
    _ = store.database
    #expect(try store.files() == [])
  }

  @Test func `a new store is private: files 0600 in folders 0700`() throws {
    let store = try FreshStore()
    let database = TodoDatabase(path: store.folder + "/a/b/todos.sqlite", makesFolders: true)
    _ = try database.write([.add(.test(1))], by: .test)
    #expect(try mode(store.folder + "/a") == 0o700)
    #expect(try mode(store.folder + "/a/b") == 0o700)
    #expect(try mode(store.folder + "/a/b/todos.sqlite") == 0o600)
    #expect(try mode(store.folder + "/a/b/todos.sqlite-wal") == 0o600)
    #expect(try mode(store.folder + "/a/b/todos.sqlite-shm") == 0o600)
    #expect(try mode(store.folder + "/a/b/todos.sqlite-bell") == 0o600)
  }

  @Test func `a folder that is there keeps its permissions`() throws {
    let store = try FreshStore()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.folder)
    try store.add(1)
    #expect(try mode(store.folder) == 0o755)
  }

  // MARK: What it is

  @Test func `a store says whose it is and of which schema`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(try store.rows("PRAGMA application_id") == ["\(migrations.applicationID)"])
    #expect(try store.rows("PRAGMA user_version") == ["\(migrations.newest)"])
    #expect(try store.rows("PRAGMA journal_mode") == ["'wal'"])
  }

  @Test func `an empty file becomes a store`() throws {
    let store = try FreshStore()
    try Data().write(to: URL(fileURLWithPath: store.path))
    #expect(try store.add(1).number == 1)
  }

  @Test func `another application's database is refused, and left as it is`() throws {
    let store = try FreshStore()
    try store.execute("CREATE TABLE recipe (name TEXT); INSERT INTO recipe VALUES ('soup')")
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let message = storeMessage(store) { try store.add(1) }
    #expect(
      message
        == "todos.sqlite: is another application's database; name another file with --store"
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
  }

  @Test func `a database with another application's id is refused`() throws {
    let store = try FreshStore()
    try store.execute("PRAGMA application_id = 42; PRAGMA user_version = 1")
    let message = storeMessage(store) { try store.add(1) }
    #expect(
      message
        == "todos.sqlite: is another application's database; name another file with --store"
    )
    #expect(try store.rows("SELECT count(*) FROM sqlite_schema") == ["0"])
  }

  @Test func `a store of a newer version is refused, and left as it is`() throws {
    let store = try FreshStore()
    try store.execute(
      """
      PRAGMA application_id = \(migrations.applicationID); PRAGMA user_version = 9;
      CREATE TABLE record_todo (_number INTEGER PRIMARY KEY)
      """
    )
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let message = storeMessage(store) { _ = try store.numbers() }
    #expect(
      message
        == "todos.sqlite: was written by a newer version (schema 9, this one knows \(migrations.newest)); "
        + "install that version, or name another file with --store"
    )
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
  }

  // MARK: Failures

  @Test func `S38 a file that is no database says so`() throws {
    let store = try FreshStore()
    try Data(repeating: 0x78, count: 4096).write(to: URL(fileURLWithPath: store.path))
    let message = storeMessage(store) { _ = try store.numbers() }
    #expect(message == "todos.sqlite: is not a database; name another file with --store")
  }

  @Test func `S38 a folder in the file's place says so`() throws {
    let store = try FreshStore()
    try FileManager.default.createDirectory(
      atPath: store.path,
      withIntermediateDirectories: false
    )
    let message = storeMessage(store) { _ = try store.numbers() }
    #expect(message == "todos.sqlite: is a folder; name a file with --store")
  }

  @Test func `S38 a folder that can't be made says so`() throws {
    let store = try FreshStore()
    try Data().write(to: URL(fileURLWithPath: store.folder + "/file"))
    let database = TodoDatabase(path: store.folder + "/file/folder/todos.sqlite")
    let message = storeMessage(store) { _ = try database.read() }
    #expect(
      message
        == "file/folder/todos.sqlite: what stands before its name is no folder; name another file"
    )
  }

  @Test func `S38 an opening that failed is tried again`() throws {
    let store = try FreshStore()
    try Data(repeating: 0x78, count: 4096).write(to: URL(fileURLWithPath: store.path))
    #expect(throws: StoreError.self) { try store.numbers() }
    try FileManager.default.removeItem(atPath: store.path)
    #expect(try store.add(1).number == 1)
  }

  @Test(
    arguments: [
      (.SQLITE_BUSY, "is locked by another process; nothing was written, try again"),
      (.SQLITE_LOCKED, "is locked by another process; nothing was written, try again"),
      (.SQLITE_FULL, "the disk is full; nothing was written, make room and try again"),
      (
        .SQLITE_READONLY,
        "is read-only, or its folder is; nothing was written, change their permissions"
      ),
      (.SQLITE_PERM, "can't be opened; check that you may read and write it and its folder"),
      (.SQLITE_CANTOPEN, "can't be opened; check that you may read and write it and its folder"),
      (.SQLITE_AUTH, "can't be opened; check that you may read and write it and its folder"),
      (.SQLITE_NOTADB, "is not a database; name another file with --store"),
      (
        .SQLITE_CORRUPT,
        "is damaged (database disk image is malformed); 'doctor' says more, restore it from a backup"
      ),
      (
        .SQLITE_IOERR,
        "the disk reports an error (SQLite 10); nothing was written, check it"
      ),
      (
        .SQLITE_IOERR_FSYNC,
        "the disk reports an error (SQLite 1034); nothing was written, check it"
      ),
    ] as [(ResultCode, String)]
  )
  func `S39 an error of SQLite says what to do`(code: ResultCode, cause: String) {
    let error = StoreError(DatabaseError(resultCode: code), path: "/a/todos.sqlite")
    let isRetryable = code == .SQLITE_BUSY || code == .SQLITE_LOCKED
    #expect(error == StoreError(path: "/a/todos.sqlite", cause, isRetryable: isRetryable))
    #expect(error.message == "/a/todos.sqlite: \(cause)")
  }

  // MARK: Durability

  @Test func `a store syncs in full, and waits five seconds for other writers`() throws {
    let store = try FreshStore()
    let pragmas = try store.withWriter { database in
      try ["synchronous", "busy_timeout"]
        .map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
    }
    #expect(pragmas == [2, 5000])
  }

  @Test func `each write is one immediate transaction`() throws {
    let store = try FreshStore()
    let log = Locked<[String]>([])
    try store.withWriter { database in
      database.trace { event in
        let verb = "\(event)".prefix { $0 != " " }
        // So the statements of triggers begin.
        guard verb != "--" else { return }
        log.withLock { $0.append(verb == "BEGIN" ? "\(event)" : String(verb)) }
      }
    }
    log.withLock { $0 = [] }
    let todo = Todo.test(1) { $0.tags = ["home"] }
    try store.write(.add(todo))
    try store.write(.put(1, .test(1, "Oat milk") { $0.tags = ["home"] }, seen: nil))
    #expect(
      log.withLock { $0 } == [
        "BEGIN IMMEDIATE", "SELECT", "PRAGMA", "SELECT", "SELECT", "INSERT", "INSERT", "INSERT",
        "SELECT", "COMMIT",
        "BEGIN IMMEDIATE", "SELECT", "PRAGMA", "SELECT", "SELECT", "UPDATE", "INSERT", "SELECT",
        "COMMIT",
      ]
    )
  }

  @Test func `a store that a newer version migrates meanwhile is written to no more`() throws {
    let store = try FreshStore()
    try store.add(1)
    try DatabaseQueue(path: store.path)
      .writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA user_version = 99")
      }
    #expect(
      storeMessage(store) { try store.add(2) }
        == "todos.sqlite: was written by a newer version (schema 99, this one knows "
        + "\(migrations.newest)); install that version, or name another file with --store"
    )
    #expect(try store.numbers() == [1])
  }

  @Test(arguments: ["", "-wal", "-bell"])
  func `a file of the store that has a second name is refused`(suffix: String) throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(link(store.path + suffix, store.folder + "/second") == 0)
    let message =
      "todos.sqlite\(suffix): has 2 names (hard links), and a program that uses another one would not see "
      + "what is written here; delete the other names"
    let other = store.other()
    #expect(storeMessage(store) { _ = try other.read() } == message)
    #expect(storeMessage(store) { _ = try other.write([.add(.test(2))], by: .test) } == message)
    unlink(store.folder + "/second")
    #expect(try other.write([.add(.test(2))], by: .test).map(\.number) == [2])
  }

  @Test func `a write that fails is rolled back, and the next one works`() throws {
    let store = try FreshStore()
    try store.add(1)
    let error = recordError {
      try store.write(.put(1, .test(1, "Lost"), seen: nil), .put(9, .test(9, "Lost"), seen: nil))
    }
    #expect(error == .notFound(9))
    #expect(try store.change(1) { $0.subtitle = "two" }.value.title == "Milk")
    #expect(try store.rows("SELECT revision, record FROM change") == ["1 | 1", "2 | 1"])
  }
}
