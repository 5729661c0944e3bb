import EventCommands
import EventValues

/// A shell that completes words.
enum Shell: String, Choice {
  case bash, zsh, fish
}

/// The words after `completions`.
struct CompletionArguments: Sendable {
  /// The shell, once it has been read.
  var shell = Shell.bash
  /// The line that the shell's script completes; empty where the script itself is requested.
  var line: [String] = []

  /// Its name, options and help.
  static let spec = CommandSpec<Self>(
    "completions",
    "Prints a script by which a shell completes words."
  )
  .word(\.shell, "The shell: bash, zsh or fish", placeholder: "SHELL")
  .word(\.line, "What the script asks about, after --", placeholder: "WORD")

  /// Creates arguments with default values.
  init() {}
}
