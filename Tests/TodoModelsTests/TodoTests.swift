import EventMVVMTesting
import EventPatterns
import EventMVVM
import Testing
import TodoModels

@Suite(.hangLimit) struct TodoTests {
  private let id = UniqueID(high: 0x4000, low: 0x8000_0000_0000_0001)
  private let time = Instant(milliseconds: 1000)

  // MARK: What a todo is

  @Test func `S33 a fresh todo is empty, normal, open and there`() {
    let todo = Todo(uuid: id, createdAt: time)
    #expect(todo.uuid == id)
    #expect(todo.createdAt == time)
    #expect(todo.number == 0)
    #expect(todo.title == "")
    #expect(todo.subtitle == "")
    #expect(todo.priority == .normal)
    #expect(todo.completedAt == nil)
    #expect(todo.deleted == false)
    #expect(todo.due == nil)
    #expect(todo.tags == [])
    #expect(todo.project == nil)
    #expect(todo.revision == 0)
  }

  @Test func `S33 a todo is complete when it has a time of completion`() {
    var todo = Todo(uuid: id, createdAt: time)
    #expect(!todo.complete)
    todo.completedAt = time
    #expect(todo.complete)
    todo.completedAt = nil
    #expect(!todo.complete)
  }

  @Test func `S33 a priority is normal or high`() {
    #expect(Priority.allCases == [.normal, .high])
  }

  // MARK: Equality and identity

  @Test func `S65 todos that differ in any one thing are unequal`() {
    let edits: [(inout Todo) -> Void] = [
      { $0.number = 2 }, { $0.title = "Bread" }, { $0.subtitle = "two" }, { $0.priority = .high },
      { $0.completedAt = Instant(milliseconds: 1) }, { $0.deleted = true },
      { $0.due = CivilTime("2026-12-01") }, { $0.tags = ["home"] }, { $0.project = "errands" },
      { $0.revision = 2 },
    ]
    for edit in edits { #expect(Todo.test(1) { edit(&$0) } != Todo.test(1)) }
    #expect(Todo.test(2) != Todo.test(1))
    #expect(Todo.test(1) == Todo.test(1))
  }

  @Test func `S52 the same todo with other content is unequal, but the same`() {
    #expect(Todo.test(1, "Milk").isSame(as: .test(1, "Bread") { $0.deleted = true }))
    #expect(!Todo.test(1, "Milk").isSame(as: .test(2, "Milk")))
  }

  @Test func `a reference reads as people write it`() {
    #expect(TodoReference.number(42).text == "#42")
    #expect(TodoReference.uuid(id).text == "00000000-0000-4000-8000-000000000001")
    #expect(TodoReference.prefix("6f1c").text == "6f1c")
  }
}
