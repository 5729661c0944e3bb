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
      /// What the prompt of a conversation says from then on; nil if it stays.
      let prompt: String?
      /// What is said in a conversation beside the result; nil if nothing is.
      let toast: String?

      init(
        _ words: String,
        _ method: String,
        _ params: String,
        _ result: String,
        prompt: String? = nil,
        toast: String? = nil
      ) {
        self.words = words
        self.method = method
        self.params = params
        self.result = result
        self.prompt = prompt
        self.toast = toast
      }
    }

    let program: String
    let lines: [Line]
    /// What stands before each command: which plugins are on, say.
    var words: [String] = []
    /// Puts there what the conversation needs; each face has a place of its own.
    var prepare: (Workplace) throws -> [String: String] = { _ in [:] }

    init(program: String, lines: [Line]) {
      self.program = program
      self.lines = lines
    }

    private var command: String { ([program] + words).joined(separator: " ") }

    var results: [String] { lines.map(\.result) }
    /// What a conversation shows.
    var shown: [String] {
      lines.flatMap { line in
        [line.toast.map { #"{"toast":{"text":"\#($0)"}}"# }, line.result].compactMap(\.self)
      }
    }

    /// Each line is a process of its own.
    func oneShots() throws -> [String] {
      let place = try Workplace(for: program)
      let variables = try prepare(place)
      return try lines.flatMap { line in
        try place.start("\(command) --json \(line.words)", variables: variables).outcome().output
      }
    }

    /// All lines are one script.
    func script() throws -> [String] {
      let place = try Workplace(for: program)
      let variables = try prepare(place)
      return
        try place.start("\(command) --json", input: lines.map(\.words), variables: variables)
        .outcome().output
    }

    /// The lines are typed, one after the other.
    func conversation() throws -> [String] {
      let place = try Workplace(for: program)
      let terminal = try Terminal(columns: 500, rows: 60)
      let binary = try Workplace.binaries(with: program).appending(path: program).path
      let variables = try prepare(place)
      try terminal.start(
        [binary, "--json"] + words,
        environment: place.environment.merging(variables) { $1 }
      )
      let sign = " ›"
      for index in 0...lines.count {
        let prompt = lines[..<index].compactMap(\.prompt).last ?? program
        try terminal.wait { screen in
          screen.lines.last == prompt + sign
            && screen.lines.count { $0.contains(sign) } == index + 1
        }
        if index < lines.count { terminal.type(lines[index].words + "\r") }
      }
      let shown = terminal.screen.lines.filter { !$0.contains(sign) }
      terminal.type(".quit\r")
      #expect(terminal.outcome() == 0)
      return shown
    }

    /// The lines are requests of a program, each behind the answer to the one before.
    func server() throws -> [String] {
      let place = try Workplace(for: program)
      let variables = try prepare(place)
      let input = try NamedPipe("input", in: place)
      let job = try place.start("exec \(command) serve --stdio <input", variables: variables)
      try input.write(#"{"jsonrpc":"2.0","id":"hello","method":"initialize"}"#)
      for (index, line) in lines.enumerated() {
        try input.write(
          #"{"jsonrpc":"2.0","id":\#(index),"method":"\#(line.method)","params":\#(line.params)}"#
        )
        try job.wait(untilPrinted: #""id":\#(index),"result":"#)
      }
      try input.write(#"{"jsonrpc":"2.0","id":"bye","method":"shutdown"}"#)
      try input.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      let outcome = try job.outcome()
      #expect(outcome.status == 0)
      return try outcome.output.map { try JSON(parsing: $0) }
        .compactMap { message in
          guard case .integer? = message["id"] else { return nil }
          return message["result"]?.description ?? message.description
        }
    }
  }
#endif
