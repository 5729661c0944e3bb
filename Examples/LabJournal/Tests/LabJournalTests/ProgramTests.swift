import EventMVVMTesting
import Foundation
import Testing

/// The built program, as people run it.
@Suite(.hangLimit) struct ProgramTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `it answers in a pipe`() throws {
    let script = """
      receive A7 --due 2125-12-01 --tag blood
      start 1
      reading 1 4.5
      note 1 a bit cloudy
      receive B2
      list --batch B2
      show 1
      """
    let outcome = try bench.run(input: script)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        #1 A7  received  due 2125-12-01  blood
        #1 A7  started  due 2125-12-01  blood
        #1 A7  started  due 2125-12-01  blood
          4.5
        #1 A7  started  due 2125-12-01  blood
          4.5
          a bit cloudy
        #2 B2  received
        #2 B2  received
        #1 A7  started  due 2125-12-01  blood
          4.5
          a bit cloudy

        """
    )
  }

  @Test func `nothing is left beside the store while the alarm is on`() throws {
    for run in 1...30 {
      let outcome = try bench.run("--alarm", "1", input: "receive A7\nlist --limit 1")
      #expect(outcome.status == 0)
      #expect(outcome.output == "#\(run) A7  received\n#\(run) A7  received\n")
      #expect(try bench.files() == ["store.sqlite"], "run \(run)")
    }
  }

  @Test func `a recorded session replays, with the ticks of its alarm`() throws {
    let session = bench.path("session")
    let script = "receive A7 --due 2020-01-01\nstart 1\nreading 1 4.5\nlist"
    #expect(try bench.run("--record", session, "--alarm", "1", input: script).status == 0)
    let recorded = try String(contentsOfFile: session, encoding: .utf8)
    #expect(recorded.contains(#""event":"ResponseAlarmTick""#))
    #expect(recorded.contains(#""event":"RequestReading""#))
    let replayed = try bench.run("replay", session)
    #expect(replayed.errors == "")
    #expect(replayed.status == 0)
    // What was recorded is what is compared.
    let other = bench.path("other")
    try recorded.replacing(#""value":4.5"#, with: #""value":4.6"#)
      .write(toFile: other, atomically: true, encoding: .utf8)
    #expect(try bench.run("replay", other).status != 0)
  }

  @Test func `the ledger has a line for each sample that was received`() throws {
    let ledger = bench.path("ledger")
    _ = try bench.run("--ledger", ledger, input: "receive A7\nstart 1")
    _ = try bench.run("--ledger", ledger, input: "receive B2")
    let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    #expect(lines.first == "# samples received by labjournal")
    let samples = lines.dropFirst().map { $0.split(separator: "\t").dropFirst() }
    #expect(samples == [["#1", "A7"], ["#2", "B2"]])
  }

  @Test func `a file that is no ledger stays as it is`() throws {
    let letter = bench.path("letter")
    try "Dear all".write(toFile: letter, atomically: true, encoding: .utf8)
    let outcome = try bench.run("--ledger", letter, "receive", "A7")
    #expect(outcome.errors == "error: --ledger: '\(letter)' is no ledger.\n")
    #expect(outcome.status == 2)
    #expect(try String(contentsOfFile: letter, encoding: .utf8) == "Dear all")
  }

  @Test func `an alarm without a pause is refused`() throws {
    let outcome = try bench.run("--alarm", "0", "list")
    #expect(outcome.errors == "error: --alarm: at least a second\n")
    #expect(outcome.status == 2)
  }
}

/// What came of a process.
private struct Outcome {
  let output: String
  let errors: String
  let status: Int32
}

/// A folder in which the built program runs; it is gone with whoever holds this.
private final class Bench {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("labjournal-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The names of what lies where the store is.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path("data/labjournal"))
  }

  /// Runs the program to its end.
  func run(_ words: String..., input: String = "") throws -> Outcome {
    let process = Process()
    let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = built.appendingPathComponent("labjournal")
    process.arguments = words
    process.environment = [
      "HOME": path("home"), "XDG_DATA_HOME": path("data"), "XDG_STATE_HOME": path("state"),
      "XDG_CONFIG_HOME": path("config"), "TZ": "UTC", "LANG": "C.UTF-8",
    ]
    let streams = try ["in", "out", "err"].map { name in
      try Data((name == "in" ? input : "").utf8).write(to: folder.appendingPathComponent(name))
      return try FileHandle(forUpdating: folder.appendingPathComponent(name))
    }
    process.standardInput = streams[0]
    process.standardOutput = streams[1]
    process.standardError = streams[2]
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: try String(contentsOfFile: path("out"), encoding: .utf8),
      errors: try String(contentsOfFile: path("err"), encoding: .utf8),
      status: process.terminationStatus
    )
  }
}
