import EventCommands
import EventMVVM
import EventRPC
import EventValues
import JSONText

/// The most bytes of a line, whose words take many times its memory.
private enum LongestLine {
  /// A command, with notes of the greatest length in it.
  static let run = 2_097_152
  /// As much as a person types.
  static let completed = 65_536

  /// Throws if a line is longer.
  static func check(_ line: String, _ limit: Int) throws(CommandError) {
    guard line.utf8.count > limit else { return }
    throw CommandError(
      "/line: a line has at most \(limit) bytes, found \(line.utf8.count)",
      field: "line",
      path: "/line"
    )
  }
}

/// Runs a line of the command language of people and scripts.
struct RunLine: ServerMethod {
  /// The content of the answer.
  enum Shown: String, Choice {
    case value, text
  }

  var line = ""
  var `as` = Shown.value
  var width: Int?
  static let spec = CommandSpec<Self>(
    "line/run",
    "Runs a command in the words of a script's line: the answer has its `method`, and its `value` or `text`."
  )
  .option(\.line, "The command: `list --tag home milk`")
  .option(\.`as`, "`text` is what a person reads, instead of what `--json` prints")
  .option(\.width, "The columns that text has; unless given, lines may be of any length")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    if let width, width < 1 {
      throw CommandError("/width: expected 1 or more", field: "width", path: "/width")
    }
    try LongestLine.check(line, LongestLine.run)
    let command = try session.command(ofLine: line)
    session.run(command, call) { method in
      guard `as` == .text else { return .named(method) }
      var rendering = Rendering()
      rendering.width = width
      rendering.saysDates = true
      return .text(method, rendering)
    }
  }
}

/// Completes a line of the command language of people and scripts.
struct CompleteLine: ServerMethod {
  var line = ""
  static let spec = CommandSpec<Self>(
    "line/complete",
    """
    Completes the word at the end of a line: the line becomes what to `keep` and the `word` of a \
    candidate, which is quoted where it has to be. Where it `takesFile`, the client knows the files.
    """
  )
  .option(\.line, "The line, up to the cursor: `list --tag ho`")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    guard let responder = call.responder else { return }
    try LongestLine.check(line, LongestLine.completed)
    let typed = TypedLine(line)
    let completion = session.catalogue.completion(of: typed)
    let keep = String(
      decoding: line.utf8.dropLast(typed.begunWord?.range.count ?? 0),
      as: UTF8.self
    )
    session.ask(completion.live, call) { live in
      var json = JSONWriter()
      json.object { json in
        json.member("keep", keep)
        json.member("takesFile", completion.takesFile)
        json.key("candidates")
        json.array { json in
          for candidate in completion.written(with: live) {
            json.object { json in
              json.member("word", candidate.word)
              json.member("summary", candidate.summary)
            }
          }
        }
      }
      responder.succeed(json.bytes)
    }
  }
}

extension Session {
  /// Returns the one command of a line.
  fileprivate func command(ofLine line: String) throws(CommandError) -> any Command {
    let source = SourceText(name: "line", bytes: Array(line.utf8))
    let reader = ScriptReader(catalogue)
    var commands: [any Command] = []
    for command in ScriptCommands(of: source, reader) {
      switch command {
      case .success(let command): commands.append(command.command)
      case .failure(let problem):
        throw CommandError(problem.failure.message, field: "line", path: "/line")
      }
    }
    guard let command = commands.first, commands.count == 1 else {
      let problem = commands.isEmpty ? "a command is missing" : "one command at a time"
      throw CommandError("/line: \(problem)", field: "line", path: "/line")
    }
    return command
  }

  /// Requests candidates from the domain, after earlier writes; none where it has none.
  fileprivate func ask(
    _ request: (any CandidateRequest)?,
    _ call: IncomingCall,
    then: @escaping @Sendable ([Candidate]) -> Void
  ) {
    guard let request else { return then([]) }
    let running = RunningCall(call)
    calls.begin(running)
    sequence.add(writes: false) { [self] turn in
      calls.take(turn, of: running)
      send(request) { [self] candidates in
        then(candidates)
        close(running)
      }
    }
  }

  private func send<R: CandidateRequest>(
    _ request: R,
    then: @escaping @Sendable ([Candidate]) -> Void
  ) {
    port.request(request, isHousekeeping: true) { result, _ in
      then((try? result.get().result.get()) ?? [])
    }
  }
}
