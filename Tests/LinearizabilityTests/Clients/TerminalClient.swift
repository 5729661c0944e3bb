#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting

  /// A person at a terminal, who adds todos and gives some another title.
  struct TerminalClient {
    private let place: Workplace
    private var draw: Draw

    init(_ draw: Draw, store: String) throws {
      self.draw = draw
      place = try Workplace(store: store)
    }

    /// So many lines; the program is killed after the last.
    mutating func lines(_ count: Int) throws -> [Operation] {
      let terminal = try Terminal(columns: 200, rows: 50)
      let program = try Workplace.binaries().appending(path: "todostream").path
      try terminal.start(
        [program],
        environment: place.environment.merging(["NO_COLOR": "1"]) { $1 }
      )
      try terminal.wait("the prompt is there") { $0.lines.last?.hasPrefix("todostream ›") == true }
      return try (1...count).map { try line($0 == count, on: terminal) }
    }

    private mutating func line(_ isLast: Bool, on terminal: Terminal) throws -> Operation {
      let request = draw.chance.once(in: 2) ? .add(title: draw.mark()) : draw.edit(of: [.title])
      let errors = terminal.screen.errors.count
      let begin = now()
      terminal.type(request.words.joined(separator: " ") + "\r")
      if isLast {
        // The moment is what is tested: any one, between two instructions.
        usleep(UInt32(draw.chance.pick(0...6000)))
        terminal.send(SIGKILL)
        _ = terminal.outcome()
      } else {
        try terminal.wait("'\(request)' is answered") {
          $0.confirmation(of: request) || $0.errors.count > errors
        }
      }
      var answer = Operation.Answer.unknown
      if terminal.screen.confirmation(of: request) {
        answer = .acknowledged
      } else if let error = terminal.screen.errors.dropFirst(errors).first {
        answer = .refused(Refusal(error, of: request))
      }
      return Operation(
        client: draw.client,
        request: request,
        begin: begin,
        end: answer == .unknown ? .max : now(),
        answer: answer
      )
    }
  }

  extension Screen {
    /// Whether it says that a request is done: its title is unique.
    fileprivate func confirmation(of request: Request) -> Bool {
      allLines.contains { line in
        (line.hasPrefix("Added #") || line.hasPrefix("Changed #"))
          && line.hasSuffix(" " + (request.mark ?? ""))
      }
    }

    fileprivate var errors: [String] { allLines.filter { $0.contains("error: ") } }
  }

  extension Refusal {
    /// Reads an error of the conversation.
    fileprivate init(_ line: String, of request: Request) {
      if case .edit(let number, _, _, _) = request,
        line.contains("There is no todo #\(number).") || line.contains("#\(number) is deleted;")
      {
        self = .notFound(number)
      } else if line.contains("is locked by another process") {
        self = .locked
      } else {
        self = .other(line)
      }
    }
  }
#endif
