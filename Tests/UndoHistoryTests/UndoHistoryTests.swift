import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import JSONText
import Testing

@testable import UndoHistory

/// What the plugin does of its own, over a domain that it does not know.
@Suite(.hangLimit) struct UndoHistoryTests {
  @Test func `it keeps the plugin laws`() { PluginLaws.check { UndoHistory() } }

  @Test func `no property is forgotten`() {
    #expect(RequestUndo.command.forgotten(in: RequestUndo()) == [])
    #expect(RequestRedo.command.forgotten(in: RequestRedo()) == [])
    #expect(RequestHistory.command.forgotten(in: RequestHistory()) == [])
  }

  @Test func `an undo is one unit: the step is found, taken back part by part, and kept`() {
    let first = ReversedPart(changes: [.title], conflicts: [], last: 3)
    let (reply, log) = run(RequestUndo(), [.test(7)], [first, .done])
    #expect(
      log == [
        "begin", "toUndo(by: nil)", "revert 7", "revert 7 after 3", "keep",
      ]
    )
    #expect(
      text(of: reply) == """
        Undid what cli did on 1970-01-01 00:00:
          ~ #3 Milk
              title: Oat milk → Milk
          ~ #3 Milk
              title: Oat milk → Milk

        """
    )
  }

  @Test func `a redo takes the latest undo back`() {
    let (reply, log) = run(RequestRedo(), [.test(8, .undo(of: 7))], [.done])
    #expect(log == ["begin", "toRedo(by: nil)", "revert 8", "keep"])
    #expect(text(of: reply)?.hasPrefix("Redid what cli undid on 1970-01-01 00:00:\n") == true)
  }

  @Test func `--mine asks for the steps of the session, and of its name`() {
    let (_, log) = run(RequestUndo(mine: true), [.test(7)], [.done])
    #expect(log[1] == "toUndo(by: Optional(EventRecords.StepMaker(session: 1, origin: \"view\")))")
  }

  @Test(arguments: [("undo", "There is nothing to undo."), ("redo", "There is nothing to redo.")])
  func `nothing to take back is not found, and nothing is kept`(_ verb: String, _ message: String) {
    let (failure, log) =
      verb == "undo" ? failure(RequestUndo(), [], []) : failure(RequestRedo(), [], [])
    #expect(failure == Failure(.notFound, message))
    #expect(log.last == "take back")
  }

  @Test func `a conflict shows before, after and current, says what to do, and takes all back`() {
    let (failure, log) = failure(RequestUndo(), [.test(7)], [.conflict()])
    #expect(
      failure
        == Failure(
          .conflict,
          "#3 was changed again since: its title was 'Milk', became 'Oat milk', and is 'Soy milk' "
            + "now. 'undo --force' restores the earlier values, 'undo --skip' leaves the newer ones.",
          field: "title",
          id: 3,
          expected: .json(#""Oat milk""#),
          actual: .json(#""Soy milk""#)
        )
    )
    #expect(log == ["begin", "toUndo(by: nil)", "revert 7", "take back"])
  }

  @Test func `a conflict with an addition says that it was added`() {
    let (failure, _) = failure(RequestUndo(), [.test(7)], [.conflict(.added)])
    #expect(
      failure?.message
        .hasPrefix(
          "#3 was changed after it was added: its title was 'Oat milk' and is 'Soy milk' now. "
        ) == true
    )
  }

  @Test(arguments: [(4, "There is 1 more."), (5, "There are 2 more.")])
  func `of many conflicts three are named, and the others counted`(_ count: Int, _ rest: String) {
    let many = ReversedPart(
      changes: [],
      conflicts: Array(repeating: ReversedPart.conflict().conflicts[0], count: count),
      last: nil
    )
    let (failure, _) = failure(RequestRedo(), [.test(7)], [many])
    #expect(failure?.message.contains(" now. \(rest) 'redo --force' restores") == true)
  }

  @Test func `--skip leaves what was changed again, and says what`() {
    let (reply, log) = run(RequestUndo(skip: true), [.test(7)], [.conflict()])
    #expect(log == ["begin", "toUndo(by: nil)", "revert 7", "keep"])
    #expect(
      text(of: reply) == """
        Undid what cli did on 1970-01-01 00:00:
          nothing was left of it
          left alone: #3 title is 'Soy milk'

        """
    )
  }

  @Test func `--force restores it, and reports no conflict`() {
    let part = ReversedPart(
      changes: [.title],
      conflicts: ReversedPart.conflict().conflicts,
      last: nil
    )
    let (reply, log) = run(RequestUndo(force: true), [.test(7)], [part])
    #expect(log[2] == "revert 7 by force")
    #expect(reply?.skipped == [])
    #expect(reply?.count == 1)
  }

  @Test func `a conflict can be tried again by force, once a person agrees`() {
    let second = RequestUndo(mine: true).secondTry(after: Failure(.conflict, ""))
    #expect(second?.command == RequestUndo(mine: true, force: true))
    #expect(RequestUndo().secondTry(after: Failure(.notFound, ""))?.command == nil)
    #expect(RequestUndo(skip: true).secondTry(after: Failure(.conflict, ""))?.command == nil)
    #expect(RequestRedo(force: true).secondTry(after: Failure(.conflict, ""))?.command == nil)
  }

  @Test func `what can't be kept is a failure`() {
    let test = TestContext()
    let journal = ScriptedJournal([.test(7)], [.done])
    journal.script.withLock { $0.failsToKeep = true }
    test.add(journal, UndoHistory())
    var reply: Result<ReversalReport, Failure>?
    test.app.port(named: "view")
      .request(RequestUndo()) { result, _ in reply = try? result.get().result }
    test.skip()
    #expect(reply?.failure == Failure(.store, "The disk is full."))
  }

  @Test func `a part that fails takes all back`() {
    let (failure, log) = failure(RequestUndo(), [.test(7)], [])
    #expect(failure == Failure(.store, "The disk is full."))
    #expect(log == ["begin", "toUndo(by: nil)", "revert 7", "take back"])
  }

  @Test func `inside a unit nothing is undone`() {
    let test = TestContext()
    let journal = ScriptedJournal([.test(7)], [.done])
    test.add(journal, UndoHistory())
    var reply: Result<ReversalReport, Failure>?
    test.app.port(named: "view")
      .begin(.allOrNothing) { result, _ in
        guard let unit = try? result.get() else { return }
        unit.request(RequestUndo()) { result, _ in
          reply = try? result.get().result
          unit.rollBack { _, _ in }
        }
      }
    test.skip()
    #expect(
      reply?.failure
        == Failure(
          .usage,
          "'undo' can't be part of a script that is all or nothing; run it on its own, or the "
            + "script with --keep-going."
        )
    )
    #expect(journal.log == ["begin", "take back"])
  }

  @Test func `the unit of an undo belongs to who asked for it`() {
    let test = TestContext()
    test.add(ScriptedJournal([.test(7)], [.done]), UndoHistory())
    let origins = Locked<Set<String>>([])
    test.stream.on(RequestReversal.self) { _, turn in
      let name = turn.originName
      _ = origins.withLock { $0.insert(name) }
    }
    test.app.port(named: "view").send(RequestUndo())
    test.skip()
    #expect(origins.withLock { $0 } == ["view"])
  }

  @Test func `what is composed is shown in words, part by part`() throws {
    let before: JSON = ["city": "Bern", "postalCode": 3000, "box": nil]
    let after: JSON = ["city": "Thun", "postalCode": 3600, "box": ["open": true, "keys": []]]
    let readings: JSON = [["value": 4.5, "unit": "mg"], ["value": -2, "unit": ""], [], [1, 2]]
    var page = Page()
    let fields = [
      FieldChange("address", from: before, to: after),
      FieldChange("readings", from: [], to: readings),
    ]
    for field in fields { page.write(field.readable(in: .utc), indent: "  ") }
    #expect(
      page.text == """
          address: city: Bern, postal code: 3000, box: none → city: Thun, postal code: 3600, box: (open: yes, keys: none)
          readings: none → (value: 4.5, unit: mg), (value: -2, unit: none), none, (1, 2)

        """
    )
  }

  @Test func `lines that two texts have in common are left out`() {
    let difference = LineDifference("one\ntwo\nthree", "one\n2\nzwei\nthree")
    #expect(difference.removed == ["two"])
    #expect(difference.added == ["2", "zwei"])
    #expect(LineDifference("", "one").added == ["one"])
    #expect(LineDifference("one\n", "one").removed == [""])
  }

  // MARK: What is asked

  private func run<R: ReversingCommand>(
    _ request: R,
    _ steps: [JournalEntry],
    _ parts: [ReversedPart]
  ) -> (ReversalReport?, [String]) {
    let (reply, log) = ask(request, steps, parts)
    return (try? reply?.get(), log)
  }

  private func ask<R: ReversingCommand>(
    _ request: R,
    _ steps: [JournalEntry],
    _ parts: [ReversedPart]
  ) -> (Result<ReversalReport, Failure>?, [String]) {
    let test = TestContext()
    let journal = ScriptedJournal(steps, parts)
    test.add(journal, UndoHistory())
    var reply: Result<ReversalReport, Failure>?
    test.app.port(named: "view").request(request) { result, _ in reply = try? result.get().result }
    test.skip()
    return (reply, journal.log)
  }

  private func failure<R: ReversingCommand>(
    _ request: R,
    _ steps: [JournalEntry],
    _ parts: [ReversedPart]
  ) -> (Failure?, [String]) {
    let (reply, log) = ask(request, steps, parts)
    return (reply?.failure, log)
  }

  private func text(of report: ReversalReport?) -> String? {
    var page = Page()
    report?.show(on: &page)
    return report.map { _ in page.text }
  }
}

extension Result where Failure: Error {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}

extension RequestUndo {
  fileprivate init(mine: Bool = false, force: Bool = false, skip: Bool = false) {
    self.init()
    (self.mine, self.force, self.skip) = (mine, force, skip)
  }
}

extension RequestRedo {
  fileprivate init(force: Bool) {
    self.init()
    self.force = force
  }
}
