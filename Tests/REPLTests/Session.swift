#if os(Linux)
  import Foundation
  import ProcessTesting
  import Testing

  /// The program on a terminal, past its first prompt.
  struct Session {
    let place: Workplace
    let terminal: Terminal

    init(
      columns: Int = 80,
      rows: Int = 24,
      place: Workplace? = nil,
      words: [String] = [],
      variables: [String: String] = [:],
      prompt: String = "todostream ›"
    ) throws {
      self.place = try place ?? Workplace()
      terminal = try Terminal(columns: columns, rows: rows)
      let program = try Workplace.binaries(with: "todostream").appending(path: "todostream").path
      var environment = self.place.environment
      environment["PAGER"] = "sed 's/^/page: /'"
      environment["NO_COLOR"] = "1"
      try terminal.start([program] + words, environment: environment.merging(variables) { $1 })
      try terminal.wait { $0.prompt == prompt }
    }

    /// Types a line, and waits for a line of the screen.
    func enter(_ line: String, until expected: String) throws {
      terminal.type(line + Key.enter)
      try terminal.wait { screen in
        screen.lines.contains { $0 == expected }
          && screen.lines.last?.hasPrefix("todostream ›") == true
      }
    }

    /// Types a line, and waits for a prompt.
    func enter(_ line: String, prompt: String) throws {
      terminal.type(line + Key.enter)
      try terminal.wait { screen in
        screen.prompt == prompt && screen.lines.dropLast().contains { $0.hasSuffix("› " + line) }
      }
    }

    /// Leaves it by ^D.
    func end(_ location: SourceLocation = #_sourceLocation) {
      terminal.type("\u{4}")
      #expect(terminal.outcome() == 0, sourceLocation: location)
      #expect(terminal.isCooked, sourceLocation: location)
    }
  }

  extension Screen {
    /// What the line of the prompt says before the entry, if nothing was entered yet.
    var prompt: String? {
      guard let line = lines.last, let end = line.range(of: "›") else { return nil }
      return String(line[..<end.upperBound])
    }
  }
#endif
