public import EventCommands
import EventMVVM
import JSONText

/// Single commands and scripts: the frontend of a process whose words are a command or `run`, or
/// whose standard input contains commands.
public struct BatchLauncher: ProgramFrontend {
  /// Its name among the frontends.
  public let name = "batch"

  /// Creates it.
  public init() {}

  /// Its verbs of the process.
  public var verbs: [ProcessVerb] {
    [
      ProcessVerb(RunArguments.spec, RunArguments(), isSession: true) { arguments, host in
        try Self.run(.scripts(arguments.sources, arguments.mode), host)
      }
    ]
  }

  /// Answers each line, for a person at a terminal that supports no editing.
  public func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run? {
    { try Self.run(.scripts([.standardInput], isAtTerminal ? .keepGoing : .allOrNothing), $0) }
  }

  /// Runs a single command.
  public func run(_ command: any Command) -> ProcessVerb.Run? {
    { try Self.run(.command(command), $0) }
  }

  private static func run(
    _ job: BatchFrontend.Job,
    _ host: any ProcessHost
  ) throws -> ExitStatus {
    if case .command(let command) = job, command.follows {
      return try host.run(.service) { FollowingFrontend($0.catalogue, host.console, command) }
    }
    return try host.run(.job(job.effect)) { BatchFrontend($0.catalogue, host.console, job) }
  }
}

extension BatchFrontend.Job {
  /// Its effect on the store.
  fileprivate var effect: ProcessSession.Effect {
    switch self {
    case .command(let command): type(of: command).writes ? .writes : .reads
    case .scripts(_, let mode): mode == .check ? .none : .writes
    }
  }
}

/// The words after `run`.
package struct RunArguments: Sendable {
  /// The scripts; `-` is standard input.
  var files: [String] = []
  /// Whether they are only read.
  var check = false
  /// Whether they are rolled back at the end.
  var dryRun = false
  /// Whether each line is committed on its own.
  var keepGoing = false

  /// Its name, options and help.
  package static let spec = CommandSpec<Self>(
    "run",
    "Runs scripts as one: all of it takes effect, or nothing does."
  )
  .word(\.files, "A file, or - for standard input", placeholder: "FILE")
  .option(\.check, "Only read, and report every error")
  .option(\.dryRun, "Show what would change, and roll it back")
  .option(\.keepGoing, "Each line for itself; the exit status is 3 if some failed")
  .exclusive(\.check, \.dryRun, \.keepGoing)

  /// Creates arguments without files.
  package init() {}

  /// The sources; standard input where no file is given.
  var sources: [ScriptSource] {
    files.isEmpty
      ? [.standardInput] : files.map { $0.isIdentical(to: "-") ? .standardInput : .file($0) }
  }

  /// How they are run.
  var mode: ScriptMode {
    check ? .check : dryRun ? .dryRun : keepGoing ? .keepGoing : .allOrNothing
  }
}
