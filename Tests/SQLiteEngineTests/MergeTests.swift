import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing
import TodoModels

@testable import EventRecords

/// Two writers who have seen the same revision.
@Suite(.hangLimit) struct MergeTests {
  @Test func `S71 changes of different fields are both kept`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.title = "Oat milk" }
    let merged = try store.change(1, seen: 1) {
      $0.priority = .high
      $0.due = .test
    }
    #expect(merged.revision == 3)
    let wanted = Todo.test(1, "Oat milk") {
      $0.priority = .high
      $0.due = .test
    }
    #expect(merged.value == wanted)
    #expect(try store.todo(1).value == wanted)
  }

  @Test(
    arguments: [
      ("title", "Milk", "Oat milk", "Soy milk"), ("subtitle", "two", "three", "four"),
      ("due", "2026-12-01", "2026-12-02", "2026-12-03"), ("due", "2026-12-01", nil, "2026-12-03"),
      ("due", "2026-12-01", "2026-12-02", nil), ("project", "home", "work", "garden"),
      ("project", "home", nil, "garden"), ("project", "home", "work", nil),
    ] as [(String, JSON, JSON?, JSON?)]
  )
  func `S71 changes of one field to different values are a conflict that names both`(
    field: String,
    expected: JSON,
    actual: JSON?,
    mine: JSON?
  ) throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.subtitle = "two"
      $0.completedAt = Instant(milliseconds: 4000)
      $0.due = .test
      $0.project = "home"
    }
    try store.change(1, seen: 1) { $0.take(field, actual ?? .null) }
    let theirs = try store.todo(1)
    #expect(
      recordError { try store.change(1, seen: 1) { $0.take(field, mine ?? .null) } }
        == .conflict(1, field, expected: expected, actual: actual ?? .null)
    )
    #expect(try store.todo(1) == theirs)
    #expect(theirs.revision == 2)
  }

  @Test func `S71 the same change by both is no conflict and no second revision`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.title = "Oat milk" }
    let written = try store.database.change(1, seen: 1, by: .test) { $0.title = "Oat milk" }
    #expect(written.map(\.isChange) == [false])
    #expect(written.map(\.revision) == [2])
  }

  @Test func `S71 there and back again is no conflict`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    try store.change(1) { $0.title = "Milk" }
    #expect(try store.change(1, seen: 1) { $0.title = "Soy milk" }.value.title == "Soy milk")
  }

  @Test func `S71 a conflict names what was seen then, not what was before that`() throws {
    let store = try FreshStore()
    try store.add(1, "A")
    try store.change(1) { $0.title = "B" }
    try store.change(1) { $0.title = "C" }
    try store.change(1) { $0.title = "D" }
    #expect(
      recordError { try store.change(1, seen: 2) { $0.title = "E" } }
        == .conflict(1, "title", expected: "B", actual: "D")
    )
  }

  @Test(arguments: [-1, 0, 1, 3, 9, Int.max])
  func `S71 what nobody can have seen is a conflict: before the todo, and beyond the end`(
    revision: Int
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    #expect(
      recordError { try store.write(.put(2, .test(2, "Lost"), seen: revision)) }
        == .unseen(2, revision: revision)
    )
    #expect(try store.todo(2).value.title == "Milk")
    #expect(try store.change(1, seen: 2) { $0.title = "Rye" }.value.title == "Rye")
  }

  @Test func `S71 whoever has seen nothing overwrites`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    try store.write(.put(1, .test(1, "Soy milk"), seen: nil))
    #expect(try store.todo(1).value.title == "Soy milk")
  }

  @Test func `S71 one conflict among several writes nothing`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    try store.change(2) { $0.title = "Rye" }
    #expect(
      recordError {
        try store.database.change(1, 2, seen: 2, by: .test) { $0.title = "Both" }
      } == .conflict(2, "title", expected: "Milk", actual: "Rye")
    )
    #expect(try store.todo(1).value.title == "Milk")
  }

  // MARK: Tags

  @Test func `S71 tags merge as added and removed ones`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1, seen: 1) { $0.tags = ["b", "c"] }
    let merged = try store.change(1, seen: 1) { $0.tags = ["a", "d"] }
    #expect(merged.value.tags == ["c", "d"])
    #expect(
      try store.rows("SELECT name FROM \"record_todo.tags\" ORDER BY name") == ["'c'", "'d'"]
    )
  }

  @Test func `S71 replacing tags replaces what was seen, and keeps what was added since`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1, seen: 1) { $0.tags = ["b", "c"] }
    #expect(try store.change(1, seen: 1) { $0.tags = ["a", "x"] }.value.tags == ["c", "x"])
  }

  @Test func `S71 replacing tags without having seen any replaces them all`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1) { $0.tags = ["a", "b", "c"] }
    try store.write(.put(1, .test(1) { $0.tags = ["x", "b"] }, seen: nil))
    #expect(try store.todo(1).value.tags == ["x", "b"])
    #expect(
      try store.rows("SELECT name FROM \"record_todo.tags\" ORDER BY name") == ["'b'", "'x'"]
    )
  }
}

// MARK: - Completion

/// Completes a todo or opens it again; what was seen decides if it is to be the other of the two.
private struct RequestCompletion: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  var isComplete: Bool?
  let time: Instant
  var seen: Int?
  var references = [RecordReference(1)]
}

/// Stands for a domain's view-model server.
private final class Completer: Plugin {
  let name = "completer"

  func join(_ stream: EventStream) {
    stream.edit(RequestCompletion.self, \.references, seen: \.seen, owner: self) {
      (_, request, todo: inout Todo, seen, _) in
      todo.complete(request.isComplete ?? !seen.complete, at: request.time)
    } reply: { _, _, transitions, _ in
      Message(transitions.map { $0.isChange ? "changed" : "not changed" }.joined(separator: ", "))
    }
  }
}

/// Two writers who complete one todo, by what the view-model layer uses.
@Suite(.hangLimit) struct CompletionMergeTests {
  private let store: FreshStore
  private let process: AppContext
  private let noon = Instant(milliseconds: 43_200_000)
  private let one = Instant(milliseconds: 46_800_000)

  init() throws {
    store = try FreshStore()
    process = store.process()
    process.add(Completer())
  }

  private func ask(_ request: RequestCompletion) throws -> String { try process.ask(request).text }

  private func completion() throws -> Instant? { try store.todo(1).value.completedAt }

  @Test func `S71 both complete: the first time stays, and there is no conflict`() throws {
    try store.add(1)
    #expect(try ask(RequestCompletion(isComplete: true, time: noon, seen: 1)) == "changed")
    #expect(try ask(RequestCompletion(isComplete: true, time: one, seen: 1)) == "not changed")
    #expect(try completion() == noon)
  }

  @Test func `S71 both toggle what they saw open: it is complete`() throws {
    try store.add(1)
    #expect(try ask(RequestCompletion(time: noon, seen: 1)) == "changed")
    #expect(try ask(RequestCompletion(time: one, seen: 1)) == "not changed")
    #expect(try completion() == noon)
  }

  @Test func `S71 both toggle what they saw complete: it is open`() throws {
    try store.add(1) { $0.completedAt = noon }
    #expect(try ask(RequestCompletion(time: one, seen: 1)) == "changed")
    #expect(try ask(RequestCompletion(time: one, seen: 1)) == "not changed")
    #expect(try completion() == nil)
  }

  @Test func `S71 toggles without having seen anything go to and fro`() throws {
    try store.add(1)
    #expect(try ask(RequestCompletion(time: noon)) == "changed")
    #expect(try completion() == noon)
    #expect(try ask(RequestCompletion(time: one)) == "changed")
    #expect(try completion() == nil)
  }

  @Test func `a todo that is named more than once is toggled once`() throws {
    let todo = try store.add(1)
    let references = [
      RecordReference(1), RecordReference(todo.value.uuid), .identity("00000000-0000-4"),
    ]
    #expect(try ask(RequestCompletion(time: noon, references: references)) == "changed")
    #expect(try completion() == noon)
  }

  @Test
  func `S71 completing what was reopened since, and completed at another time, is no conflict`()
    throws
  {
    try store.add(1) { $0.completedAt = noon }
    try store.change(1) { $0.completedAt = nil }
    try store.change(1) { $0.completedAt = one }
    #expect(try ask(RequestCompletion(isComplete: true, time: noon, seen: 1)) == "not changed")
    #expect(try completion() == one)
  }
}

extension Todo {
  /// Takes a value for a field.
  fileprivate mutating func take(_ field: String, _ json: JSON) {
    var fields = RecordFields()
    fields[field] = json
    if json == .null {
      copy(FieldSet(field: Todo._table.index(of: field) ?? 0), from: Todo())
    } else {
      takeReadable(fields)
    }
  }
}

extension CivilTime {
  fileprivate static let test = CivilTime.day(CivilDay(daysSinceEpoch: 20_788))
}
