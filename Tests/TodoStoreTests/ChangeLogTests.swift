import EventMVVMTesting
import EventPatterns
import EventMVVM
import Testing
import TodoModels
import TodoStore

@Suite(.hangLimit) struct ChangeLogTests {
  private let columns = "SELECT revision, todo, before, after FROM change"

  @Test func `an addition has no before, and only what is not as in a fresh todo`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread") {
      $0.subtitle = "rye"
      $0.priority = .high
      $0.completedAt = Instant(milliseconds: 4000)
      $0.due = CivilTime("2026-12-01")
      $0.tags = ["home"]
      $0.project = "errands"
    }
    #expect(
      try store.rows(columns) == [
        "1 | 1 | NULL | '{\"title\":\"Milk\"}'",
        "2 | 2 | NULL | '{\"title\":\"Bread\",\"subtitle\":\"rye\",\"priority\":\"high\","
          + "\"completedAt\":4000,\"due\":\"2026-12-01\",\"tags\":[\"home\"],"
          + "\"project\":\"errands\"}'",
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
      $0.completion = .complete(Instant(milliseconds: 4000))
      $0.deleted = true
      $0.due = .set(.day(CivilDay(daysSinceEpoch: 0)))
      $0.tags = .adjust(add: ["b"], remove: ["a"])
      $0.project = .set("errands")
    }
    #expect(
      try store.rows(columns + " WHERE revision = 2") == [
        "2 | 1 | '{\"subtitle\":\"two\",\"priority\":\"normal\",\"completedAt\":null,"
          + "\"deleted\":false,\"due\":null,\"tags\":[\"a\"],\"project\":null}' | "
          + "'{\"subtitle\":\"\",\"priority\":\"high\",\"completedAt\":4000,\"deleted\":true,"
          + "\"due\":\"1970-01-01\",\"tags\":[\"b\"],\"project\":\"errands\"}'"
      ]
    )
  }

  @Test func `a row says who did it, on whose behalf, and when`() throws {
    let store = try FreshStore()
    let writer = Writer(
      root: Root(session: .max, number: 12),
      origin: "cli",
      time: Instant(milliseconds: 6000)
    )
    _ = try store.database.write([.add(.test(1))], by: writer)
    try store.change(1) { $0.title = "Oat milk" }
    #expect(
      try store.rows("SELECT session, root, origin, at FROM change") == [
        "-1 | 12 | 'cli' | 6000", "7 | 3 | 'tests' | 5000",
      ]
    )
  }

  @Test func `each todo that a transaction changed has a row`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2) { $0.priority = .high }
    try store.add(3)
    let patch = TodoPatch.test { $0.priority = .high }
    try store.write(
      .change(.number(1), patch, seen: nil),
      .change(.number(2), patch, seen: nil),
      .change(.number(3), patch, seen: nil)
    )
    #expect(
      try store.rows(columns + " WHERE revision > 3") == [
        "4 | 1 | '{\"priority\":\"normal\"}' | '{\"priority\":\"high\"}'",
        "5 | 3 | '{\"priority\":\"normal\"}' | '{\"priority\":\"high\"}'",
      ]
    )
  }
}
