package import EventCommands

/// Reads entries that a person types on a terminal, and keeps the screen right meanwhile.
///
/// Used by one thread, the main one; others use its ``screen``. There is one editor in a process, for
/// the signals and the terminal are the process's.
package final class LineEditor {
  /// What an editor is made with.
  package struct Options {
    /// The name by which `.editrc` knows the program.
    package var program: String
    /// Whether styles, hints and colours are shown.
    package var hasColor = true
    /// What has been entered before.
    package var history: LineHistory

    /// An editor with colour.
    package init(program: String, history: LineHistory = LineHistory()) {
      self.program = program
      self.history = history
    }
  }

  /// How reading an entry ended.
  package enum Entry: Equatable {
    /// A text was entered; it may have several lines, and ends with none.
    case text(String)
    /// The person dropped what was typed, by ^C.
    case interrupted
    /// There is no more: ^D on an empty line, or the terminal is gone.
    case end
  }

  /// How waiting for work ended.
  package enum Waiting: Equatable {
    /// The work is over.
    case over
    /// The person wants it to end, by ^C.
    case interrupted
  }

  /// What is asked about the text that is being typed.
  package var assistant = LineAssistant()
  /// What has been entered before.
  package var history: LineHistory
  /// What other threads may do with the screen.
  package let screen: LineScreen

  /// Takes the terminal at standard input and output.
  ///
  /// - Returns: nil if either is no terminal, or one that can't be written on with escape sequences;
  ///   nothing has been started then.
  package init?(_ options: Options) {
    nil
  }

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - prompt: What stands before its first line.
  ///   - continuation: What stands before its other lines.
  ///   - text: What stands there at first.
  ///   - isKept: Whether it goes into the history.
  /// - Returns: What was entered, or how else it ended.
  package func readEntry(
    prompt: StyledText,
    continuation: StyledText = "… ",
    text: String = "",
    isKept: Bool = true
  ) -> Entry {
    .end
  }

  /// Waits until a condition holds; what is announced is printed meanwhile.
  ///
  /// The condition is looked at whenever the screen is woken (``LineScreen/wake(_:)``). Echo is off, and
  /// what is typed meanwhile goes to the next entry.
  package func wait(until isOver: () -> Bool) -> Waiting {
    .over
  }

  /// Lends the terminal to another program or to other code; what is announced meanwhile comes after.
  package func lend<T>(_ body: () throws -> T) rethrows -> T {
    try body()
  }
}
