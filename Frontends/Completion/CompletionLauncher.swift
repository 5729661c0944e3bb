public import EventCommands
import EventMVVM

/// The frontend for shells that complete a line: `completions`.
public struct CompletionLauncher: ProgramFrontend {
  /// Its name among the frontends.
  public let name = "completion"

  /// Creates it.
  public init() {}

  /// Its verbs of the process.
  public var verbs: [ProcessVerb] {
    [
      ProcessVerb(CompletionArguments.spec, CompletionArguments()) { arguments, host in
        guard !arguments.line.isEmpty else {
          let script = ShellScript(arguments.shell, program: host.program)
          return host.console.print(Array(script.text.utf8)) ? .success : .failed
        }
        // A failure means no candidates, and must not print over the line.
        let line = ShellLine(arguments.shell, arguments.line)
        return host.complete(after: line.words) {
          CompletionFrontend($0.catalogue, line, plugins: $0.availablePlugins)
        }
      }
    ]
  }
}
