import EventMVVMTesting
import Foundation
import JSONText
import Testing

@testable import RecordingIndex

/// A recording in a temporary folder, which tests write line by line.
final class WrittenRecording {
  let path: String
  private let folder: URL
  private let file: FileHandle

  /// Writes a recording with these lines after the first one.
  init(_ lines: [String] = []) throws {
    // A folder that no other test uses: no stream reads its name.
    folder = FileManager.default.temporaryDirectory.appending(
      path: "recording-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "session.jsonl").path
    try Data().write(to: URL(filePath: path))
    file = try FileHandle(forWritingTo: URL(filePath: path))
    try append(Self.header)
    for line in lines { try append(line) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func append(_ line: String) throws { try file.write(contentsOf: Data((line + "\n").utf8)) }

  static let header =
    #"{"recording":1,"program":"notes 1","session":"7","start":1000,"interactive":false,"#
    + #""locale":"C","zone":{"name":"UTC","changes":[]},"plugins":["undo"],"check":"00000000"}"#
  /// The types and the origin that the lines of tests use.
  static let facts = [
    #"{"event":"RequestAdd","version":1,"shape":{},"layer":"viewModel","kind":"request","reply":"ResponseAdd","check":"00000000"}"#,
    #"{"event":"ResponseAdd","version":1,"shape":{},"layer":"viewModel","kind":"response","check":"00000000"}"#,
    #"{"event":"RequestWriteRecords<Note>","version":1,"shape":{},"layer":"model","kind":"request","reply":"ResponseWriteRecords<Note>","check":"00000000"}"#,
    #"{"event":"ResponseWriteRecords<Note>","version":1,"shape":{},"layer":"model","kind":"response","check":"00000000"}"#,
    #"{"event":"ResponseState<Int>","version":2,"shape":{},"layer":"viewModel","kind":"fact","check":"00000000"}"#,
    #"{"origin":1,"name":"batch","check":"00000000"}"#,
    #"{"origin":2,"name":"repl","check":"00000000"}"#,
  ]

  /// The line of an event.
  static func event(
    _ sequence: Int,
    cause: Int? = nil,
    root: Int = 1,
    origin: Int = 1,
    time: Int = 1000,
    _ type: String,
    input: Bool = false,
    housekeeping: Bool = false,
    source: String? = nil,
    _ body: String? = nil
  ) -> String {
    #"{"seq":\#(sequence)"# + (cause.map { #","cause":\#($0)"# } ?? "")
      + #","root":\#(root),"origin":\#(origin),"time":\#(time),"type":"\#(type)""#
      + (input ? #","input":true"# : "") + (housekeeping ? #","housekeeping":true"# : "")
      + (source.map { #","source":"\#($0)""# } ?? "")
      + (body.map { #","body":"# + $0 } ?? "") + #","check":"00000000"}"#
  }

  /// The line that ends a recording.
  static func end(_ events: Int) -> String {
    #"{"complete":true,"events":\#(events),"check":"00000000"}"#
  }

  /// The body of a write.
  static func written(_ number: Int, _ before: String?, _ after: String?, revision: Int) -> String {
    func value(_ title: String?, _ name: String) -> String {
      title.map { #""\#(name)":{"title":"\#($0)"},"# } ?? ""
    }
    return #"{"success":[{"number":\#(number),"#
      + value(before, "before") + value(after, "after") + #""revision":\#(revision)}]}"#
  }

  /// A session in which a note is added, edited, and edited in a unit that is rolled back.
  static var session: [String] {
    facts + [
      event(1, root: 1, time: 1000, "RequestAdd", input: true, #"{"title":"Milk"}"#),
      event(2, cause: 1, root: 1, time: 1001, "RequestWriteRecords<Note>", #"{"writes":[]}"#),
      event(
        3,
        cause: 2,
        root: 1,
        time: 1004,
        "ResponseWriteRecords<Note>",
        written(1, nil, "Milk", revision: 1)
      ),
      event(4, cause: 3, root: 1, time: 1010, "ResponseAdd", #"{"success":{"id":1}}"#),
      event(
        5,
        cause: 3,
        root: 1,
        time: 1010,
        "ResponseState<Int>",
        #"{"name":"note/count","value":1}"#
      ),
      event(
        6,
        root: 2,
        origin: 2,
        time: 2000,
        "RequestAdd",
        input: true,
        #"{"title":"Größe \"x\" /y/"}"#
      ),
      event(
        7,
        cause: 6,
        root: 2,
        origin: 2,
        time: 2000,
        "ResponseAdd",
        #"{"failure":{"kind":"usage"}}"#
      ),
      #"{"event":"RequestUnit","version":1,"shape":{},"layer":"viewModel","kind":"request","check":"00000000"}"#,
      event(8, root: 3, time: 3000, "RequestUnit", input: true, #"{}"#),
      event(9, cause: 8, root: 3, time: 3000, "RequestWriteRecords<Note>", #"{"writes":[]}"#),
      event(
        10,
        cause: 9,
        root: 3,
        time: 3001,
        "ResponseWriteRecords<Note>",
        written(1, "Milk", "Oat", revision: 2)
      ),
      #"{"ends":3,"kept":false,"check":"00000000"}"#,
      event(11, root: 4, origin: 2, time: 3002, "RequestAdd", housekeeping: true, #"{"title":""}"#),
      end(11),
    ]
  }
}

extension RecordingIndex {
  /// Waits until the recording is read to its end.
  func waitUntilWhole() throws { try waitUntil("the recording is read") { contents.isWhole } }
}

/// The answers about a recording that is read to its end.
struct Asked {
  let answers: RecordingAnswers
  private let recording: WrittenRecording

  init(_ lines: [String] = WrittenRecording.session) throws {
    recording = try WrittenRecording(lines)
    answers = RecordingAnswers(try RecordingIndex(path: recording.path))
    try answers.index.waitUntilWhole()
  }

  /// Returns the numbers of the events that fit a filter.
  func sequences(_ filter: String, all: Bool = false) throws -> [Int] {
    var json = try JSON(parsing: try answers.events(filter, all: all, from: 0, limit: 500))
    while json["done"] == false {
      json = try JSON(parsing: try answers.events(filter, all: all, from: 0, limit: 500))
    }
    return json.rows.compactMap { $0["seq"]?.int }
  }
}

extension JSON {
  /// The elements of the member `rows`.
  var rows: [JSON] { self["rows"]?.elements ?? [] }
  /// The elements of an array.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  /// A whole number.
  var int: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
  /// A text.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
