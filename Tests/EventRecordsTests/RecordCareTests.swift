import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import RecordCommands
import SQLiteEngine
import Testing

/// What the store of records itself is asked: on real files, sound and damaged.
@Suite(.hangLimit) struct RecordCareTests {
  private let store: FreshRecords
  private let process: AppContext

  init() throws {
    store = try FreshRecords()
    process = store.process()
  }

  private func doctor() throws -> (lines: [String], isSound: Bool) {
    let report = try process.ask(RequestDoctor())
    var page = Page()
    report.show(on: &page)
    let lines = page.text.split(separator: "\n").dropFirst().map { String($0.dropFirst(2)) }
    return (lines.filter { !$0.hasPrefix("ok: SQLite ") }, report.exitStatus == .success)
  }

  private func backup(to path: String) -> RequestBackup {
    var request = RequestBackup()
    request.file = path
    return request
  }

  @Test func `a file that is not there yet is sound, and stays away`() throws {
    #expect(try doctor().lines == ["ok: there is no store yet; the first record makes it"])
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `a sound store is found sound, whatever was done to it`() throws {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    _ = try process.write(.put(1, Box(title: "C"), seen: nil), .remove(2))
    _ = try process.undo()
    let (lines, isSound) = try doctor()
    #expect(
      lines == [
        "ok: every page and every index fits", "ok: 2 records", "ok: 6 changes in the log",
        "ok: nothing that was acknowledged is missing",
      ]
    )
    #expect(isSound)
  }

  @Test(
    arguments: [
      (
        "UPDATE record_box SET title = CAST(x'FF' AS TEXT)",
        "error: box #1 can't be read: 'title': its bytes are no text"
      ),
      ("UPDATE change SET after = '{'", "error: change 1 can't be read"),
      (
        "UPDATE record_box SET title = 'B'",
        "error: box #1 is not as its last change left it"
      ),
      ("UPDATE record_box SET _revision = 9", "error: box #1 is not as its last change left it"),
      ("DELETE FROM record_box", "error: box #1 is missing: the log has it"),
      ("DELETE FROM change", "error: box #1 is not as its last change left it"),
    ]
  )
  func `what is damaged is found`(_ sql: String, _ finding: String) throws {
    _ = try process.write(.add(Box(title: "A")))
    try store.execute(sql)
    let (lines, isSound) = try doctor()
    #expect(lines.contains(finding), "\(lines)")
    #expect(!isSound)
  }

  @Test func `a kind that nobody knows any more is no damage`() throws {
    _ = try process.write(.add(Box(title: "A")))
    try store.execute("DELETE FROM record_box; UPDATE change SET kind = 'crate'")
    let (lines, isSound) = try doctor()
    #expect(
      lines.contains(
        "warning: crate #1 is of a kind that this version of the program does not know"
      )
    )
    #expect(isSound)
  }

  @Test func `a damaged page is found`() throws {
    _ = try process.write(.add(Box(title: String(repeating: "A", count: 60_000))))
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let file = try #require(FileHandle(forUpdatingAtPath: store.path))
    try file.seek(toOffset: 4096 * 2)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 4096 * 4))
    try file.close()
    let (lines, isSound) = try doctor()
    #expect(lines.last == "error: the file is damaged; restore it from a backup")
    #expect(!isSound)
  }

  // MARK: Backup

  @Test func `a copy is whole, private and one file, and can be put in the store's place`() throws {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    let path = store.path + ".copy"
    let copy = try process.ask(backup(to: path))
    var page = Page()
    copy.show(on: &page)
    #expect(page.text == "Copied 2 records to \(path)\n")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let other = AppContext()
    other.add(
      RecordServer(
        RecordDatabase(of: "test", path: path),
        [Box.self],
        watchesExternalChanges: false
      )
    )
    #expect(try other.boxes().map(\.title) == ["A", "B"])
  }

  @Test func `a copy replaces no file, and none is made of nothing or inside of a script`() throws {
    #expect(
      throws: Failure(.store, "\(store.path): is not there yet, so there is nothing to copy")
    ) { try process.ask(backup(to: store.path + ".copy")) }
    _ = try process.write(.add(Box(title: "A")))
    #expect(throws: Failure(.usage, "\(store.path): is there already; name a new file")) {
      try process.ask(backup(to: store.path))
    }
    #expect(throws: Failure(.usage, "'backup' needs a file.", field: "file")) {
      try process.ask(RequestBackup())
    }
    let refused = Locked<Failure?>(nil)
    process.stream.begin(.allOrNothing) { [self] result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(backup(to: store.path + ".copy")) { result, _ in
        if case .success(let reply) = result, case .failure(let failure) = reply.result {
          refused.withLock { $0 = failure }
        }
        unit.commit { _, _ in }
      }
    }
    #expect(
      refused.withLock { $0 }
        == Failure(.usage, "'backup' copies what is kept: run it outside of the script.")
    )
    #expect(!FileManager.default.fileExists(atPath: store.path + ".copy"))
  }
}
