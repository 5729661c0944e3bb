import EventMVVMTesting
import Foundation
import JSONText
import Testing

@testable import RecordingIndex

/// The index of a recording, also of one that is being written or is damaged.
@Suite(.timeLimit(.minutes(5))) struct IndexTests {
  @Test func `a recording is described`() throws {
    let json = try JSON(parsing: try Asked().answers.recording { $0.member("writable", false) })
    #expect(json["program"] == "notes 1")
    #expect(json["events"] == 11)
    #expect(json["isWhole"] == true)
    #expect(json["writable"] == false)
    let types = json["types"]?.elements ?? []
    #expect(
      types.first == [
        "name": "RequestAdd", "layer": "viewModel", "kind": "request", "count": 3,
        "housekeeping": false,
      ]
    )
    #expect(json["origins"] == [["name": "batch", "count": 8], ["name": "repl", "count": 3]])
  }

  @Test func `events are there as they are written`() throws {
    let recording = try WrittenRecording(WrittenRecording.facts)
    let answers = RecordingAnswers(try RecordingIndex(path: recording.path))
    for sequence in 1...3 {
      try recording.append(
        WrittenRecording.event(sequence, root: sequence, "RequestAdd", input: true, "{}")
      )
      try waitUntil("event \(sequence) is read") { answers.index.contents.count == sequence }
      let json = try JSON(parsing: try answers.events("is:input", all: false, from: nil, limit: 1))
      #expect(json["total"] == .integer(Int64(sequence)))
      #expect(json.rows.map { $0["seq"]?.int } == [sequence])
    }
    #expect(!answers.index.contents.isWhole)
    try recording.append(WrittenRecording.end(3))
    try answers.index.waitUntilWhole()
    #expect(answers.index.contents.isWhole)
  }

  @Test func `lines of any length are read, and others that can't be read are named`() throws {
    let title = String(repeating: "x", count: 5_000_000)
    let asked = try Asked(
      WrittenRecording.facts + [
        WrittenRecording.event(1, "RequestAdd", input: true, #"{"title":"\#(title)"}"#),
        #"{"seq":2,"root":1,"origin":9,"time":1,"type":"RequestAdd"}"#,
        #"{"seq":99999999999999999999999,"root":1}"#, #"{"event":"#, "no JSON",
        WrittenRecording.event(3, cause: 77, time: .max, "RequestUnheardOf", input: true),
        WrittenRecording.event(4, cause: 3, "ResponseState<Int>", #"{"name":"#),
        WrittenRecording.end(3),
      ]
    )
    #expect(try asked.sequences("") == [1, 3, 4])
    #expect(
      asked.answers.index.contents.problems == [
        "line 10: this is no event", "line 11: this is no event", "line 12: this is not JSON",
      ]
    )
    _ = try asked.answers.figures("", all: true)
    #expect(try asked.sequences("\"\(title)\"") == [1])
  }

  @Test(arguments: [
    "", "no recording\n", "{\"recording\":2}\n", String(repeating: "x", count: 70_000),
  ])
  func `what is no recording is refused`(_ text: String) throws {
    let recording = try WrittenRecording()
    try Data(text.utf8).write(to: URL(filePath: recording.path))
    #expect(throws: RecordingProblem("this is no recording that this program can read", line: 1)) {
      _ = try RecordingIndex(path: recording.path)
    }
  }

  @Test func `a file that has become shorter traps nobody`() throws {
    let recording = try WrittenRecording(WrittenRecording.session)
    let answers = RecordingAnswers(try RecordingIndex(path: recording.path))
    try answers.index.waitUntilWhole()
    #expect(truncate(recording.path, 100) == 0)
    #expect(try JSON(parsing: try answers.event(3))["body"] == .null)
    _ = try answers.events("milk /x/ a=1", all: true, from: 0, limit: 10)
    _ = try answers.changes(of: 10)
    _ = try answers.state(after: 10, from: 0, limit: 10, text: "m")
  }
}
