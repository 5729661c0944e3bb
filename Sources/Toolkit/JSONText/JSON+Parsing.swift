extension JSON {
  /// Parses a whole document from its bytes.
  ///
  /// The bytes must be one JSON text by RFC 8259 in UTF-8: one value with optional white space
  /// around it. Where the RFC leaves a choice, the document is refused:
  ///
  /// - a byte order mark (§8.1) and ill-formed UTF-8 (§8.1, Unicode Table 3-7);
  /// - two members with the same name in an object (§4), compared code unit by code unit;
  /// - an escape that is half of a surrogate pair (§8.2), and the character U+0000 in a string;
  /// - an integer beyond `Int64` and a real beyond `Double` (§6);
  /// - nesting deeper than the limit (§9).
  ///
  /// A number without fraction and exponent is an integer, so `-0` is `.integer(0)`. Any other
  /// number is the `Double` nearest to it, so a very small one may become zero.
  ///
  /// - Parameters:
  ///   - bytes: the document.
  ///   - limits: the resources that the document may take.
  /// - Throws: the first fault of the document, in the order of its bytes.
  public init(
    parsing bytes: some Collection<UInt8>,
    limits: JSONLimits = .default
  ) throws(JSONError) {
    var parser = Parser(Array(bytes), limits: limits)
    self = try parser.document()
  }

  /// Parses a whole document from a string.
  ///
  /// The rules are those of `init(parsing:limits:)` for bytes, applied to the UTF-8 of the string.
  ///
  /// - Parameters:
  ///   - text: the document.
  ///   - limits: the resources that the document may take.
  /// - Throws: the first fault of the document; its offset counts bytes of UTF-8.
  public init(
    parsing text: some StringProtocol,
    limits: JSONLimits = .default
  ) throws(JSONError) {
    try self.init(parsing: text.utf8, limits: limits)
  }
}
