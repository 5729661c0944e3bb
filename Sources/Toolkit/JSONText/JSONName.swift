/// The name of a member, as ``JSONWriter`` writes it.
///
/// A literal is copied verbatim, without a search for characters to escape: it must need no
/// escape, which debug builds check. Any other text is escaped like a value.
///
/// ```swift
/// json.object { json in
///   for line in lines { json.member(JSONName(line.request), line.count) }
/// }
/// ```
public struct JSONName: Sendable, ExpressibleByStringLiteral {
  enum Text {
    case literal(StaticString)
    case other(String)
  }

  let text: Text

  /// Creates a name from a literal.
  public init(stringLiteral literal: StaticString) {
    assert(Self.isPlain(literal), "a literal name that needs an escape")
    text = .literal(literal)
  }

  /// Creates a name from a text that is only available at run time.
  public init(_ name: String) {
    text = .other(name)
  }

  private static func isPlain(_ literal: StaticString) -> Bool {
    literal.withUTF8Buffer {
      Hazard.nextCandidate(in: $0, from: 0, or: ASCII.quote, ASCII.backslash) == $0.count
    }
  }
}
