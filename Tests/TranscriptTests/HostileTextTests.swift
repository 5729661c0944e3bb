import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// The built binary and texts that are meant to do harm: nothing of them reaches a terminal raw,
/// and with `--json` every line is JSON.
@Suite(.hangLimit) struct HostileTextTests {
  private static let hostile: [String] = characters.map { "x\($0)y" } + sequences

  /// Each character that is escaped, besides the newline.
  private static let characters: [Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0x01...0x09, 0x0B...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E,
      0x2066...0x2069,
    ]
    return ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
  }()

  private static let sequences = [
    "\u{1B}[31mred", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;cm0gLXJm\u{1B}\\",
    "\u{1B}]8;;http://a\u{1B}\\link", "\u{9B}31m", "\u{1B}P$q\"p\u{1B}\\", "\u{1B}c", "a\rb",
    "\"\\",
    "\\u001b", "e" + String(repeating: "\u{301}\u{323}", count: 500), "\u{FEFF}", "\u{10FFFF}",
    "👨‍👩‍👧 🇩🇪🇫 قهوة שלום",
  ]

  /// A text as a word of a script.
  private func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }

  @Test func `what is stored is shown without effect, and reads back from JSON`() throws {
    let shell = try Workplace()
    // A title is one line; the notes take everything.
    let script = Self.hostile.map { text in
      "add Todo --subtitle \(quoted(text)) --project p --tag t"
    }
    let added = try shell.start("todostream", input: script).outcome()
    #expect(added.status == 0)
    #expect(added.output.count == script.count)
    let show = (1...script.count).map { "show \($0)" }
    try check(shell.start("todostream", input: show).outcome(), lines: 3 * script.count)
    let list = try shell.start("todostream --json list").outcome()
    try check(list, lines: 1)
    let data = Data(list.output[0].utf8)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
    let todos = try JSONDecoder().decode([Notes].self, from: data)
    for (todo, text) in zip(todos.reversed(), Self.hostile) {
      #expect(todo.subtitle.utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
    }
  }

  @Test func `a title, a tag and a project are shown without effect`() throws {
    let shell = try Workplace()
    let lines = Self.hostile.filter { !$0.contains(where: \.isNewline) }
    let script = lines.map { text in
      // What shows nothing is refused in a name.
      let scalars = text.unicodeScalars.prefix(20).filter { $0 != "\u{FEFF}" }
      let label = String(String.UnicodeScalarView(scalars))
      return
        "add \(quoted("t" + text)) --tag \(quoted("t" + label)) --project \(quoted("p" + label))"
    }
    try check(shell.start("todostream", input: script).outcome(), lines: lines.count)
    try check(shell.start("todostream list").outcome(), lines: lines.count)
    try check(shell.start("todostream --json list").outcome(), lines: 1)
    try check(shell.start("todostream done $(seq 1 \(lines.count))").outcome(), lines: lines.count)
  }

  @Test func `an error quotes without effect, and is JSON where that is asked for`() throws {
    let shell = try Workplace()
    let script = Self.hostile.map { "\(quoted($0)) \(quoted($0))" }
    let text = try shell.start("todostream run --check -", input: script).outcome()
    #expect(text.status == 2)
    #expect(text.output == [])
    #expect(text.errors.count == 3 * script.count)
    #expect(text.errors.flatMap(Self.hazards) == [])
    let json = try shell.start("todostream --json run --check -", input: script).outcome()
    #expect(json.errors.count == script.count)
    #expect(json.errors.flatMap(Self.hazards) == [])
    for (index, line) in json.errors.enumerated() {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let error = try #require(object?["error"] as? [String: Any])
      #expect(error["kind"] as? String == "usage")
      #expect(error["line"] as? Int == index + 1)
      #expect((error["message"] as? String)?.hasPrefix("no command '") == true)
    }
  }

  private struct Notes: Decodable {
    let subtitle: String
  }

  /// That a command went well, printed so many lines at least, and nothing with an effect.
  private func check(_ outcome: Job.Outcome, lines: Int) throws {
    #expect(outcome.status == 0)
    #expect(outcome.errors == [])
    #expect(outcome.output.count >= lines)
    #expect(outcome.output.flatMap(Self.hazards) == [])
  }

  private static func hazards(in text: String) -> [UInt32] {
    text.unicodeScalars.map(\.value)
      .filter { value in
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
      }
  }
}
