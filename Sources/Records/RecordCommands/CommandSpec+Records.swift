public import EventCommands
public import EventRecords
public import EventValues

// The records that a command is for: completion offers them, and a range leaves out the others.

extension CommandSpec {
  /// Lists the records that a command is about.
  ///
  /// Completion offers those that meet the condition, by their numbers, and by the words of their titles; the
  /// same condition for `Turn.edit` leaves the others out of a range.
  ///
  /// ```swift
  /// static let command = CommandSpec<Self>("start", "Begins the work on samples.")
  ///   .word(\.id, "Which", offering: Sample.waiting)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property; an array takes all the words that are left.
  ///   - summary: What it is, in a few words.
  ///   - condition: What the offered records meet.
  /// - Returns: The spec with the property listed.
  public consuming func word<P: CommandProperty, R: Record>(
    _ property: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, P> & Sendable,
    _ summary: String,
    offering condition: @autoclosure @escaping @Sendable () -> Condition<R>
  ) -> Self {
    word(property(), summary) { prefix in
      RequestOfferedRecords(R.kind, condition().stored, prefix: prefix)
    }
  }
}
