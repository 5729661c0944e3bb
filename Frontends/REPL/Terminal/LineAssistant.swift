package import EventCommands

/// What an editor asks about the text that is being typed.
///
/// All of it is called by the thread that reads, between two keys: what takes longer than a few
/// milliseconds is felt. Only `complete` may take its time.
package struct LineAssistant {
  /// How parts of the text look; in order, and none on another.
  package var highlight: (_ text: String) -> [StyledSpan] = { _ in [] }
  /// What could follow the text, one line; shown in grey while the cursor stands at the end.
  package var hint: (_ text: String) -> String = { _ in "" }
  /// What could stand where the cursor is, given the text up to there.
  package var complete: (_ text: String) -> LineCompletion = { _ in LineCompletion() }
  /// Whether the text is an entry; if not, Enter begins another line of it.
  package var isComplete: (_ text: String) -> Bool = { _ in true }

  /// Knows nothing, and takes every text for complete.
  package init() {}
}

/// What could stand where the cursor is.
package struct LineCompletion: Sendable, Equatable {
  /// The bytes before the cursor that a candidate's word replaces.
  package var replaced: Int
  /// The candidates; their words are inserted as they are, quoted if that is needed.
  package var candidates: [Candidate]
  /// Whether a blank follows the word of an only candidate.
  package var endsWord = true

  /// Nothing, unless said.
  package init(replacing replaced: Int = 0, _ candidates: [Candidate] = []) {
    self.replaced = replaced
    self.candidates = candidates
  }
}
