import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Testing
import TodoModels

/// The rows of the change log: what the shared layer writes, and the engine keeps.
@Suite(.hangLimit) struct ChangeLogTests {
  private let columns = "SELECT revision, record, kind, before, after FROM change"

  @Test func `an addition has no before, and only what is there afterwards`() throws {
    let store = try FreshStore()
    try store.add(1, "Bread") {
      $0.subtitle = "rye"
      $0.priority = .high
      $0.completedAt = Instant(milliseconds: 4000)
      $0.due = CivilTime("2026-12-01")
      $0.tags = ["home"]
      $0.project = "errands"
    }
    #expect(
      try store.rows(columns) == [
        "1 | 1 | 'todo' | NULL | '{\"uuid\":\"00000000-0000-4000-8000-000000000001\","
          + "\"title\":\"Bread\",\"subtitle\":\"rye\",\"priority\":\"high\","
          + "\"completedAt\":\"1970-01-01T00:00:04.000Z\","
          + "\"createdAt\":\"1970-01-01T00:00:01.000Z\",\"deleted\":false,\"due\":\"2026-12-01\",\"tags\":[\"home\"],"
          + "\"project\":\"errands\"}'"
      ]
    )
  }

  @Test func `a change has the changed fields, before and after`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.subtitle = "two"
      $0.tags = ["a"]
    }
    try store.change(1) {
      $0.subtitle = ""
      $0.priority = .high
      $0.complete(true, at: Instant(milliseconds: 4000))
      $0.deleted = true
      $0.due = .day(CivilDay(daysSinceEpoch: 0))
      $0.tags = ["b"]
      $0.project = "errands"
    }
    #expect(
      try store.rows(columns + " WHERE revision = 2") == [
        "2 | 1 | 'todo' | '{\"subtitle\":\"two\",\"priority\":\"normal\",\"completedAt\":null,"
          + "\"deleted\":false,\"due\":null,\"tags\":[\"a\"],\"project\":null}' | "
          + "'{\"subtitle\":\"\",\"priority\":\"high\",\"completedAt\":\"1970-01-01T00:00:04.000Z\",\"deleted\":true,"
          + "\"due\":\"1970-01-01\",\"tags\":[\"b\"],\"project\":\"errands\"}'"
      ]
    )
  }

  @Test func `a row says who did it, on whose behalf, and when`() throws {
    let store = try FreshStore()
    let author = Author(
      root: Root(session: .max, number: 12),
      origin: "cli",
      time: Instant(milliseconds: 6000)
    )
    try store.database.write([.add(.test(1))], by: author)
    try store.change(1) { $0.title = "Oat milk" }
    #expect(
      try store.rows("SELECT session, root, part, origin, at FROM change") == [
        "-1 | 12 | 1 | 'cli' | 6000", "7 | 3 | 2 | 'tests' | 5000",
      ]
    )
  }

  @Test func `each todo that a transaction changed has a row`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2) { $0.priority = .high }
    try store.add(3)
    try store.database.change(1, 2, 3, by: .test) { $0.priority = .high }
    let change = #"'{"priority":"normal"}' | '{"priority":"high"}'"#
    #expect(
      try store.rows(columns + " WHERE revision > 3") == [
        "4 | 1 | 'todo' | \(change)", "5 | 3 | 'todo' | \(change)",
      ]
    )
  }
}
