/// The resources that a document may take while it is parsed (RFC 8259 §9).
public struct JSONLimits: Sendable, Equatable {
  /// The limits used when the caller gives none.
  public static let `default` = JSONLimits()

  /// How many arrays and objects may be open at once, in levels.
  ///
  /// At 0 only strings, numbers and literals are accepted. A limit below 0 counts as 0 and one
  /// above 512 counts as 512: the parser itself does not recurse, but writing and releasing a value
  /// do, and 512 levels fit into a stack of 512 KiB, as measured.
  public var depth: Int

  /// How many values a document may have, arrays and objects among them.
  ///
  /// A value of two bytes, such as `[]`, takes up to 64 bytes of memory while it is parsed.
  public var values: Int

  /// Sets the limits; by default any number of values.
  public init(depth: Int = 128, values: Int = .max) {
    self.depth = depth
    self.values = values
  }

  /// The depth that is enforced.
  var effectiveDepth: Int { min(max(depth, 0), 512) }
}
