import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// Whatever can be done with the program can be recorded and told again, in another zone and
/// locale, and nothing goes another way.
@Suite(.hangLimit) struct RecordedTranscriptTests {
  /// Those that between them use every sort of event; the others take three minutes of two
  /// processors more, and `make nightly` has them.
  private static let transcripts: [Transcript] = {
    let chosen = [
      "all-or-nothing", "conflicts", "dates", "keep-going", "move", "report-undo",
      "several-references",
      "store-read-only", "trace", "undo",
    ]
    return isNightly ? Transcript.all : Transcript.all.filter { chosen.contains($0.name) }
  }()

  @Test(arguments: transcripts)
  func `S57 every transcript is told again without divergence`(_ transcript: Transcript) throws {
    let place = try Workplace()
    let recordings = try Recordings()
    for step in transcript.steps {
      _ =
        try place
        .start(step.command, input: step.input, variables: ["PATH": recordings.path])
        .outcome()
    }
    for file in try recordings.files() {
      let outcome =
        try place.start(
          #"todostream replay "$1""#,
          [file.path],
          variables: [
            "TZ": "Pacific/Chatham", "LANG": "de_DE.UTF-8", "TMPDIR": recordings.folder.path,
          ]
        )
        .outcome()
      var lines = outcome.output
      // Some transcripts are of stores that can't be read.
      lines.removeAll { $0.hasPrefix("What the store held at the start is not in the recording: ") }
      let verdict = lines.joined(separator: "\n")
      let count = verdict.split(separator: " ").dropFirst().first ?? ""
      let whole = "Replayed \(count) of \(count) events: no divergence."
      let isAsRecorded = [whole, whole + " The recording was cut off there."].contains(verdict)
      #expect(isAsRecorded && outcome.status == 0, "\(verdict)\n\(outcome.errors)")
    }
    #expect(try recordings.leftovers() == [])
  }
}

/// A folder in which every call of the program leaves a recording, as long as it is first on the
/// path.
private final class Recordings {
  let folder: URL
  let path: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "recordings-\(UUID().uuidString)")
    let binaries = try Workplace.binaries()
    path = "\(folder.path)/bin:\(binaries.path):/usr/bin:/bin"
    try FileManager.default.createDirectory(
      at: folder.appending(path: "bin"),
      withIntermediateDirectories: true
    )
    let program = folder.appending(path: "bin/todostream")
    let script = """
      #!/bin/sh
      case " $* " in
      *--record*|*" replay "*|*recorder*) exec \(binaries.path)/todostream "$@" ;;
      esac
      exec \(binaries.path)/todostream --record \(folder.path)/$$-$(date +%s%N).recording "$@"
      """
    try Data(script.utf8).write(to: program)
    try FileManager.default
      .setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "recording" }
      .sorted { $0.path < $1.path }
  }

  /// What is there besides: no replay leaves anything.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "bin" && !$0.hasSuffix(".recording") }
  }
}
