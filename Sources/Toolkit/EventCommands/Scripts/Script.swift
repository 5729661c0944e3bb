package import EventMVVM

/// A script that has been read: the positions of its commands, in order.
///
/// A command is read again when it is about to run, which costs less than storing the requests of
/// all the lines of a long script.
package struct Script: Sendable {
  /// The position of a command.
  package struct Line: Sendable {
    /// The index of its source.
    package let source: Int
    /// The byte offset of its first word.
    package let offset: Int
  }

  /// The sources, in order.
  package let sources: [SourceText]
  /// The commands, in order.
  package let lines: [Line]
}

/// A failure and its position in a source.
package struct Problem: Error {
  /// What is wrong.
  package let failure: Failure
  /// The position, with what is needed to show it.
  package let diagnostic: Diagnostic

  /// Creates a problem.
  package init(failure: Failure, diagnostic: Diagnostic) {
    self.failure = failure
    self.diagnostic = diagnostic
  }
}

/// The question of a command of a script, which is asked before the script runs.
package struct ScriptQuestion {
  /// The question.
  package let text: String
  /// The problem where nobody can be asked.
  package let refusal: Problem
}

/// The questions of a script, asked as one.
package struct ScriptQuestions {
  private var first: ScriptQuestion?
  private var count = 0

  /// No questions.
  package init() {}

  /// Adds a question.
  package mutating func add(_ question: ScriptQuestion) {
    first = first ?? question
    count += 1
  }

  /// The question to a person, with the line of the first one; nil if there is none.
  package var text: String? {
    guard let first else { return nil }
    let place = first.refusal.diagnostic
    let line = "\(place.sourceName):\(place.position.line): \(first.text)"
    return count == 1
      ? line : "\(line) And \(count - 1) more such question\(count == 2 ? "" : "s")."
  }
}
