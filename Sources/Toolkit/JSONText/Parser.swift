/// A parser of one document, without recursion.
///
/// Open arrays and objects are kept on an explicit stack, so the depth of a document costs heap,
/// which the depth limit bounds, and never call stack.
struct Parser {
  let bytes: [UInt8]
  let depth: Int
  private let values: Int
  var index = 0

  /// The open arrays and objects, outermost first.
  var containers: [Container] = []

  /// The elements and members read so far for all open containers, one after the other.
  ///
  /// Elements of arrays have an empty name. The last member of an object has `.null` as its value
  /// until that has been read.
  var pending: [JSON.Member] = []

  init(_ bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    depth = limits.effectiveDepth
    values = limits.values
    // Reserves room for most messages, to avoid reallocation at each level and each second member.
    guard bytes.count > Self.shortest else { return }
    containers.reserveCapacity(4)
    pending.reserveCapacity(8)
  }

  /// The size up to which reserving room for a document is not worthwhile, in bytes.
  private static let shortest = 32

  /// The next byte to be read, 0 at the end of the document.
  ///
  /// A NUL begins no token, so only `failure` needs to tell the two apart.
  var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// Parses the whole document.
  mutating func document() throws(JSONError) -> JSON {
    var value = try firstCompleteValue()
    var count = 1
    while let kind = containers.last?.kind {
      place(value, in: kind)
      value = try continuation(of: kind)
      count += 1
      guard count <= values else {
        throw failure("expected at most \(values) values, found one more", at: index)
      }
    }
    skipWhiteSpace()
    guard index == bytes.count else { throw failure(expected: "end of input") }
    return value
  }

  /// Skips the white space of RFC 8259 §2.
  mutating func skipWhiteSpace() {
    while true {
      switch byte {
      case ASCII.space, ASCII.lineFeed, ASCII.carriageReturn, ASCII.tab: index += 1
      default: return
      }
    }
  }

  /// Reads a string, number or literal.
  mutating func scalar() throws(JSONError) -> JSON {
    switch byte {
    case ASCII.quote: .string(try string())
    case ASCII.minus, ASCII.zero...ASCII.nine: try number()
    case UInt8(ascii: "t"): try literal("true", .bool(true))
    case UInt8(ascii: "f"): try literal("false", .bool(false))
    case UInt8(ascii: "n"): try literal("null", .null)
    default: throw failure(expected: "a value")
    }
  }

  private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    for expected in text.description.utf8 {
      guard byte == expected else { throw failure(expected: "the rest of '\(text)'") }
      index += 1
    }
    return value
  }
}
