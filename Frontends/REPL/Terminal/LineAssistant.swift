import EventCommands
package import EventValues

/// Functions that an editor calls about the text that is being typed.
///
/// They are called on the thread that reads, between two keys: one that takes longer than a few
/// milliseconds is noticeable. Only `complete` may take longer.
package struct LineAssistant {
  /// Returns the styles of parts of the text; in order, without overlaps.
  package var highlight: (_ text: String) -> [StyledSpan] = { _ in [] }
  /// Returns a possible continuation, one line; shown in grey while the cursor is at the end.
  package var hint: (_ text: String) -> String = { _ in "" }
  /// Returns the candidates at the cursor, for the text up to there.
  package var complete: (_ text: String) -> LineCompletion = { _ in LineCompletion() }
  /// Returns whether the text is a complete entry; if not, Enter begins another line of it.
  package var isComplete: (_ text: String) -> Bool = { _ in true }

  /// Returns what to do about an entry of several lines that is not complete; one line, shown where its
  /// next line is empty.
  package var advice: (_ text: String) -> String = { _ in "" }

  /// Creates an assistant without hints, for which every text is complete.
  package init() {}
}

/// The candidates at the cursor.
package struct LineCompletion: Sendable, Equatable {
  /// The bytes before the cursor that a candidate's word replaces.
  package var replaced: Int
  /// The candidates; their words are inserted unchanged, and so are quoted where necessary.
  package var candidates: [Candidate]
  /// Whether a blank follows the word of an only candidate.
  package var endsWord = true

  /// Creates a completion; without candidates by default.
  package init(replacing replaced: Int = 0, _ candidates: [Candidate] = []) {
    self.replaced = replaced
    self.candidates = candidates
  }
}
