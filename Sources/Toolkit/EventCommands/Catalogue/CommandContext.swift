package import EventValues

/// What holds for the commands of a prompt until it is changed: a filter of records of a kind, with a name.
///
/// A request that is sent within it has what it says, so that nothing else depends on it.
package struct CommandContext: Sendable, Equatable {
  /// The name.
  package let name: String
  /// The filter, in one text.
  package let filter: String
  /// The kind of the records.
  package let kind: String

  /// Creates a context.
  package init(_ name: String, _ filter: String, of kind: String) {
    (self.name, self.filter, self.kind) = (name, filter, kind)
  }
}

/// A command on which a context has an effect: a list finds less, and an addition has more.
package protocol ContextualCommand: Command {
  /// Returns the command within a context, as it is typed at a prompt.
  ///
  /// - Parameter context: The context, perhaps of another kind of records.
  /// - Returns: The command.
  /// - Throws: Why it can't be within it.
  func within(_ context: CommandContext) throws(ValueError) -> Self
}
