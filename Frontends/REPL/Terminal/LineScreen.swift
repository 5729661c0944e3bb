/// What any thread may do with the screen of a ``LineEditor``.
///
/// Nothing here waits for the person, but what is printed may wait for the terminal.
package final class LineScreen: Sendable {
  /// Prints whole lines: above the prompt while an entry is being typed, else at once.
  ///
  /// In the order of the calls. The bytes go to the terminal as they are: what users typed in them has
  /// been escaped by the caller, as ``Page`` does.
  package func announce(_ bytes: [UInt8]) {}

  /// Changes the prompt of the entry that is being read.
  package func setPrompt(_ prompt: StyledText) {}

  /// Changes what stands at the right of the entry's first line, now and from now on.
  ///
  /// It is left out while there is no room.
  package func setRightPrompt(_ prompt: StyledText) {}

  /// Has the thread that reads or waits run a closure, soon.
  package func wake(_ body: @escaping @Sendable (LineEditor) -> Void = { _ in }) {}

  /// Ends the entry that is being read as the end of input would, and every later one.
  package func stop() {}
}
