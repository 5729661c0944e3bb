package import EventCommands

/// The words after `serve`.
package struct ServeArguments: Sendable {
  /// Whether standard input and output are spoken over; there is nothing else yet.
  package var stdio = false
  /// The client's process.
  package var clientProcessId: Int?

  /// How they are written.
  package static let spec = CommandSpec<Self>("serve", "JSON-RPC 2.0 for editors and programs.")
    .option(\.stdio, "Over standard input and output", flag: "--stdio")
    .option(\.clientProcessId, "Ends with this process", flag: "--clientProcessId")

  /// Nothing is said yet.
  package init() {}

  /// Whether nothing is said.
  package var isEmpty: Bool { !stdio && clientProcessId == nil }

  /// Takes an option of these, if that is one.
  ///
  /// - Returns: Whether it was.
  package mutating func readOption(
    _ words: [Word],
    _ index: inout Int
  ) throws(CommandError) -> Bool {
    try Self.spec.readOption(words, at: &index, into: &self)
  }

  /// These, with what stood before the verb.
  package func merged(with earlier: ServeArguments?) -> ServeArguments {
    var merged = self
    merged.stdio = stdio || earlier?.stdio == true
    merged.clientProcessId = clientProcessId ?? earlier?.clientProcessId
    return merged
  }

  /// Checks that something can be served.
  ///
  /// - Throws: A usage error if nobody has said over what to speak.
  package func check() throws(CommandError) {
    guard !stdio else { return }
    let problem = "'serve' needs --stdio: it speaks over standard input and output"
    throw CommandError(problem, offset: 0)
  }
}
