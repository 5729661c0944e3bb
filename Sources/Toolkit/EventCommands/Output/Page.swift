public import EventValues

/// Text for a person to read: with styles, and with all text of users escaped.
///
/// ```swift
/// func show(on page: inout Page) {
///   for leaf in records {
///     page.write(user: leaf.value.title)
///     page.endLine()
///   }
/// }
/// ```
public struct Page: Sendable {
  /// The style of a piece of text where colour is on.
  ///
  /// ```swift
  /// page.write("  \(value.status.rawValue)", value.status == .finished ? .positive : nil)
  /// ```
  public enum Style: String, Sendable, Codable {
    /// Heavier, for important text, such as a heading.
    case bold = "1"
    /// Fainter, for less important text.
    case dim = "2"
    /// The terminal's red.
    case red = "31"
    /// The terminal's green.
    case green = "32"
    /// The terminal's yellow.
    case yellow = "33"
    /// The terminal's cyan.
    case cyan = "36"
  }

  /// The text written so far, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  /// The columns of a line; nil if lines may have any length.
  public let width: Int?
  /// The reader's clock; nil if dates are written as ISO 8601.
  public let clock: ReaderClock?
  private let hasColor: Bool
  private let isQuiet: Bool

  /// Creates an empty page.
  ///
  /// - Parameters:
  ///   - hasColor: Whether styles become escape sequences.
  ///   - isQuiet: Whether confirmations are left out.
  ///   - width: The columns of a line; nil if lines may have any length.
  ///   - clock: The reader's clock; nil if dates are written as ISO 8601.
  public init(
    hasColor: Bool = false,
    isQuiet: Bool = false,
    width: Int? = nil,
    clock: ReaderClock? = nil
  ) {
    self.hasColor = hasColor
    self.isQuiet = isQuiet
    self.width = width
    self.clock = clock
  }

  /// Writes text of the program itself, unescaped.
  public mutating func write(_ text: String, _ style: Style? = nil) {
    styled(style) { $0.bytes.append(contentsOf: text.utf8) }
  }

  /// Writes text that a user typed; control characters, escape sequences and bidirectional
  /// overrides are escaped, not sent.
  public mutating func write(user text: String, _ style: Style? = nil) {
    styled(style) { $0.bytes.append(contentsOf: escapedForTerminal(text).utf8) }
  }

  /// Writes text that a user typed, truncated to fit a line with its other text.
  ///
  /// It is truncated between characters, and never to fewer than ten columns.
  ///
  /// - Parameters:
  ///   - text: The text that a user typed.
  ///   - style: How it looks.
  ///   - others: Returns the columns of the rest of the line; called if lines have a width.
  public mutating func write(user text: String, _ style: Style? = nil, beside others: () -> Int) {
    guard let width else { return write(user: text, style) }
    let room = max(10, width - others())
    let escaped = escapedForTerminal(text)
    guard DisplayWidth.of(escaped) > room else { return write(escaped, style) }
    write(DisplayWidth.prefix(of: escaped, columns: room - 1) + "…", style)
  }

  /// Writes text that a user typed, whole, over as many lines as it needs.
  ///
  /// Lines are broken at blanks where that is possible. The last line is not ended.
  ///
  /// - Parameters:
  ///   - text: The text that a user typed.
  ///   - style: How it looks.
  ///   - indent: The columns that the first line has already, and the blanks before the others.
  /// - Returns: The columns of the last line, with those before it; nil if lines have no width.
  @discardableResult
  public mutating func write(
    user text: String,
    _ style: Style? = nil,
    wrappedAt indent: Int
  ) -> Int? {
    guard let width else {
      write(user: text, style)
      return nil
    }
    let room = max(10, width - indent)
    var (line, columns) = ("", 0)
    for piece in escapedForTerminal(text).pieces(atMost: room) {
      let count = DisplayWidth.of(piece)
      if columns + count > room, columns > 0 {
        write(line, style)
        endLine()
        write(String(repeating: " ", count: indent))
        (line, columns) = ("", 0)
      }
      line += piece
      columns += count
    }
    write(line, style)
    return indent + columns
  }

  /// Writes text that a user typed, keeping its line breaks.
  public mutating func write(userLines text: String, indent: String) {
    // By bytes: comparing characters sorts their combining marks, of which there can be any number.
    let lines = text.utf8.split(separator: .newline, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let hasReturn = index < lines.count - 1 && line.last == .carriageReturn
      write(indent)
      write(user: String(Substring(hasReturn ? line.dropLast() : line)))
      endLine()
    }
  }

  /// Ends the line.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes a confirmation that a command was carried out; a quiet page leaves it out.
  public mutating func confirm(_ body: (inout Page) -> Void) {
    if !isQuiet { body(&self) }
  }

  /// The text written so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  private mutating func styled(_ style: Style?, _ body: (inout Page) -> Void) {
    guard let style, hasColor else { return body(&self) }
    bytes.append(contentsOf: "\u{1B}[\(style.rawValue)m".utf8)
    body(&self)
    bytes.append(contentsOf: "\u{1B}[0m".utf8)
  }
}

extension String {
  /// The words with the blanks after them; of one that is too long, its parts.
  fileprivate func pieces(atMost room: Int) -> [String] {
    var pieces: [String] = []
    var rest = self[...]
    while !rest.isEmpty {
      let word = rest.prefix { $0 != " " }
      let end = rest[word.endIndex...].prefix { $0 == " " }.endIndex
      var piece = String(rest[..<end])
      rest = rest[end...]
      while DisplayWidth.of(piece) > room {
        let part = DisplayWidth.prefix(of: piece, columns: room)
        guard !part.isEmpty else { break }
        pieces.append(part)
        piece = String(piece.dropFirst(part.count))
      }
      if !piece.isEmpty { pieces.append(piece) }
    }
    return pieces
  }
}
