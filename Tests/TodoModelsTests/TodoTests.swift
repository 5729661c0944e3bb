import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
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
    #expect(todo.title == "")
    #expect(todo.subtitle == "")
    #expect(todo.priority == .normal)
    #expect(todo.completedAt == nil)
    #expect(todo.deleted == false)
    #expect(todo.due == nil)
    #expect(todo.tags == [])
    #expect(todo.project == nil)
    #expect(todo.place == nil)
  }

  @Test func `S33 a todo is complete when it has a time of completion`() {
    var todo = Todo(uuid: id, createdAt: time)
    #expect(!todo.complete)
    todo.complete(true, at: time)
    #expect(todo.complete)
    todo.complete(false, at: time)
    #expect(!todo.complete)
  }

  @Test func `S69 completing what is complete keeps its time`() {
    var todo = Todo.test(1) { $0.completedAt = Instant(milliseconds: 2000) }
    todo.complete(true, at: Instant(milliseconds: 9000))
    #expect(todo.completedAt == Instant(milliseconds: 2000))
  }

  @Test func `S33 a priority is normal or high`() {
    #expect(Priority.allCases == [.normal, .high])
  }

  // MARK: Equality and identity

  @Test func `S65 todos that differ in any one thing are unequal`() {
    let edits: [(inout Todo) -> Void] = [
      { $0.title = "Bread" }, { $0.subtitle = "two" }, { $0.priority = .high },
      { $0.completedAt = Instant(milliseconds: 1) }, { $0.deleted = true },
      { $0.due = CivilTime("2026-12-01") }, { $0.tags = ["home"] }, { $0.project = "errands" },
      { $0.place = ManualPlace(text: "1.V") },
    ]
    for edit in edits { #expect(Todo.test(1, "Milk", edit) != Todo.test(1)) }
    #expect(Todo.test(2) != Todo.test(1))
    #expect(Todo.test(1) == Todo.test(1))
  }

  @Test func `S52 the same todo with other content is unequal, but the same`() {
    #expect(Kept.test(1, "Milk").isSame(as: .test(1, "Bread") { $0.deleted = true }))
    #expect(!Kept.test(1, "Milk").isSame(as: .test(2, "Milk")))
  }

  // MARK: Statistics

  private func figures(_ before: Todo?, _ after: Todo?) -> [String] {
    Todo.measures(from: before, to: after, at: Instant(milliseconds: 9000))
      .map { measure in
        let labels = measure.dimensions.map { " \($0.name)=\($0.value)" }.joined()
        return "\(measure.kind.name) \(measure.amount) at \(measure.time.milliseconds)\(labels)"
      }
  }

  @Test func `an addition counts by the labels that it has`() {
    let home = Todo.test(1) { $0.tags = ["home"] }
    #expect(figures(nil, home) == ["added 1 at 9000 tag=home", "open 1 at 9000 tag=home"])
  }

  @Test func `what happens to a todo counts when it happens`() {
    let (open, done) = (Todo.test(1), Todo.test(1) { $0.completedAt = time })
    let deleted = Todo.test(1) { $0.deleted = true }
    #expect(figures(open, done) == ["completed 1 at 9000", "open -1 at 9000"])
    #expect(figures(done, open) == ["reopened 1 at 9000", "open 1 at 9000"])
    #expect(figures(open, deleted) == ["deleted 1 at 9000", "open -1 at 9000"])
    #expect(figures(deleted, open) == ["restored 1 at 9000", "open 1 at 9000"])
    #expect(figures(open, Todo.test(1, "Bread")) == [])
  }

  @Test func `an open todo counts by the labels that it has now`() {
    let (home, shop) = (
      Todo.test(1) { $0.tags = ["home"] },
      Todo.test(1) {
        $0.tags = ["shop"]
        $0.project = "errands"
      }
    )
    #expect(
      figures(home, shop) == [
        "open -1 at 9000 tag=home", "open 1 at 9000 tag=shop project=errands",
      ]
    )
  }
}
