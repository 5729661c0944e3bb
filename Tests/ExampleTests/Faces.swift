#if os(Linux)
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// A conversation that an example can have on each of its faces.
  struct Faces {
    /// Something that is said, and what comes of it as JSON.
    struct Line {
      /// The words.
      let words: String
      /// The method and the parameters that say the same.
      let method: String
      let params: String
      /// The result.
      let result: String

      init(_ words: String, _ method: String, _ params: String, _ result: String) {
        self.words = words
        self.method = method
        self.params = params
        self.result = result
      }
    }

    let program: String
    let lines: [Line]

    var results: [String] { lines.map(\.result) }

    /// Each line is a process of its own.
    func oneShots() throws -> [String] {
      let place = try Workplace(for: program)
      return try lines.flatMap { line in
        try place.start("\(program) --json \(line.words)").outcome().output
      }
    }

    /// All lines are one script.
    func script() throws -> [String] {
      let place = try Workplace(for: program)
      return try place.start("\(program) --json", input: lines.map(\.words)).outcome().output
    }

    /// The lines are typed, one after the other.
    func conversation() throws -> [String] {
      let place = try Workplace(for: program)
      let terminal = try Terminal(columns: 500, rows: 60)
      let binary = try Workplace.binaries(with: program).appending(path: program).path
      try terminal.start([binary, "--json"], environment: place.environment)
      let prompt = "\(program) ›"
      for index in 0...lines.count {
        try terminal.wait { screen in
          screen.lines.last == prompt
            && screen.lines.count { $0.hasPrefix(prompt) } == index + 1
        }
        if index < lines.count { terminal.type(lines[index].words + "\r") }
      }
      let shown = terminal.screen.lines.filter { !$0.hasPrefix(prompt) }
      terminal.type("\u{4}")
      #expect(terminal.outcome() == 0)
      return shown
    }

    /// The lines are requests of a program.
    func server() throws -> [String] {
      let place = try Workplace(for: program)
      let calls = lines.enumerated()
        .map { index, line in
          #"{"jsonrpc":"2.0","id":\#(index),"method":"\#(line.method)","params":\#(line.params)}"#
        }
      let outcome =
        try place.start(
          "\(program) serve --stdio",
          input: [#"{"jsonrpc":"2.0","id":"hello","method":"initialize"}"#] + calls + [
            #"{"jsonrpc":"2.0","id":"bye","method":"shutdown"}"#,
            #"{"jsonrpc":"2.0","method":"exit"}"#,
          ]
        )
        .outcome()
      #expect(outcome.status == 0)
      return try outcome.output.map { try JSON(parsing: $0) }
        .compactMap { message in
          guard case .integer? = message["id"] else { return nil }
          return message["result"]?.description ?? message.description
        }
    }
  }
#endif
