import Foundation
import JSONText
import Testing

@testable import RecordingIndex

/// The answers about events, their causes, and what they changed.
@Suite(.timeLimit(.minutes(5))) struct AnswerTests {
  private let asked: Asked
  private var answers: RecordingAnswers { asked.answers }

  init() throws { asked = try Asked() }

  @Test func `an event has its body, its path, its reply and its latency`() throws {
    let json = try JSON(parsing: try answers.event(1))
    #expect(json["body"] == ["title": "Milk"])
    #expect(json["consequences"] == 4)
    #expect(json["reply"] == 4)
    #expect(json["latency"] == 10)
    let reply = try JSON(parsing: try answers.event(4))
    #expect(reply["answers"] == 1)
    #expect(reply["path"]?.elements.map { $0["seq"]?.int } == [3, 2, 1])
    #expect(throws: RecordingAnswers.Refusal.self) { _ = try answers.event(12) }
  }

  @Test func `an event has the line of code that sent it, and is found by that`() throws {
    let source = "Notes/Notes.swift:12"
    let asked = try Asked(
      WrittenRecording.facts + [
        WrittenRecording.event(1, "RequestAdd", input: true, source: source, #"{"title":"Milk"}"#),
        WrittenRecording.event(2, cause: 1, "ResponseAdd", source: "Notes/Notes.swift:120"),
        WrittenRecording.event(3, root: 3, "RequestAdd", input: true, #"{"title":"Rye"}"#),
        WrittenRecording.end(3),
      ]
    )
    let json = try JSON(parsing: try asked.answers.event(1))
    #expect(json["source"]?.text == source)
    #expect(json["body"] == ["title": "Milk"])
    #expect(try JSON(parsing: try asked.answers.event(3))["source"] == .null)
    #expect(try asked.sequences(#"source="\#(source)""#) == [1])
    #expect(try asked.sequences("notes.swift") == [1, 2])
  }

  @Test func `a root is a tree`() throws {
    let json = try JSON(parsing: try answers.tree("1", from: 1, limit: 2))
    #expect(json["total"] == 5)
    #expect(json.rows.map { $0["seq"]?.int } == [2, 3])
    #expect(json.rows.map { $0["depth"]?.int } == [1, 2])
    #expect(throws: RecordingAnswers.Refusal.self) { _ = try answers.tree("99", from: 0, limit: 1) }
  }

  @Test func `an event has the changes that it led to`() throws {
    let json = try JSON(parsing: try answers.changes(of: 1))
    #expect(
      json["records"] == [
        [
          "kind": "Note", "number": 1, "revision": 1, "reverted": false, "seq": 3, "before": nil,
          "after": ["title": "Milk"],
        ]
      ]
    )
    #expect(json["states"] == [["name": "note/count", "seq": 5, "before": nil, "after": 1]])
  }

  @Test func `after an event all is as it was, also after a unit that was rolled back`() throws {
    func title(after sequence: UInt64) throws -> JSON? {
      let json = try JSON(parsing: try answers.state(after: sequence, from: 0, limit: 9, text: ""))
      return json["records"]?.rows.first?["value"]?["title"]
    }
    #expect(try title(after: 2) == nil)
    #expect(try title(after: 3) == "Milk")
    #expect(try title(after: 9) == "Milk")
    // The unit ends at the place of its last event.
    #expect(try title(after: 10) == "Milk")
    let found = try JSON(parsing: try answers.state(after: 11, from: 0, limit: 9, text: "MIL"))
    #expect(found["records"]?["total"] == 1)
    #expect(found["states"] == [["name": "note/count", "value": 1, "seq": 5]])
    let other = try JSON(parsing: try answers.state(after: 11, from: 0, limit: 9, text: "oat"))
    #expect(other["records"]?["total"] == 0)
  }

  @Test func `a field has every event that changed it`() throws {
    let json = try JSON(parsing: try answers.history(of: "Note", 1, field: "title", limit: 9))
    #expect(json.rows.map { $0["after"]?.text } == ["Milk", "Oat", "Milk"])
    let state = try JSON(parsing: try answers.history(of: "note/count", nil, field: "", limit: 9))
    #expect(state.rows.map { $0["after"] } == [1])
    #expect(throws: RecordingAnswers.Refusal.self) {
      _ = try answers.history(of: "Book", 1, field: "", limit: 9)
    }
  }

  @Test func `requests are timed until their reply`() throws {
    let json = try JSON(parsing: try answers.figures("", all: false))
    #expect(
      json["requests"]?.elements.first
        == [
          "type": "RequestAdd", "count": 2, "failed": 1, "p50": 0, "p90": 10, "p99": 10, "max": 10,
        ]
    )
    #expect(json["slowest"]?.elements.first == ["seq": 1, "type": "RequestAdd", "latency": 10])
    let rate = json["rate"]?.elements.compactMap { $0["count"]?.int } ?? []
    #expect(rate.reduce(0, +) == 10)
    #expect(rate.count <= 201)
  }

  @Test func `two roots are compared event by event`() throws {
    let json = try JSON(parsing: try answers.compare(root: "1", with: "2", of: nil))
    let sides = json.rows.map { [$0["a"]?["seq"]?.int, $0["b"]?["seq"]?.int] }
    #expect(sides == [[1, 6], [2, nil], [3, nil], [4, 7], [5, nil]])
    #expect(
      json.rows.first?["differences"]?.elements.first?.text?.hasPrefix("body.title: ") == true
    )
    let same = try JSON(parsing: try answers.compare(root: "1", with: "1", of: nil))
    #expect(same.rows.allSatisfy { $0["isSame"] == true })
  }

  @Test func `two recordings are compared, apart from identities and times`() throws {
    func lines(_ id: String, _ title: String) -> [String] {
      WrittenRecording.facts + [
        WrittenRecording.event(1, "RequestAdd", input: true, #"{"uuid":"\#(id)"}"#),
        WrittenRecording.event(2, cause: 1, "ResponseAdd", #"{"success":{"title":"\#(title)"}}"#),
        WrittenRecording.end(2),
      ]
    }
    let left = try Asked(lines("8f4dbea8-d21b-4cc0-a970-dd0e707ce383", "Milk"))
    let right = try Asked(lines("00aaa11d-2c74-4141-824d-d56fb98d665a", "Oat"))
    let json = try JSON(parsing: left.answers.compare(with: right.answers, from: 0, limit: 9))
    #expect(json["firstDifference"] == 1)
    #expect(json["a"]?["start"] == 1000)
    #expect(json.rows.map { $0["isSame"] } == [true, false])
    #expect(json.rows.last?["differences"] == [#"body.success.title: "Milk" | "Oat""#])
  }

  @Test func `roots become traces of spans`() throws {
    let json = try JSON(parsing: try answers.spans(ofRoots: ["1", "2"]))
    let resource = json["resourceSpans"]?.elements.first
    let spans = resource?["scopeSpans"]?.elements.first?["spans"]?.elements ?? []
    #expect(spans.count == 7)
    #expect(spans[0]["traceId"]?.text == "00000000000000070000000000000001")
    #expect(spans[0]["endTimeUnixNano"] == "1010000000")
    #expect(spans[1]["parentSpanId"] == spans[0]["spanId"])
    #expect(spans[6]["status"] == ["code": 2])
  }
}
