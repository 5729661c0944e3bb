extension Page.Style {
  // Meanings of text, which view models use, and their styles (S8).

  /// Less important, such as a number or a past item.
  public static let secondary = Self.dim
  /// Important, such as a name or a sum.
  public static let prominent = Self.bold
  /// Done or added.
  public static let positive = Self.green
  /// Urgent, failed or removed.
  public static let urgent = Self.red
  /// Notable, such as a date or a change.
  public static let notable = Self.yellow
  /// A label of other things, such as a tag.
  public static let label = Self.cyan
}
