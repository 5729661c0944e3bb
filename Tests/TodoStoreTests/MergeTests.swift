import EventMVVMTesting
import EventPatterns
import EventMVVM
import Testing
import TodoModels
import TodoStore

/// Two writers who have seen the same revision.
@Suite(.hangLimit) struct MergeTests {
  private let noon = Instant(milliseconds: 43_200_000)
  private let one = Instant(milliseconds: 46_800_000)

  @Test func `S71 changes of different fields are both kept`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.title = "Oat milk" }
    let merged = try store.change(1, seen: 1) {
      $0.priority = .high
      $0.due = .set(.test)
    }
    #expect(merged.title == "Oat milk")
    #expect(merged.priority == .high)
    #expect(merged.due == .test)
    #expect(merged.revision == 3)
  }

  @Test(
    arguments: [
      ("title", "Milk", "Oat milk"), ("subtitle", "two", "three"), ("priority", "normal", "high"),
      ("deleted", "true", "false"), ("due", "2026-12-01", "2026-12-02"), ("due", "2026-12-01", ""),
      ("project", "home", "work"), ("project", "home", ""),
    ])
  func `S71 changes of one field to different values are a conflict that names both`(
    field: String,
    expected: String,
    actual: String
  ) throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.subtitle = "two"
      $0.due = .test
      $0.project = "home"
      $0.deleted = field == "deleted"
    }
    try store.change(1, seen: 1) { Self.set(field, to: actual, &$0) }
    let mine = ["priority": "normal", "deleted": "true"][field] ?? "2026-12-03"
    let error = modelError { try store.change(1, seen: 1) { Self.set(field, to: mine, &$0) } }
    #expect(
      error
        == .conflict(number: 1, TodoConflict(field: field, expected: expected, actual: actual))
    )
    #expect(try store.todo(1).revision == 2)
  }

  private static func set(_ field: String, to value: String, _ patch: inout TodoPatch) {
    switch field {
    case "title": patch.title = value
    case "subtitle": patch.subtitle = value
    case "priority": patch.priority = Priority(rawValue: value)
    case "deleted": patch.deleted = value == "true"
    case "due": patch.due = CivilTime(value).map { .set($0) } ?? .clear
    default: patch.project = value.isEmpty ? .clear : .set(value)
    }
  }

  @Test func `S71 the same change by both is no conflict and no second revision`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.title = "Oat milk" }
    let written = try store.write(
      .change(.number(1), .test { $0.title = "Oat milk" }, seen: 1)
    )
    #expect(written.map(\.isChanged) == [false])
    #expect(written.map(\.todo.revision) == [2])
  }

  @Test func `S71 there and back again is no conflict`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    try store.change(1) { $0.title = "Milk" }
    #expect(try store.change(1, seen: 1) { $0.title = "Soy milk" }.title == "Soy milk")
  }

  @Test func `S71 a conflict names what was seen then, not what was before that`() throws {
    let store = try FreshStore()
    try store.add(1, "A")
    try store.change(1) { $0.title = "B" }
    try store.change(1) { $0.title = "C" }
    try store.change(1) { $0.title = "D" }
    #expect(
      modelError { try store.change(1, seen: 2) { $0.title = "E" } }
        == .conflict(number: 1, TodoConflict(field: "title", expected: "B", actual: "D"))
    )
  }

  @Test func `S71 what nobody can have seen is a conflict: before the todo, and beyond the end`()
    throws
  {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    for revision in [-1, 0, 1, 3, 9, Int.max] {
      #expect(
        modelError { try store.change(2, seen: revision) { $0.title = "Lost" } }
          == .unseen(number: 2, revision: revision)
      )
    }
    #expect(try store.todo(2).title == "Milk")
    #expect(try store.change(1, seen: 2) { $0.title = "Rye" }.title == "Rye")
  }

  @Test func `S71 whoever has seen nothing overwrites`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    #expect(try store.change(1) { $0.title = "Soy milk" }.title == "Soy milk")
  }

  @Test func `S71 one conflict among several writes nothing`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    try store.change(2) { $0.title = "Rye" }
    let patch = TodoPatch.test { $0.title = "Both" }
    #expect(
      modelError {
        try store.write(.change(.number(1), patch, seen: 2), .change(.number(2), patch, seen: 2))
      } == .conflict(number: 2, TodoConflict(field: "title", expected: "Milk", actual: "Rye"))
    )
    #expect(try store.todo(1).title == "Milk")
  }

  // MARK: Tags

  @Test func `S71 tags merge as added and removed ones`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1, seen: 1) { $0.tags = .adjust(add: ["c"], remove: ["a"]) }
    let merged = try store.change(1, seen: 1) { $0.tags = .adjust(add: ["d"], remove: ["b"]) }
    #expect(merged.tags == ["c", "d"])
    #expect(try store.rows("SELECT name FROM tag ORDER BY name") == ["'c'", "'d'"])
  }

  @Test func `S71 replacing tags replaces what was seen, and keeps what others added`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1, seen: 1) { $0.tags = .adjust(add: ["c"], remove: ["a"]) }
    #expect(try store.change(1, seen: 1) { $0.tags = .replace(["a", "x"]) }.tags == ["c", "x"])
  }

  @Test func `S71 replacing tags without having seen any replaces them all`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1) { $0.tags = .adjust(add: ["c"], remove: []) }
    #expect(try store.change(1) { $0.tags = .replace(["x", "b"]) }.tags == ["b", "x"])
  }

  // MARK: Completion

  @Test func `S71 both complete: the first time stays, and there is no conflict`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.completion = .complete(noon) }
    let written = try store.write(
      .change(.number(1), .test { $0.completion = .complete(one) }, seen: 1)
    )
    #expect(written.map(\.isChanged) == [false])
    #expect(written.map(\.todo.completedAt) == [noon])
  }

  @Test func `S71 both toggle what they saw open: it is complete`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.completion = .toggle(noon) }
    let written = try store.write(
      .change(.number(1), .test { $0.completion = .toggle(one) }, seen: 1)
    )
    #expect(written.map(\.isChanged) == [false])
    #expect(written.map(\.todo.completedAt) == [noon])
  }

  @Test func `S71 both toggle what they saw complete: it is open`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.completedAt = noon }
    try store.change(1, seen: 1) { $0.completion = .toggle(one) }
    #expect(try store.change(1, seen: 1) { $0.completion = .toggle(one) }.completedAt == nil)
  }

  @Test func `S71 toggles without having seen anything go to and fro`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(try store.change(1) { $0.completion = .toggle(noon) }.completedAt == noon)
    #expect(try store.change(1) { $0.completion = .toggle(one) }.completedAt == nil)
  }

  @Test func `S71 completing and reopening at other times is one field`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.completedAt = noon }
    try store.change(1) { $0.completion = .open }
    try store.change(1) { $0.completion = .complete(one) }
    #expect(try store.change(1, seen: 1) { $0.completion = .open }.completedAt == nil)
  }
}

extension CivilTime {
  fileprivate static let test = CivilTime.day(CivilDay(daysSinceEpoch: 20_788))
}
