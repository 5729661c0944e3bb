import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// The built binary, driven as people's scripts drive it: every file in `cases`, and every
/// document, is a conversation with the shell, and what is printed must be what is written there.
@Suite(.hangLimit) struct TranscriptTests {
  @Test(arguments: Transcript.all + Transcript.documents)
  func `the binary prints what the transcript says`(_ transcript: Transcript) throws {
    try transcript.check(in: try Workplace())
  }

  @Test func `the transcripts are found, and each of them has steps`() {
    #expect(Transcript.all.count >= 25)
    #expect(Transcript.all.filter(\.steps.isEmpty).map(\.name) == [])
    #expect(
      Transcript.documents.map(\.name) == [
        "README.md", "Sources/Todo/todostream/todostream.docc/Inspecting-a-Session.md",
        "Sources/Todo/todostream/todostream.docc/The-Store.md",
        "Sources/Toolkit/EventMVVM/EventMVVM.docc/Write-a-Plugin.md",
      ]
    )
  }

  @Test func `the list of commands is valid JSON, with a schema for each command`() throws {
    let place = try Workplace()
    let text = try place.start("todostream --json commands").outcome().output.joined()
    let commands = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    let names = try #require(commands).map { $0["name"] as? String }
    #expect(
      names.prefix(9)
        == ["add", "list", "show", "edit", "toggle", "done", "reopen", "skip", "delete"]
    )
    for command in try #require(commands) {
      let schema = try #require(command["params"] as? [String: Any])
      #expect(schema["type"] as? String == "object")
      #expect(schema["properties"] is [String: Any])
      #expect(schema["additionalProperties"] as? Bool == false)
    }
  }
}

extension Transcript {
  /// Runs the commands, and reports what they print and the transcript does not say.
  func check(in place: Workplace) throws {
    for step in steps {
      let outcome = try place.start(step.command, input: step.input).outcome()
      for problem in step.problems(in: outcome, folder: place.folder.path) {
        Issue.record("\(name):\(step.line)\n$ \(step.command)\n\(problem)")
      }
    }
  }
}

extension Transcript.Step {
  /// How what came of the command differs from what is written.
  fileprivate func problems(in outcome: Job.Outcome, folder: String) -> [String] {
    let output = LineDiff(expected: output, actual: outcome.output, folder: folder)
    let errors = LineDiff(expected: errors, actual: outcome.errors, folder: folder)
    var problems: [String] = []
    if !output.isEmpty { problems.append("standard output:\n\(output)") }
    if !errors.isEmpty { problems.append("standard error:\n\(errors)") }
    if outcome.status != status {
      problems.append("exit status: expected \(status), got \(outcome.status)")
    }
    return problems
  }
}
