import EventMVVMTesting
import Testing

/// What is wrong with a store is seen: a judge must be judged.
@Suite(.hangLimit) struct HistoryTests {
  /// A script that adds two, and a one-shot that completes the first.
  private static let changes = [
    Contents.Change(revision: 1, todo: 1, step: "1.1", after: #"{"title":"A"}"#),
    Contents.Change(revision: 2, todo: 2, step: "1.1", after: #"{"title":"B","tags":["t"]}"#),
    Contents.Change(
      revision: 3,
      todo: 1,
      step: "2.1",
      after: #"{"completedAt":"2026-01-01T00:00:00.000Z"}"#
    ),
  ]

  private static let todos = [
    Contents.Todo(revision: 3, number: 1, title: "A", completedAt: "2026-01-01T00:00:00.000Z"),
    Contents.Todo(revision: 2, number: 2, title: "B", tags: #"["t"]"#),
  ]

  private func problems(_ change: (inout Contents) -> Void) throws -> [String] {
    var contents = Contents(changes: Self.changes, todos: Self.todos)
    change(&contents)
    return try History(Self.changes).problems(of: contents, acknowledged: 2)
  }

  @Test func `a beginning that has all that was acknowledged is right`() throws {
    #expect(try problems { _ in } == [])
    let earlier = try problems {
      $0.changes.removeLast()
      $0.todos[0] = Contents.Todo(revision: 1, number: 1, title: "A")
    }
    #expect(earlier == [])
  }

  @Test func `a loss is seen`() throws {
    let all = try problems { $0 = Contents(changes: [], todos: []) }
    #expect(all == ["LOST: revision 2 was acknowledged, it ends with 0"])
  }

  @Test func `half a script is seen`() throws {
    let half = try problems {
      $0.changes.removeLast(2)
      $0.todos = [Contents.Todo(revision: 1, number: 1, title: "A")]
    }
    #expect(half.contains("TORN: it ends with 1, inside of a step"))
  }

  @Test func `todos that do not fit the change log are seen`() throws {
    #expect(
      try problems { $0.todos[0].title = "X" } == ["todo #1 is not as revision 3 left it"]
    )
    #expect(
      try problems { $0.todos[0] = Contents.Todo(revision: 1, number: 1, title: "A") }
        == ["todo #1 lacks revision 3"]
    )
    #expect(
      try problems { $0.todos.removeLast() } == ["todos are missing that the change log has"]
    )
  }

  @Test func `a change log that is another one is seen`() throws {
    let other = Contents.Change(
      revision: 3,
      todo: 2,
      step: "2.1",
      after: #"{"completedAt":"2026-01-01T00:00:00.000Z"}"#
    )
    #expect(
      try problems { $0.changes[2] = other }
        == ["the change log is no beginning of what happened"]
    )
  }

  @Test func `a bell ahead of the store is seen`() throws {
    #expect(try problems { $0.rung = 3 } == [])
    #expect(try problems { $0.rung = 4 } == ["AHEAD: the bell says 4, the store ends with 3"])
  }

  @Test func `steps of an invocation that are not whole are seen`() {
    let invocation = Invocation.script("mark", lines: 3)
    let whole = (1...3)
      .map { Contents.Change(revision: $0, todo: $0, step: "1.1", after: #"{"title":"mark"}"#) }
    #expect(invocation.problems(with: []) == [])
    #expect(invocation.problems(with: whole[...]) == [])
    #expect(
      invocation.problems(with: whole[..<2]) == ["TORN: steps of [2] changes, instead of [3]"]
    )
  }

  @Test func `only revisions on whole lines are acknowledged`() {
    #expect(newestRevision(in: "{\"revision\":7}\n{\"revision\":8}") == 7)
    #expect(newestRevision(in: "{\"revision\":7") == 0)
  }
}
