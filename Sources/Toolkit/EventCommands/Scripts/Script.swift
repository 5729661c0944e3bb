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
