import EventCommands

/// An incomplete command line, and the form of a word that replaces its last one.
struct ShellLine {
  /// The complete words after the name of the program.
  let words: [Word]
  /// The incomplete word; empty if there is none.
  let begun: String
  /// Returns the form of a word that replaces it.
  let write: (String) -> String

  /// Reads the arguments of a shell's script.
  ///
  /// - Parameters:
  ///   - shell: The shell.
  ///   - question: For bash the line and the characters that break words, for other shells the
  ///     words.
  init(_ shell: Shell, _ question: [String]) {
    switch shell {
    case .bash:
      let line = BashLine(question.first ?? "", breaks: question.dropFirst().first ?? "")
      words = Self.words(line.words.dropFirst())
      begun = line.begun
      write = line.written
    case .zsh, .fish:
      words = Self.words(question.dropLast())
      begun = question.last ?? ""
      write = { $0 }
    }
  }

  /// Returns words as a process gets them: a quoted word can be an option as well.
  private static func words(_ texts: some Collection<String>) -> [Word] {
    texts.enumerated().map { Word(text: $1, offset: $0, isBare: true) }
  }
}
