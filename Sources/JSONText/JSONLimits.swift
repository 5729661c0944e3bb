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

  /// Sets the limits.
  public init(depth: Int = 128) {
    self.depth = depth
  }

  /// The depth that is enforced.
  var effectiveDepth: Int { min(max(depth, 0), 512) }
}
