/// A writer of compact JSON text that needs no tree of values.
///
/// It appends to its bytes in the order of the calls and writes commas and colons itself. The
/// caller must follow the grammar: one value in a document, a key before each value of an object
/// and nowhere else, a value after each key. Debug builds stop at a call that breaks this; release
/// builds write text that is not JSON.
///
/// Text is UTF-8 without white space outside strings. Names are written as given, so the caller
/// also ensures that the names of one object differ.
///
///     var writer = JSONWriter()
///     writer.object { object in
///       object.member("name", "x")
///       object.key("sizes")
///       object.array { sizes in
///         sizes.value(1)
///       }
///     }
///
/// ```swift
/// var json = JSONWriter()
/// Tally(lines: [Tally.Line(request: "RequestGreeting", count: 2)]).write(to: &json)
/// #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"RequestGreeting":2}"#)
/// ```
public struct JSONWriter: Sendable {
  /// What the grammar allows next.
  private enum Next {
    case document, firstElement, element, firstKey, key, memberValue, nothing
  }

  /// The text written so far.
  public internal(set) var bytes: [UInt8] = []

  private var next = Next.document

  /// Creates a writer that has written nothing.
  ///
  /// - Parameter capacity: the bytes to reserve.
  public init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Clears the text, for another document.
  ///
  /// - Parameter keepsCapacity: whether to keep the memory for the next document.
  public mutating func removeAll(keepingCapacity keepsCapacity: Bool = false) {
    bytes.removeAll(keepingCapacity: keepsCapacity)
    next = .document
  }

  /// Begins an array that is the whole document, whose elements are written one by one.
  public mutating func beginArray() {
    beginValue()
    next = .firstElement
    bytes.append(ASCII.openBracket)
  }

  /// Ends the array that is the whole document.
  public mutating func endArray() {
    bytes.append(ASCII.closeBracket)
    next = .nothing
  }

  /// Returns and removes what has been written so far; writing continues after it.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes an object.
  ///
  /// - Parameter body: writes the members, each by `member` or by `key` and a value; if it throws,
  ///   the writer must not be used afterwards.
  public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    beginValue()
    let outer = next
    next = .firstKey
    bytes.append(ASCII.openBrace)
    try body(&self)
    assert(next == .firstKey || next == .key, "a key without a value")
    bytes.append(ASCII.closeBrace)
    next = outer
  }

  /// Writes an array.
  ///
  /// - Parameter body: writes the elements; if it throws, the writer must not be used afterwards.
  public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    beginValue()
    let outer = next
    next = .firstElement
    bytes.append(ASCII.openBracket)
    try body(&self)
    bytes.append(ASCII.closeBracket)
    next = outer
  }

  /// Writes the name of a member, whose value the next call must write.
  public mutating func key(_ name: JSONName) {
    switch next {
    case .firstKey: break
    case .key: bytes.append(ASCII.comma)
    default: assertionFailure("a key outside an object, or after a key")
    }
    switch name.text {
    case .literal(let literal):
      bytes.append(ASCII.quote)
      append(literal)
      bytes.append(ASCII.quote)
    case .other(let text): appendText(text)
    }
    bytes.append(ASCII.colon)
    next = .memberValue
  }

  /// Appends text verbatim.
  mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a value that is JSON text already.
  ///
  /// - Parameter text: one JSON value as a writer writes it: compact, with all escapes.
  public mutating func value(text: [UInt8]) {
    beginValue()
    bytes.append(contentsOf: text)
  }

  /// Writes a value, or null where it can't be written.
  ///
  /// - Parameter body: writes one value; what it has written is dropped if it throws.
  package mutating func valueOrNull(_ body: (inout JSONWriter) throws -> Void) {
    let (count, place) = (bytes.count, next)
    do {
      try body(&self)
    } catch {
      bytes.removeLast(bytes.count - count)
      next = place
      null()
    }
  }

  /// Writes the comma that a value needs at this position; every value begins with this.
  mutating func beginValue() {
    switch next {
    case .document: next = .nothing
    case .firstElement: next = .element
    case .element: bytes.append(ASCII.comma)
    case .memberValue: next = .key
    case .firstKey, .key: assertionFailure("a value without a key in an object")
    case .nothing: assertionFailure("a second value in a document")
    }
  }
}
