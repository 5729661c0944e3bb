import EventMVVMTesting
import EventPatterns
import EventMVVM
import Testing
import TodoModels

@Suite(.hangLimit) struct TodoPatchTests {
  private let time = Instant(milliseconds: 9000)

  @Test func `S71 a patch holds the fields that differ, and no others`() {
    let old = Todo.test(1) {
      $0.tags = ["a", "b"]
      $0.due = CivilTime("2026-12-01")
      $0.completedAt = Instant(milliseconds: 2000)
    }
    #expect(TodoPatch(from: old, to: old) == TodoPatch())
    var new = old
    new.title = "Bread"
    #expect(TodoPatch(from: old, to: new) == .test { $0.title = "Bread" })
    new.title = old.title
    new.tags = ["b", "c"]
    new.due = nil
    new.completedAt = nil
    new.project = "errands"
    new.deleted = true
    new.subtitle = "two"
    new.priority = .high
    #expect(
      TodoPatch(from: old, to: new)
        == .test {
          $0.tags = .adjust(add: ["c"], remove: ["a"])
          $0.due = .clear
          $0.completion = .open
          $0.project = .set("errands")
          $0.deleted = true
          $0.subtitle = "two"
          $0.priority = .high
        }
    )
  }

  @Test func `a patch leaves alone what it does not name`() {
    let todo = Todo.test(1, number: 3, revision: 4) {
      $0.subtitle = "two"
      $0.priority = .high
      $0.completedAt = time
      $0.deleted = true
      $0.due = CivilTime("2026-12-01")
      $0.tags = ["a"]
      $0.project = "errands"
    }
    #expect(TodoPatch().applied(to: todo, seen: todo) == todo)
  }

  @Test func `S69 completing what is complete keeps its time`() {
    let done = Todo.test(1) { $0.completedAt = Instant(milliseconds: 2000) }
    let patch = TodoPatch.test { $0.completion = .complete(time) }
    #expect(patch.applied(to: done, seen: done).completedAt == Instant(milliseconds: 2000))
    #expect(patch.applied(to: .test(1), seen: .test(1)).completedAt == time)
  }

  @Test func `a toggle goes to the other of what was seen`() {
    let (open, done) = (Todo.test(1), Todo.test(1) { $0.completedAt = time })
    let later = Instant(milliseconds: 10_000)
    let toggle = TodoPatch.test { $0.completion = .toggle(later) }
    #expect(toggle.applied(to: open, seen: open).completedAt == later)
    #expect(toggle.applied(to: done, seen: done).completedAt == nil)
    #expect(toggle.applied(to: done, seen: open).completedAt == time)
    #expect(toggle.applied(to: open, seen: done).completedAt == nil)
  }

  @Test func `a tag that is added and removed at once is there, once`() {
    let todo = Todo.test(1) { $0.tags = ["a", "b"] }
    let patch = TodoPatch.test { $0.tags = .adjust(add: ["a", "c"], remove: ["a", "b"]) }
    #expect(patch.applied(to: todo, seen: todo).tags == ["a", "c"])
  }
}
