package import EventMVVM

/// A script that has been read: where each of its commands stands, in order.
///
/// A command is read again when its turn comes, which costs less than to keep what all the lines of
/// a long script mean.
package struct Script: Sendable {
  /// Where a command stands.
  package struct Line: Sendable {
    /// Which of the sources it stands in.
    package let source: Int
    /// Where its first word stands, in bytes.
    package let offset: Int

    /// Names a place.
    package init(source: Int, offset: Int) {
      self.source = source
      self.offset = offset
    }
  }

  /// The sources, in order.
  package let sources: [SourceText]
  /// The commands, in order.
  package let lines: [Line]
}

/// Something that is wrong, and where.
package struct Problem: Error {
  /// What is wrong.
  package let failure: Failure
  /// Where, with what it takes to show it.
  package let diagnostic: Diagnostic

  /// Names a problem.
  package init(failure: Failure, diagnostic: Diagnostic) {
    self.failure = failure
    self.diagnostic = diagnostic
  }
}
