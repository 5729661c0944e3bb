#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The conversation of the manual's first article, on a terminal.
  @Suite(.hangLimit) struct FirstTenMinutesTests {
    private static let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Todo/todostream/todostream.docc/The-First-Ten-Minutes.md")
      .standardizedFileURL

    /// The lines of the blocks.
    private static func conversation() throws -> [String] {
      var lines: [String] = []
      var isShown = false
      for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
        if line.hasPrefix("```") { isShown.toggle() } else if isShown { lines.append(String(line)) }
      }
      return lines
    }

    @Test func `the first ten minutes go as the manual says`() throws {
      let expected = try Self.conversation()
      let entries = expected.compactMap { line in
        line.range(of: "› ").map { String(line[$0.upperBound...]) }
      }
      #expect(entries.count >= 13)
      let session = try Session(columns: 100, rows: 80)
      for (index, entry) in entries.enumerated() {
        session.terminal.type(entry + Key.enter)
        try session.terminal.wait { screen in
          screen.prompt != nil && screen.lines.count { $0.contains(" ›") } == index + 2
        }
      }
      let shown = session.terminal.screen.lines.dropLast()
      #expect(shown.count == expected.count)
      for (line, pattern) in zip(shown, expected) {
        #expect(Self.matches(line, pattern), "'\(line)' is to be '\(pattern)'")
      }
      session.end()
    }

    /// Whether a line is a pattern in which `…` stands for anything.
    private static func matches(_ line: String, _ pattern: String) -> Bool {
      let parts = pattern.components(separatedBy: "…")
      guard parts.count > 1 else { return line == pattern }
      guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
      var rest = line.dropFirst(parts[0].count)
      for part in parts.dropFirst().dropLast() {
        guard let found = rest.range(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
      return true
    }

    @Test func `who has typed here before is not told how to begin`() throws {
      let session = try Session()
      #expect(session.terminal.screen.lines.first?.hasPrefix("Try 'add ") == true)
      try session.enter("add One", until: "Added #1 One")
      session.end()
      let again = try Session(place: session.place)
      #expect(again.terminal.screen.lines.first?.hasPrefix("todostream ›") == true)
      again.end()
    }

    @Test func `a word of a title completes to its number, among what the command is for`() throws {
      let session = try Session()
      try session.enter("add Weekly report", until: "Added #1 Weekly report")
      try session.enter("add Weekly shopping", until: "Added #2 Weekly shopping")
      try session.enter("done 1", until: "Completed #1 Weekly report")
      session.terminal.type("done Week" + Key.control("I"))
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › done 2") == true }
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.contains("Completed #2 Weekly shopping") }
      session.end()
    }
  }
#endif
