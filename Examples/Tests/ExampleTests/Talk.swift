#if os(Linux)
  import Foundation
  import ProcessTesting
  import Testing

  /// A conversation with an example at a terminal.
  struct Talk {
    let terminal: Terminal
    private let program: String

    init(
      _ program: String,
      _ place: Workplace,
      _ variables: [String: String] = [:],
      words: [String] = []
    ) throws {
      self.program = program
      terminal = try Terminal(columns: 120, rows: 60)
      let binary = try Workplace.binaries(with: program).appending(path: program).path
      var environment = place.environment.merging(variables) { $1 }
      environment["NO_COLOR"] = "1"
      try terminal.start([binary] + words, environment: environment)
      try terminal.wait { $0.lines.last == "\(program) ›" }
    }

    /// Types a line, and waits for the prompt behind what comes of it.
    ///
    /// - Returns: What was printed.
    func say(_ line: String, then prompt: String? = nil) throws -> [String] {
      let before = terminal.screen.lines.count
      terminal.type(line + "\r")
      let prompt = "\(prompt ?? program) ›"
      try terminal.wait { $0.lines.count > before && $0.lines.last == prompt }
      return Array(terminal.screen.lines.dropFirst(before).dropLast())
    }

    /// Types a line, and waits for what then stands in the last line, without its last blanks.
    func say(_ line: String, until last: String) throws {
      terminal.type(line + "\r")
      try terminal.wait("the last line is '\(last)'") { $0.lines.last == last }
    }

    /// Leaves it, wherever it is.
    func end() {
      terminal.type(".quit\r")
      let status = terminal.outcome()
      #expect(status == 0, "at the end it showed \(terminal.screen.lines.suffix(5))")
    }
  }
#endif
