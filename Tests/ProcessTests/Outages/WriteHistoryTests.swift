import EventMVVMTesting
import Testing

/// A checker that finds nothing proves nothing: each of these histories has one fault.
@Suite(.hangLimit) struct WriteHistoryTests {
  /// Two writes, one after the other, and a watcher.
  private let sound: WriteHistory = {
    var history = WriteHistory()
    history.acknowledged = [
      .init(mark: "a", revision: 1, begin: 0, end: 10),
      .init(mark: "b", revision: 2, begin: 11, end: 20),
    ]
    history.log = [.init(revision: 1, mark: "a"), .init(revision: 2, mark: "b")]
    history.watchers = [
      .init(name: "w", external: [1, 2]), .init(name: "a", ownMarks: "a", own: [1], external: [2]),
    ]
    return history
  }()

  private func problems(_ damage: (inout WriteHistory) -> Void) -> [String] {
    var history = sound
    damage(&history)
    return history.problems()
  }

  @Test func `a sound history has no problem`() {
    #expect(sound.problems() == [])
  }

  @Test func `an acknowledged write that is not in the log is lost`() {
    let found = problems { history in
      history.log.removeLast()
      history.watchers = []
    }
    #expect(found == ["b is lost: revision 2 is missing"])
  }

  @Test func `so is one in whose place another one stands`() {
    let found = problems { $0.log[1] = .init(revision: 2, mark: "c") }
    #expect(
      found == [
        "b is lost: revision 2 is c", "c is stored as 2, and was never acknowledged",
      ]
    )
  }

  @Test func `what is in the log twice is doubled`() {
    let found = problems { history in
      history.log.append(.init(revision: 3, mark: "a"))
      history.watchers = []
    }
    #expect(found == ["a is stored 2 times: [1, 3]"])
  }

  @Test func `what was refused must not be stored`() {
    let found = problems { history in
      history.log.append(.init(revision: 3, mark: "c"))
      history.watchers = []
    }
    #expect(found == ["c is stored as 3, and was never acknowledged"])
  }

  @Test func `who asks after an acknowledgement gets a higher revision`() {
    let found = problems { history in
      history.acknowledged = [
        .init(mark: "a", revision: 1, begin: 21, end: 30),
        .init(mark: "b", revision: 2, begin: 11, end: 20),
      ]
    }
    #expect(found == ["a has revision 1, and was asked for after b had got 2"])
    // Where both were under way, either order is right.
    let overlapping = problems { history in
      history.acknowledged[0] = .init(mark: "a", revision: 1, begin: 15, end: 30)
    }
    #expect(overlapping == [])
  }

  @Test(arguments: [
    ([1], "w missed [2]"),
    ([1, 2, 2], "w saw twice: [2]"),
    ([1, 2, 3], "w saw what is not there: [3]"),
    ([2, 1], "w saw 1 after 2"),
  ])
  func `a watcher sees each revision once and in order`(_ seen: [Int], _ problem: String) {
    #expect(problems { $0.watchers[0].external = seen } == [problem])
  }

  @Test func `a writer that watches sees its own once, too, as its own`() {
    #expect(problems { $0.watchers[1].own = [] } == ["a, of its own, missed [1]"])
    #expect(
      problems { $0.watchers[1].external = [1, 2] } == ["a saw what is not there: [1]"]
    )
  }
}
