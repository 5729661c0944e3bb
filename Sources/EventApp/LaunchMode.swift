import Batch
import Completion
import EventCommands
import EventMVVM
import EventPatterns
import JSONRPC

/// What the words of the process ask for.
enum LaunchMode {
  case version
  /// A session of a person at a terminal.
  case repl(opening: RequestOpen?)
  /// What a shell needs to complete words.
  case completions(CompletionArguments)
  /// A session of an editor or a program.
  case serve(ServeArguments)
  /// What a plugin does by itself.
  case verb(ProcessVerb, run: ProcessVerb.Run)
  case job(BatchFrontend.Job)
}

extension LaunchMode {
  /// Whether it lasts as long as its user does.
  var isInteractive: Bool {
    switch self {
    case .repl, .serve: true
    case .version, .job, .completions, .verb: false
    }
  }

  /// Whether a program is served.
  var isServer: Bool { if case .serve = self { true } else { false } }

  /// What asks for it, if it is no session.
  var noSession: String? {
    switch self {
    case .version: "--version"
    case .completions: "completions"
    case .verb(let verb, _): verb.name
    case .repl, .serve, .job: nil
    }
  }

  /// Whether a person at a terminal enters commands, and reads what is announced.
  var isAtTerminal: Bool { if case .repl = self { true } else { false } }

  /// What it may do to what is stored.
  var effect: ProcessSession.Effect {
    switch self {
    case .repl, .serve: .writes
    case .version, .completions, .verb: .none
    case .job(.command(let command)): type(of: command).writes ? .writes : .reads
    case .job(.scripts(_, let mode)): mode == .check ? .none : .writes
    }
  }
}
