public import EventCommands
import EventMVVM
import EventPatterns
import Foundation

/// A conversation with a person at a terminal: the frontend of a process without words, and of
/// `open`.
public struct REPLLauncher: ProgramFrontend {
  /// Its name among the frontends.
  public let name = "repl"
  private let startupName: String
  private let runsStartup = Locked(true)

  /// Creates it.
  ///
  /// - Parameter startupName: The name of the script in the user's configuration folder that runs
  ///   before the first prompt.
  public init(startup startupName: String = "startup.txt") {
    self.startupName = startupName
  }

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(StartupOptions.spec, StartupOptions()) { [runsStartup] options in
      runsStartup.withLock { $0 = !options.noStartup }
    }
  }

  /// Its verbs of the process.
  public var verbs: [ProcessVerb] {
    [
      ProcessVerb(session: RequestOpen.self, "Starts a prompt with something open, as 'open' does.")
      { link, host in
        guard isatty(0) == 1, isatty(1) == 1 else {
          throw CommandError("'open' needs a terminal")
        }
        return try run(host, opening: link)
      }
    ]
  }

  /// Runs a conversation.
  public func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run? {
    guard isAtTerminal, LineEditor.canConverse else { return nil }
    return { try run($0) }
  }

  private func run(_ host: any ProcessHost, opening: RequestOpen? = nil) throws -> ExitStatus {
    try host.run(.conversation) { session in
      var options = REPLOptions(program: session.program)
      options.opening = opening
      options.rendering = host.console.rendering
      options.saysYes = session.saysYes
      options.historyPath = session.state("history")
      if runsStartup.withLock({ $0 }) { options.startupPath = session.configuration(startupName) }
      guard let frontend = REPLFrontend(session.catalogue, options) else {
        throw Failure(.unanswered, "The terminal can't be used.")
      }
      return frontend
    }
  }
}

/// The options of a process that runs a script before the first prompt.
struct StartupOptions: Sendable {
  /// Whether the startup script is skipped.
  var noStartup = false

  static let spec = CommandSpec<Self>("", "")
    .option(\.noStartup, "Does not run the startup file", flag: "--no-startup")
}
