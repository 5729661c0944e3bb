import EventMVVMTesting
import JSONText
import Testing

/// What can't have happened is found: a fault is planted in a sound history.
@Suite(.hangLimit) struct CheckerTests {
  // MARK: Sound ones

  @Test func `a sound history has no problems`() {
    #expect(problems(Self.sound, Self.log) == [])
  }

  @Test func `an unanswered write is in the log, or is not`() {
    let lost = Operation("b", .add(title: "Lost"), 3...(.max), .unknown)
    #expect(problems(Self.sound + [lost], Self.log) == [])
    var operations = Self.sound
    operations[1].answer = .unknown
    #expect(problems(operations, Self.log) == [])
  }

  @Test func `an unanswered write may take effect after a read that does not have it`() {
    var operations = Self.sound
    operations[1].answer = .unknown
    operations[1].end = .max
    let old = Operation("b", .show(1), 25...26, .todos([Todo(number: 1, revision: 1, title: "A")]))
    #expect(problems(operations + [old], Self.log) == [])
  }

  @Test func `of two concurrent requests for the same, either may have made the step`() {
    let done = Todo(number: 1, revision: 2, title: "A", isComplete: true)
    let log = SerialLog([
      .init(1, [.init(1, 1, nil, ["title": "A"])]),
      .init(2, [.init(2, 1, ["completedAt": .null], ["completedAt": 7])]),
    ])
    let operations = [
      Operation("a", .add(title: "A"), 0...1, .acknowledged),
      Operation("a", .complete(1, true), 2...9, .todos([done])),
      Operation("b", .complete(1, true), 3...4, .todos([done])),
      Operation("c", .list, 5...6, .todos([done])),
    ]
    #expect(problems(operations, log) == [])
    var killed = operations
    killed[1].answer = .unknown
    killed[1].end = .max
    #expect(problems(killed, log) == [])
  }

  @Test func `a conflict is right at some point within its time`() {
    let edit = Request.edit(1, .title, "C", seen: 1)
    let refused = Operation.Answer.refused(.conflict(1, .title, actual: "B"))
    #expect(problems(Self.sound + [Operation("b", edit, 25...26, refused)], Self.log) == [])
    let early = Operation("b", edit, 5...6, refused)
    #expect(
      problems(Self.sound + [early], Self.log) == [
        "against real time, as step 2: \(Self.sound[1])\n  after \(early)"
      ]
    )
    let other = Operation("b", edit, 25...26, .refused(.conflict(1, .title, actual: "X")))
    #expect(problems(Self.sound + [other], Self.log) == ["never so: \(other)"])
  }

  // MARK: Writes

  @Test func `an acknowledged write that the log does not have is found`() {
    let lost = Operation(
      "b",
      .add(title: "Lost"),
      3...4,
      .todos([Todo(number: 3, revision: 9, title: "Lost")])
    )
    #expect(problems(Self.sound + [lost], Self.log) == ["never so: \(lost)"])
    let quiet = Operation("b", .add(title: "Lost"), 3...4, .acknowledged)
    #expect(problems(Self.sound + [quiet], Self.log) == ["never so: \(quiet)"])
  }

  @Test func `a write that is in the log twice is found, and a refused one that is there`() {
    var steps = Self.log.steps
    steps.append(.init(7, [.init(7, 3, nil, ["title": "A"])]))
    #expect(
      problems(Self.sound, SerialLog(steps)).first?.hasPrefix("step 7 has no request") == true
    )
    var operations = Self.sound
    operations[1].answer = .refused(.notFound(1))
    #expect(problems(operations, Self.log).first?.hasPrefix("step 2 has no request") == true)
  }

  @Test func `a write that the log has in another form than was answered is found`() {
    var operations = Self.sound
    operations[1].answer = .todos([Todo(number: 1, revision: 2, title: "B", isComplete: true)])
    #expect(problems(operations, Self.log).first?.hasPrefix("step 2 has no request") == true)
  }

  @Test func `an order against real time is found`() {
    var operations = Self.sound
    (operations[1], operations[2]) = (operations[1].at(30...40), operations[2].at(10...20))
    #expect(problems(operations, Self.log).first == "no requests agree with real time:")
  }

  @Test func `a number or a revision that is given twice is found`() {
    let todo = Todo(number: 1, revision: 9, title: "Other")
    let number = Operation("b", .add(title: "Other"), 3...4, .todos([todo]))
    #expect(
      problems(Self.sound + [number], Self.log) == ["#1 was given twice, to 'A' and to 'Other'"]
    )
    let same = Todo(number: 9, revision: 2, title: "Other")
    let revision = Operation("b", .add(title: "Other"), 25...26, .todos([same]))
    #expect(
      problems(Self.sound + [revision], Self.log) == [
        "revision 2 was given twice, to 'B' and to 'Other'"
      ]
    )
  }

  @Test func `an edit that overwrites what it did not see is found`() {
    var operations = Self.sound
    // It says that it saw revision 1, and A was B by then.
    operations.append(
      Operation("c", .edit(1, .title, "C", seen: 1), 61...62, .acknowledged)
    )
    var steps = Self.log.steps
    steps.append(.init(7, [.init(7, 1, ["title": "B"], ["title": "C"])]))
    #expect(
      problems(operations, SerialLog(steps)).first?.hasPrefix("step 7 has no request") == true
    )
  }

  // MARK: Reads

  @Test func `a stale read is found`() {
    let stale = Operation("b", .list, 25...26, .todos([Todo(number: 1, revision: 1, title: "A")]))
    #expect(
      problems(Self.sound + [stale], Self.log) == ["stale: \(stale)\n  after \(Self.sound[1])"]
    )
  }

  @Test func `a read that goes back before another read is found, though no write has ended`() {
    var operations = Self.sound
    operations[1].end = 100
    let new = Todo(number: 1, revision: 2, title: "B")
    let old = Todo(number: 1, revision: 1, title: "A")
    let reads = [
      Operation("b", .show(1), 12...13, .todos([new])),
      Operation("b", .show(1), 14...15, .todos([old])),
    ]
    #expect(
      problems(operations + reads, Self.log) == ["stale: \(reads[1])\n  after \(reads[0])"]
    )
    #expect(problems(operations + reads.prefix(1), Self.log) == [])
  }

  @Test func `a read of what was written later is found`() {
    let early = Operation("b", .show(1), 5...6, .todos([Todo(number: 1, revision: 2, title: "B")]))
    #expect(
      problems(Self.sound + [early], Self.log) == [
        "against real time, as step 2: \(Self.sound[1])\n  after \(early)"
      ]
    )
  }

  @Test func `a read of a part of a script is found`() {
    let half = [
      Todo(number: 1, revision: 2, title: "B"), Todo(number: 2, revision: 3, title: "P"),
    ]
    let read = Operation("b", .list, 32...33, .todos(half))
    #expect(problems(Self.sound + [read], Self.log) == ["never so: \(read)"])
  }

  @Test func `a todo that a list leaves out is found`() {
    let read = Operation("b", .list, 42...43, .todos([Todo(number: 1, revision: 2, title: "B")]))
    #expect(problems(Self.sound + [read], Self.log).first?.hasPrefix("against real time") == true)
    let never = Operation("b", .list, 45...46, .todos([Todo(number: 2, revision: 3, title: "P")]))
    #expect(problems(Self.sound + [never], Self.log) == ["never so: \(never)"])
  }

  // MARK: Scripts

  @Test func `a script in two places is found`() {
    var steps = Self.log.steps
    let last = steps[2].changes.removeLast()
    steps.insert(.init(4, [last]), at: 3)
    let problems = problems(Self.sound, SerialLog(Array(steps.prefix(4))))
    #expect(
      problems.map { $0.prefix(21) } == ["step 3 has no request", "step 4 has no request"]
    )
  }

  // MARK: Undo

  @Test func `an undo of a step whose turn it is not is found`() {
    var steps = Self.log.steps
    steps[3] = .init(
      5,
      .undo(of: 2),
      [.init(5, 1, ["title": "B"], ["title": "A"])]
    )
    #expect(
      problems(Self.sound, SerialLog(Array(steps.prefix(4)))) == [
        "undo 5 reverts step 2, but the turn was that of step 3"
      ]
    )
  }

  @Test func `an undo that leaves something, or takes more, is found`() {
    var steps = Array(Self.log.steps.prefix(4))
    steps[3].changes[0].after = ["withdrawn": .bool(false)]
    #expect(
      SerialLog(steps).problems == [
        "undo 5 leaves #2, which was added", "undo 5 leaves #2, which was added",
      ]
    )
    steps = Array(Self.log.steps.prefix(4))
    steps[3].changes.append(.init(6, 1, ["title": "B"], ["title": "A"]))
    #expect(
      SerialLog(steps).problems == [
        "undo 5 changes the title of #1, of which step 3 knows nothing"
      ]
    )
  }

  @Test func `an answer that names another step than was undone is found`() {
    var operations = Self.sound
    operations[3].answer = .reverted(2)
    #expect(problems(operations, Self.log).first?.hasPrefix("step 5 has no request") == true)
  }

  @Test func `that there is nothing to undo is right only where nothing is`() {
    let early = Operation("b", .undo, -9...(-8), .refused(.nothingToRevert))
    #expect(problems(Self.sound + [early], Self.log) == [])
    let late = Operation("b", .undo, 25...26, .refused(.nothingToRevert))
    #expect(
      problems(Self.sound + [late], Self.log) == ["stale: \(late)\n  after \(Self.sound[1])"]
    )
  }

  // MARK: The log itself

  @Test func `a log that does not fit together is found`() {
    let added = SerialLog.Change(1, 1, nil, ["title": "A"])
    #expect(
      SerialLog([.init(1, [added]), .init(2, [.init(2, 1, nil, ["title": "B"])])]).problems == [
        "revision 2: #1 is added twice, or never was"
      ]
    )
    #expect(
      SerialLog([
        .init(1, [added]), .init(2, [.init(2, 1, ["title": "X"], ["title": "B"])]),
      ])
      .problems == ["revision 2: the title of #1 was another one before"]
    )
    #expect(
      SerialLog([.init(2, [.init(2, 1, nil, ["title": "A"])]), .init(1, [.init(1, 2, nil, [:])])])
        .problems == ["revision 1 comes after 2"]
    )
  }

  // MARK: What is checked

  /// #1 is added and gets another title; a script adds #2 and gives it notes; an undo takes that away, and a
  /// redo brings it back.
  private static let log = SerialLog([
    .init(1, [.init(1, 1, nil, ["title": "A"])]),
    .init(2, [.init(2, 1, ["title": "A"], ["title": "B"])]),
    .init(
      3,
      [
        .init(3, 2, nil, ["title": "P"]),
        .init(4, 2, ["subtitle": ""], ["subtitle": "S"]),
      ]
    ),
    .init(5, .undo(of: 3), [.init(5, 2, ["withdrawn": false], ["withdrawn": true])]),
    .init(6, .redo(of: 5), [.init(6, 2, ["withdrawn": true], ["withdrawn": false])]),
  ])

  private static let sound = [
    Operation("a", .add(title: "A"), 0...1, .todos([Todo(number: 1, revision: 1, title: "A")])),
    Operation(
      "a",
      .edit(1, .title, "B", seen: 1),
      10...20,
      .todos([Todo(number: 1, revision: 2, title: "B")])
    ),
    Operation(
      "a",
      .script([.add(title: "P"), .edit(2, .subtitle, "S", seen: nil)], isDoomed: false),
      30...40,
      .todos([
        Todo(number: 2, revision: 3, title: "P"),
        Todo(number: 2, revision: 4, title: "P", subtitle: "S"),
      ])
    ),
    Operation("a", .undo, 45...50, .reverted(3)),
    Operation("a", .redo, 51...60, .reverted(5)),
  ]

  private func problems(_ operations: [Operation], _ log: SerialLog) -> [String] {
    Checker(operations, log).problems()
  }
}

extension Operation {
  fileprivate init(_ client: String, _ request: Request, _ time: ClosedRange<Int>, _ answer: Answer)
  {
    self.init(
      client: client,
      request: request,
      begin: time.lowerBound,
      end: time.upperBound,
      answer: answer
    )
  }

  fileprivate func at(_ time: ClosedRange<Int>) -> Operation {
    Operation(client, request, time, answer)
  }
}

extension SerialLog.Step {
  fileprivate init(_ number: Int, _ changes: [SerialLog.Change]) {
    self.init(number: number, kind: .change, changes: changes)
  }

  fileprivate init(_ number: Int, _ kind: SerialLog.Kind, _ changes: [SerialLog.Change]) {
    self.init(number: number, kind: kind, changes: changes)
  }
}

extension SerialLog.Change {
  fileprivate init(
    _ revision: Int,
    _ todo: Int,
    _ before: SerialLog.Fields?,
    _ after: SerialLog.Fields
  ) {
    self.init(revision: revision, todo: todo, before: before, after: after)
  }
}
