#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The built program, as people run it.
  @Suite(.hangLimit) struct ProgramTests {
    private let place: Workplace

    init() throws { place = try Workplace(for: "labjournal") }

    private func run(_ words: String = "", _ input: String...) throws -> Job.Outcome {
      try place.start("labjournal \(words)", input: input).outcome()
    }

    private func text(_ file: String) throws -> String {
      try String(contentsOf: place.folder.appending(path: file), encoding: .utf8)
    }

    @Test func `it answers in a pipe`() throws {
      let outcome = try run(
        "",
        "receive A7 --due 2125-12-01 --tag blood",
        "start 1",
        "reading 1 4.5",
        "note 1 a bit cloudy",
        "receive B2",
        "start 1-9",
        "list b2",
        "show 1"
      )
      #expect(
        outcome.output == [
          "#1 A7",
          "  status  received",
          "  due     Sat 1 Dec 2125",
          "  tags    blood",
          "Started #1 A7",
        ] + sample(readings: "4.5") + sample(readings: "4.5", notes: "a bit cloudy") + [
          "#2 B2",
          "  status  received",
          "Started #2 B2",
          "#2 B2  started",
        ] + sample(readings: "4.5", notes: "a bit cloudy")
      )
      #expect(outcome.errors == [])
      #expect(outcome.status == 0)
    }

    @Test func `a sample is finished, found and opened again by its role`() throws {
      let outcome = try run(
        "run -",
        "receive A7 --due 2020-12-01",
        "receive B2",
        "count is:overdue",
        "finish 1",
        "list",
        "list is:done",
        "count is:overdue",
        "reopen 1",
        "list is:open"
      )
      #expect(
        outcome.output.suffix(8) == [
          "1 sample", "Finished #1 A7", "#2 B2  received", "#1 A7  finished  due 2020-12-01",
          "0 samples", "Reopened #1 A7", "#2 B2  received", "#1 A7  started  due 2020-12-01",
        ]
      )
      #expect(outcome.errors == [])
    }

    /// What is shown of the sample that was started.
    private func sample(readings: String, notes: String? = nil) -> [String] {
      [
        "#1 A7", "  status    started", "  due       Sat 1 Dec 2125", "  tags      blood",
        "  readings  \(readings)",
      ] + (notes.map { ["  notes     \($0)"] } ?? [])
    }

    /// The names of what lies where the store is.
    private func files() throws -> [String] {
      let folder = place.folder.appending(path: "data/labjournal").path
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `nothing is left beside the store while the alarm is on`() throws {
      for number in 1...30 {
        let outcome = try run("--alarm 1", "receive A7", "list --limit 1")
        #expect(
          outcome
            == .init(output: ["#\(number) A7", "  status  received", "#\(number) A7  received"])
        )
        #expect(try files() == ["store.sqlite", "store.sqlite-bell"], "run \(number)")
      }
    }

    @Test func `nothing is left by what reads the store just after it was written`() throws {
      for number in 1...10 {
        _ = try run("receive A7")
        #expect(
          try run("show \(number)") == .init(output: ["#\(number) A7", "  status  received"])
        )
        #expect(try files() == ["store.sqlite", "store.sqlite-bell"], "run \(number)")
      }
    }

    @Test func `a recorded session replays, with the ticks of its alarm`() throws {
      let recording = try run(
        "--record session --alarm 1",
        "receive A7 --due 2020-01-01",
        "start 1",
        "reading 1 4.5",
        "list"
      )
      #expect(recording.status == 0)
      let recorded = try text("session")
      #expect(recorded.contains(#""event":"ResponseAlarmTick""#))
      #expect(recorded.contains(#""event":"RequestReading""#))
      let replayed = try run("replay session")
      #expect(replayed.errors == [])
      #expect(replayed.status == 0)
      // What was recorded is what is compared.
      try recorded.replacing(#""value":4.5"#, with: #""value":4.6"#)
        .write(to: place.folder.appending(path: "other"), atomically: true, encoding: .utf8)
      #expect(try run("replay other").status != 0)
    }

    @Test func `an answer that reads and writes while it waits is recorded whole, and replays`()
      throws
    {
      let lines = ["receive A7 --tag blood", "again 1", "again 9", "start 2", "again 2"]
      for (index, words) in ["", "run --keep-going -"].enumerated() {
        let file = "session\(index)"
        let recorded = try place.start("labjournal --record \(file) \(words)", input: lines)
          .outcome()
        #expect(recorded.errors.first == "<stdin>:3:7: error: There is no sample #9.")
        let replayed = try run("replay \(file)")
        #expect(replayed.status == 0)
        #expect(replayed.output.last?.hasSuffix("events: no divergence.") == true)
      }
    }

    @Test func `a session has names for samples, and a replay knows them`() throws {
      let outcome = try run(
        "--record session",
        "receive A7 as @first",
        "receive B2",
        "start @first",
        "note @last cloudy",
        "history @first --limit 1",
        "show @last"
      )
      #expect(outcome.errors == [])
      #expect(outcome.output.suffix(3) == ["#1 A7", "  status  started", "  notes   cloudy"])
      #expect(try run("replay session").status == 0)
      #expect(
        try run("show @first").errors == [
          "error: @first: this session has given no sample that name; 'as @first' does, at the end "
            + "of a command that adds one."
        ]
      )
      #expect(
        try run("show @last").errors
          == ["error: @last: this session has not added or changed a sample yet."]
      )
    }

    @Test func `the ledger has a line for each sample that was received`() throws {
      _ = try run("--ledger ledger", "receive A7", "start 1")
      _ = try run("--ledger ledger", "receive B2")
      let lines = try text("ledger").split(separator: "\n")
      #expect(lines.first == "# samples received by labjournal")
      let samples = lines.dropFirst().map { $0.split(separator: "\t").dropFirst() }
      #expect(samples == [["#1", "A7"], ["#2", "B2"]])
    }

    @Test func `a file that is no ledger stays as it is`() throws {
      try "Dear all"
        .write(to: place.folder.appending(path: "letter"), atomically: true, encoding: .utf8)
      #expect(
        try run("--ledger letter receive A7")
          == .init(errors: ["error: --ledger: 'letter' is no ledger."], status: 2)
      )
      #expect(try text("letter") == "Dear all")
    }

    @Test func `an alarm without a pause is refused`() throws {
      #expect(
        try run("--alarm 0 list")
          == .init(errors: ["error: --alarm: at least a second"], status: 2)
      )
    }
  }
#endif
