extension Page.Style {
  // What a text means to its reader: view models say this, and here is how it looks (S8).

  /// What may be passed over, such as a number or what is over.
  public static let secondary = Self.dim
  /// What stands out, such as a name or a sum.
  public static let prominent = Self.bold
  /// What was done or added.
  public static let positive = Self.green
  /// What presses, failed or was removed.
  public static let urgent = Self.red
  /// What is worth a look, such as a date or a change.
  public static let notable = Self.yellow
  /// What others are found by, such as a tag.
  public static let label = Self.cyan
}
