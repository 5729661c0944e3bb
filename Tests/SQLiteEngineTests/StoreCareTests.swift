import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import Testing
import TodoModels

@testable import SQLiteEngine

/// What the store itself is asked: whether it is sound, and for a copy.
@Suite(.hangLimit) struct StoreCareTests {
  private func findings(_ store: FreshStore) throws -> [String] {
    try store.database.examine().findings.filter { $0.level != .ok }
      .map { "\($0.level): \($0.text)" }
  }

  // MARK: Doctor

  @Test func `a sound store is found sound`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home", "garden"] }
    try store.change(1) { $0.complete(true, at: Instant(milliseconds: 7000)) }
    let report = try store.database.examine()
    #expect(report.isSound)
    #expect(
      report.findings.dropFirst().map(\.text) == [
        "every page and every index fits", "1 todo", "2 changes in the log",
        "nothing that was acknowledged is missing",
      ]
    )
  }

  @Test func `a store that is not there yet is sound`() throws {
    let store = try FreshStore()
    #expect(try store.database.examine().isSound)
    #expect(try store.files() == [])
  }

  @Test(
    arguments: [
      (
        "UPDATE record_todo SET priority = 7",
        [
          "error: todo #1 can't be read: 'priority': '7' is no value of it"
        ]
      ),
      (
        "UPDATE record_todo SET tags = '[1]'",
        [
          "error: todo #1 can't be read: 'tags': expected a string, found an integer"
        ]
      ),
      ("DELETE FROM \"record_todo.tags\"", ["error: todo #1 is not found by all of its tags"]),
      ("UPDATE change SET after = '{'", ["error: change 1 can't be read"]),
      ("UPDATE change SET before = 'x'", ["error: change 1 can't be read"]),
      (
        "UPDATE record_todo SET _revision = 9",
        ["error: todo #1 is not as its last change left it"]
      ),
    ]
  )
  func `what is damaged is found`(_ sql: String, _ wanted: [String]) throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.execute(sql)
    #expect(try findings(store) == wanted)
    #expect(try store.database.examine().isSound == false)
  }

  @Test func `a tag of a todo that is not there is found`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.execute("INSERT INTO \"record_todo.tags\" VALUES ('home', 12)")
    #expect(try findings(store) == ["error: 'home' in 'tags' finds a todo that does not have it"])
  }

  @Test func `a tag that a todo does not have is found`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.execute("INSERT INTO \"record_todo.tags\" VALUES ('work', 1)")
    #expect(try findings(store) == ["error: 'work' in 'tags' finds a todo that does not have it"])
  }

  @Test func `a tag of no todo at all does not trap`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.loosen("record_todo.tags", "name")
    try store.execute("UPDATE \"record_todo.tags\" SET number = NULL")
    #expect(
      try findings(store) == [
        "error: todo #1 is not found by all of its tags",
        "error: 'home' in 'tags' finds a todo that does not have it",
      ]
    )
  }

  @Test func `many findings of a kind are cut short`() throws {
    let store = try FreshStore()
    for id in 1...15 { try store.add(UInt64(id)) }
    try store.execute("UPDATE record_todo SET due = 'soon'")
    let findings = try findings(store)
    #expect(findings.count == 11)
    #expect(findings.last == "error: … and 5 more of this kind")
  }

  @Test func `a store that other users may read is a warning`() throws {
    let store = try FreshStore()
    try store.add(1)
    chmod(store.path, 0o644)
    #expect(
      try findings(store) == [
        "warning: others may read \(store.path) (mode 644); 'chmod 600' makes it private"
      ]
    )
    #expect(try store.database.examine().isSound)
  }

  @Test func `a damaged page is found`() throws {
    let store = try FreshStore()
    do {
      let database = TodoDatabase(path: store.path)
      try database.beginUnit()
      for id in 1...200 { _ = try database.write([.add(.test(UInt64(id)))], by: .test) }
      try database.commitUnit()
    }
    let file = try #require(FileHandle(forUpdatingAtPath: store.path))
    try file.seek(toOffset: 4096 * 8)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    try file.close()
    let findings = try findings(store)
    #expect(findings.last == "error: the file is damaged; restore it from a backup")
    #expect(findings.count > 1)
  }

  @Test func `a file that was cut is found damaged`() throws {
    let store = try FreshStore()
    do {
      let database = store.other()
      _ = try database.write([.add(.test(1))], by: .test)
    }
    for suffix in ["-wal", "-shm"] { unlink(store.path + suffix) }
    #expect(truncate(store.path, 5000) == 0)
    #expect(
      try findings(store) == [
        "error: database disk image is malformed",
        "error: the file is damaged; restore it from a backup",
      ]
    )
  }

  // MARK: Backup

  @Test func `a copy is whole, private and one file`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.add(2)
    let path = store.folder + "/copy"
    let copy = try store.database.backUp(to: path)
    #expect(copy == StoreCopy(path: path, count: 2, revision: 2))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try TodoDatabase(path: path).read().map(\.number) == [2, 1])
    #expect(try TodoDatabase(path: path).examine().isSound)
  }

  @Test func `a copy is what is committed, while a unit is open`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.database.beginUnit()
    try store.add(2)
    let copy = try store.database.backUp(to: store.folder + "/copy")
    #expect(copy.count == 1)
    try store.database.commitUnit()
  }

  @Test func `a copy replaces no file, and leaves no part of one`() throws {
    let store = try FreshStore()
    try store.add(1)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: store.folder + "/copy"))
    let message = storeMessage(store) { _ = try store.database.backUp(to: store.folder + "/copy") }
    #expect(message == "copy: is there already; name a new file")
    #expect(try String(contentsOfFile: store.folder + "/copy", encoding: .utf8) == "mine")
    let other = storeMessage(store) { _ = try store.database.backUp(to: store.folder + "/a/copy") }
    #expect(other == "a/copy: can't be written: No such file or directory; name another")
    #expect(
      try !FileManager.default.contentsOfDirectory(atPath: store.folder).contains("copy.partial")
    )
  }

  @Test(arguments: ["wal", "shm", "journal", "bell"])
  func `a copy is called like none of the store's own files`(_ suffix: String) throws {
    let store = try FreshStore()
    try store.add(1)
    let name = store.folder + "/./todos.sqlite-" + suffix
    let message = storeMessage(store) { _ = try store.database.backUp(to: name) }
    #expect(
      message
        == "./todos.sqlite-\(suffix): is what the store's own files are called; name another file"
    )
    _ = try store.database.backUp(to: store.folder + "/todos.sqlite-bells")
  }

  @Test func `nothing is copied of a store that is not there`() throws {
    let store = try FreshStore()
    let message = storeMessage(store) { _ = try store.database.backUp(to: store.folder + "/copy") }
    #expect(message == "todos.sqlite: is not there yet, so there is nothing to copy")
  }

  // MARK: Where it may be

  @Test func `a network file system is told by the kind of its mount`() {
    let mounts = """
      36 35 98:0 / /mnt rw,noatime master:1 - ext4 /dev/root rw,errors=continue
      41 35 0:52 / /home/me rw,relatime shared:1 - nfs4 host:/export rw,vers=4.2
      42 35 0:53 / /media rw - fuse.sshfs me@host: rw
      43 35 0:54 / /tmp rw - tmpfs tmpfs rw
      """
    #expect(NetworkDisk.kind(ofDevice: "0:52", in: mounts) == "nfs4")
    #expect(NetworkDisk.kind(ofDevice: "0:53", in: mounts) == "fuse.sshfs")
    #expect(NetworkDisk.kind(ofDevice: "0:54", in: mounts) == nil)
    #expect(NetworkDisk.kind(ofDevice: "98:0", in: mounts) == nil)
    #expect(NetworkDisk.kind(ofDevice: "0:5", in: mounts) == nil)
    #expect(NetworkDisk.kind(ofDevice: "0:52", in: "what nobody can read") == nil)
  }

  @Test func `a log without its store is not thrown away`() throws {
    let store = try FreshStore()
    try Data("changes".utf8).write(to: URL(fileURLWithPath: store.path + "-wal"))
    let message = storeMessage(store) { try store.add(1) }
    #expect(
      message
        == "todos.sqlite: is missing, but todos.sqlite-wal with its last changes is there; put the "
        + "file back, or move todos.sqlite-wal away to begin anew"
    )
    #expect(try String(contentsOfFile: store.path + "-wal", encoding: .utf8) == "changes")
  }

  // MARK: What killed copies leave

  @Test func `the next copy removes what a killed one has left, and nothing else`() throws {
    let store = try FreshStore()
    try store.add(1)
    let folder = URL(filePath: store.folder)
    func make(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
      let path = folder.appending(path: name).path
      #expect(
        FileManager.default.createFile(
          atPath: path,
          contents: Data(bytes),
          attributes: [
            .posixPermissions: mode,
            .modificationDate: Date(timeIntervalSinceNow: name == "g.partial-5" ? 0 : -4000),
          ]
        )
      )
      return path
    }
    let header = Array("SQLite format 3\0".utf8)
    let abandoned = [try make("a.db.partial-1x", header + [1]), try make("b.partial-zz9", [])]
    let kept = [
      try make("c.db.partial-notes", Array("text".utf8)),
      try make("d.partial-1", Array("text".utf8)),
      try make("e.partial-2", header, mode: 0o644), try make("partial-3", header),
      try make("g.partial-5", header),
    ]
    let used = try make("f.db.partial-4", header)
    let descriptor = open(used, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    _ = try store.database.backUp(to: folder.appending(path: "copy.db").path)
    #expect(abandoned.filter { FileManager.default.fileExists(atPath: $0) } == [])
    #expect((kept + [used]).filter { !FileManager.default.fileExists(atPath: $0) } == [])
  }
}
