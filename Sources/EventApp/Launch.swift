import EventCommands
import EventMVVM

/// What the words of a process ask for.
struct Launch {
  /// What asks for it, if it is no session.
  var noSession: String?
  /// Does it, to its end.
  let run: ProcessVerb.Run

  /// The version of a program.
  static func version(of program: Program) -> Launch {
    Launch(noSession: "--version") { host in
      let text =
        host.isJSON
        ? #"{"version":"\#(program.version)"}"# : "\(program.name) \(program.version)"
      return host.console.print(Array((text + "\n").utf8)) ? .success : .failed
    }
  }
}

extension Application {
  /// What the words ask for where they name nothing.
  func launch(atTerminal isAtTerminal: Bool) throws(CommandError) -> Launch {
    for frontend in frontends {
      if let run = frontend.run(atTerminal: isAtTerminal) { return Launch(run: run) }
    }
    throw CommandError("a command is missing; '\(program.name) help' lists them")
  }

  /// What one command asks for.
  func launch(_ command: any Command) throws(CommandError) -> Launch {
    for frontend in frontends {
      if let run = frontend.run(command) { return Launch(run: run) }
    }
    throw CommandError("'\(type(of: command).verb)' can't be run by itself")
  }
}
