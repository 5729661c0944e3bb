import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import Testing

@testable import UndoHistory

/// What the plugin does of its own, over a domain that it does not know.
@Suite(.hangLimit) struct UndoHistoryTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestUndo(), RequestRedo(force: true), RequestHistory()]) {
      UndoHistory()
    }
  }

  @Test func `no property is forgotten`() {
    #expect(RequestUndo.command.forgotten(in: RequestUndo()) == [])
    #expect(RequestRedo.command.forgotten(in: RequestRedo()) == [])
    #expect(RequestHistory.command.forgotten(in: RequestHistory()) == [])
  }

  @Test func `an undo is one request: the step is found and taken back at once`() {
    let change = ReversedStep.test([.title, .title])
    let (reply, log) = run(RequestUndo(), change)
    #expect(log == ["revert toUndo(by: nil) refuse"])
    #expect(
      text(of: reply) == """
        Undid what cli did, Thu 1 Jan 1970 00:00:
          ~ #3 Milk
              title: Oat milk → Milk
          ~ #3 Milk
              title: Oat milk → Milk

        """
    )
  }

  @Test func `a redo takes the latest undo back`() {
    let (reply, log) = run(RequestRedo(), .test())
    #expect(log == ["revert toRedo(by: nil) refuse"])
    #expect(text(of: reply)?.hasPrefix("Redid what cli undid, Thu 1 Jan 1970 00:00:\n") == true)
  }

  @Test func `--mine asks for the steps of the session, and of its name`() {
    let (_, log) = run(RequestUndo(mine: true), .test())
    #expect(
      log == [
        "revert toUndo(by: Optional(EventRecords.StepMaker(session: 1, origin: \"view\"))) refuse"
      ]
    )
  }

  @Test(arguments: [("undo", "There is nothing to undo."), ("redo", "There is nothing to redo.")])
  func `nothing to take back is not found`(_ verb: String, _ message: String) {
    let (failure, _) = verb == "undo" ? failure(RequestUndo(), nil) : failure(RequestRedo(), nil)
    #expect(failure == Failure(.notFound, message))
  }

  @Test func `a conflict shows before, after and current, says and what to do`() {
    let (failure, log) = failure(RequestUndo(), .test([], [.test()]))
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
    #expect(log == ["revert toUndo(by: nil) refuse"])
  }

  @Test func `a conflict with an addition says that it was added`() {
    let (failure, _) = failure(RequestUndo(), .test([], [.test(.added)]))
    #expect(
      failure?.message
        .hasPrefix(
          "#3 was changed after it was added: its title was 'Oat milk' and is 'Soy milk' now. "
        ) == true
    )
  }

  @Test(arguments: [(4, "There is 1 more."), (5, "There are 2 more.")])
  func `of many conflicts three are named, and the others counted`(_ count: Int, _ rest: String) {
    let many = ReversedStep.test([], Array(repeating: .test(), count: count))
    let (failure, _) = failure(RequestRedo(), many)
    #expect(failure?.message.contains(" now. \(rest) 'redo --force' restores") == true)
  }

  @Test func `--skip leaves what was changed again, and says what`() {
    let (reply, log) = run(RequestUndo(skip: true), .test([], [.test()]))
    #expect(log == ["revert toUndo(by: nil) skip"])
    #expect(
      text(of: reply) == """
        Undid what cli did, Thu 1 Jan 1970 00:00:
          nothing was left of it
          left alone: #3 title is 'Soy milk'

        """
    )
  }

  @Test func `--force restores it, and reports no conflict`() {
    let (reply, log) = run(RequestUndo(force: true), .test([.title], [.test()]))
    #expect(log == ["revert toUndo(by: nil) overwrite"])
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
    let full = Failure(.store, "The disk is full.")
    let (reply, _) = ask(RequestUndo(), .failure(full))
    #expect(reply?.failure == full)
  }

  @Test func `inside a unit nothing is undone`() {
    let test = TestContext()
    let journal = ScriptedJournal([.test(7)], .success(.test()))
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
    #expect(journal.log == [])
  }

  @Test func `an undo is the step of who asked for it, under its root`() {
    let test = TestContext()
    test.add(ScriptedJournal([.test(7)], .success(.test())), UndoHistory())
    let heard = Locked<[String]>([])
    test.stream.on(RequestUndo.self) { _, turn in
      let place = "undo of \(turn.originName): \(turn.root)"
      heard.withLock { $0.append(place) }
    }
    test.stream.on(RequestReversal.self) { _, turn in
      let place = "reversal of \(turn.originName): \(turn.root)"
      heard.withLock { $0.append(place) }
    }
    test.app.port(named: "view").send(RequestUndo())
    test.skip()
    let root = "0000000000000001-1"
    #expect(heard.withLock { $0 } == ["undo of view: \(root)", "reversal of view: \(root)"])
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
    for field in fields {
      page.write(field.readable(at: ReaderClock(Instant(milliseconds: 0), in: .utc)), indent: "  ")
    }
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
    _ reversal: ReversedStep
  ) -> (ReversalReport?, [String]) {
    let (reply, log) = ask(request, .success(reversal))
    return (try? reply?.get(), log)
  }

  private func ask<R: ReversingCommand>(
    _ request: R,
    _ reversal: Result<ReversedStep?, Failure>
  ) -> (Result<ReversalReport, Failure>?, [String]) {
    let test = TestContext()
    let journal = ScriptedJournal([], reversal)
    test.add(journal, UndoHistory())
    var reply: Result<ReversalReport, Failure>?
    test.app.port(named: "view").request(request) { result, _ in reply = try? result.get().result }
    test.skip()
    return (reply, journal.log)
  }

  private func failure<R: ReversingCommand>(
    _ request: R,
    _ reversal: ReversedStep?
  ) -> (Failure?, [String]) {
    let (reply, log) = ask(request, .success(reversal))
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
