import EventMVVMTesting
import Testing

/// What is wrong with the steps of a store is seen.
@Suite(.hangLimit) struct StepsTests {
  /// An addition, a new title for it, and an undo of that.
  private static let contents = Contents(
    changes: [
      Contents.Change(revision: 1, todo: 1, step: "1.1", after: #"{"title":"A"}"#),
      Contents.Change(revision: 2, todo: 1, step: "2.1", after: #"{"title":"B"}"#),
      Contents.Change(revision: 3, todo: 1, step: "3.1", after: #"{"title":"A"}"#),
    ],
    todos: [Contents.Todo(revision: 3, number: 1, title: "A")],
    steps: [
      Contents.Step(number: 1, name: "1.1", kind: .change, undoes: nil, isUndone: false),
      Contents.Step(number: 2, name: "2.1", kind: .change, undoes: nil, isUndone: true),
      Contents.Step(number: 3, name: "3.1", kind: .undo, undoes: 2, isUndone: false),
    ]
  )

  private func problems(_ change: (inout Contents) -> Void) throws -> [String] {
    var contents = Self.contents
    change(&contents)
    return try contents.problemsOfSteps()
  }

  @Test func `steps that say what the todos are, are right`() throws {
    #expect(try problems { _ in } == [])
    #expect(Self.contents.nextToUndo?.number == 1)
    #expect(Self.contents.nextToRedo?.number == 3)
  }

  @Test func `a step too few is seen, and one too many`() throws {
    #expect(
      try problems { $0.steps.remove(at: 0) }.first == "STEPS: [2, 3] are not those of the changes"
    )
    let more = try problems { contents in
      contents.steps.append(
        Contents.Step(number: 4, name: "4.1", kind: .change, undoes: nil, isUndone: false)
      )
    }
    #expect(more == ["STEPS: [1, 2, 3, 4] are not those of the changes"])
  }

  @Test func `a step that is undone and not marked is seen, and one marked and not undone`() throws
  {
    #expect(
      try problems { $0.steps[1].isUndone = false } == [
        "STEPS: step 2 must be taken back",
        "STEPS: the todos are not as the steps leave them that are not taken back",
      ]
    )
    #expect(
      try problems { $0.steps[0].isUndone = true }.first
        == "STEPS: step 1 must not be taken back"
    )
  }

  @Test func `todos that steps do not leave so are seen`() throws {
    let problem = "STEPS: the todos are not as the steps leave them that are not taken back"
    #expect(try problems { $0.todos[0].title = "B" } == [problem])
    #expect(try problems { $0.todos = [] } == [problem])
  }
}
