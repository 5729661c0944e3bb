import EventCommands

/// A shell that completes words.
enum Shell: String, CommandChoice {
  case bash, zsh, fish
}

/// The words after `completions`.
struct CompletionArguments: Sendable {
  /// The shell, once it has been read.
  var shell = Shell.bash
  /// What the shell's script asks about; nothing where the script itself is asked for.
  var line: [String] = []

  /// How they are written.
  static let spec = CommandSpec<Self>(
    "completions",
    "Prints a script by which a shell completes words."
  )
  .word(\.shell, "The shell: bash, zsh or fish", placeholder: "SHELL")
  .word(\.line, "What the script asks about, after --", placeholder: "WORD")

  /// Nothing read yet.
  init() {}
}
