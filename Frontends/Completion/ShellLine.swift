import EventCommands

/// A command line as far as it is typed, and how a word is written where its last one stands.
struct ShellLine {
  /// The complete words after the name of the program.
  let words: [Word]
  /// The word that has been begun; empty if none is.
  let begun: String
  /// How a word is written in its place.
  let write: (String) -> String

  /// Reads what a shell's script asks with.
  ///
  /// - Parameters:
  ///   - shell: The shell.
  ///   - question: Of bash the line and the characters that break words there, of others the words.
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

  /// Words as a process gets them: what was quoted is an option, too.
  private static func words(_ texts: some Collection<String>) -> [Word] {
    texts.enumerated().map { Word(text: $1, offset: $0, isBare: true) }
  }
}
