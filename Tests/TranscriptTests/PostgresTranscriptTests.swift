import EventMVVMTesting
import ProcessTesting
import Testing

/// The conversations of ``TranscriptTests`` with a list in PostgreSQL: the same text, exit codes and
/// order.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct PostgresTranscriptTests {
  /// The transcripts whose subject is a store's file: its name, its mode, its damage.
  private static let aboutFiles: Set<String> = [
    "store-care", "store-failures", "store-location", "store-read-only", "write-targets",
  ]

  /// The transcripts about words and screens, which hardly reach a store, and one with many processes,
  /// of which the tests of processes have more: in `make nightly` alone.
  private static let nightly: Set<String> = [
    "arguments", "carets", "check", "color", "commands", "help", "long-lines", "one-shot-words",
    "plugins-and-version", "process-options", "processes", "screens", "usage-errors",
  ]

  /// The commands of other transcripts that look at the file of the store.
  private static let looksAtFiles = [
    "closed-stdout": "for store in todos fresh; do head -c 15 $store.sqlite; echo; done",
    "environment": "ls",
  ]

  /// The transcripts that run through PgBouncer, too: transactions, their order and their failures.
  private static let sample: Set<String> = [
    "all-or-nothing", "conflicts", "keep-going", "undo",
  ]

  private static let omitted = isNightly ? aboutFiles : aboutFiles.union(nightly)

  private static let all: [Transcript] = Transcript.all.filter { !omitted.contains($0.name) }
    .map { transcript in
      Transcript(
        name: transcript.name,
        steps: transcript.steps.filter { $0.command != looksAtFiles[transcript.name] }
      )
    }

  @Test(arguments: all)
  func `on PostgreSQL the binary prints what the transcript says`(
    _ transcript: Transcript
  ) throws {
    try transcript.check(in: try Workplace(on: .server))
  }

  @Test(arguments: all.filter { sample.contains($0.name) })
  func `through PgBouncer the binary prints what the transcript says`(
    _ transcript: Transcript
  ) throws {
    try transcript.check(in: try Workplace(on: .pooler))
  }

  @Test func `the transcripts and commands named here are there`() {
    let names = Set(Transcript.all.map(\.name))
    let named = Self.aboutFiles.union(Self.nightly).union(Self.sample)
    #expect(named.subtracting(names) == [])
    for (name, command) in Self.looksAtFiles {
      let transcript = Transcript.all.first { $0.name == name }
      #expect(transcript?.steps.contains { $0.command == command } == true)
    }
  }
}
