import EventCommands
import EventMVVM

extension Invocation {
  /// The task that the words of a process name.
  struct Launch {
    /// The word or option that names it, if it is not a session.
    var noSession: String?
    /// Runs the task to its end.
    let run: ProcessVerb.Run

    /// Prints the version of a program.
    static func version(of program: Program) -> Launch {
      Launch(noSession: "--version") { host in
        let text =
          host.isJSON
          ? #"{"version":"\#(program.version)"}"# : "\(program.name) \(program.version)"
        return host.console.print(Array((text + "\n").utf8)) ? .success : .failed
      }
    }
  }
}

extension Application {
  /// Returns the task of a process without a command or verb.
  func launch(atTerminal isAtTerminal: Bool) throws(CommandError) -> Invocation.Launch {
    for frontend in frontends {
      if let run = frontend.run(atTerminal: isAtTerminal) { return Invocation.Launch(run: run) }
    }
    throw CommandError("a command is missing; '\(program.name) help' lists them")
  }

  /// Returns the task of running one command.
  func launch(_ command: any Command) throws(CommandError) -> Invocation.Launch {
    for frontend in frontends {
      if let run = frontend.run(command) { return Invocation.Launch(run: run) }
    }
    throw CommandError("'\(type(of: command).verb)' can't be run by itself")
  }
}
