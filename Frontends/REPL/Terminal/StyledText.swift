package import EventCommands

/// A short text of a screen: pieces, each with a style or none.
///
/// Control characters are shown as `\u{1B}`; a text is one line.
package struct StyledText: Sendable, Equatable, ExpressibleByStringLiteral {
  /// A part in one style.
  package struct Piece: Sendable, Equatable {
    /// The text.
    package let text: String
    /// Its style where colour is on.
    package let style: Page.Style?
  }

  /// The pieces, from left to right.
  package private(set) var pieces: [Piece] = []

  /// Creates a text in one style.
  package init(_ text: String = "", _ style: Page.Style? = nil) {
    append(text, style)
  }

  /// Creates a text without style.
  package init(stringLiteral text: String) {
    self.init(text)
  }

  /// Adds a piece at the right.
  package mutating func append(_ text: String, _ style: Page.Style? = nil) {
    guard !text.isEmpty else { return }
    pieces.append(Piece(text: escapedForTerminal(text), style: style))
  }

  /// The text without styles.
  var plain: String { pieces.map(\.text).joined() }

  /// The columns that it takes.
  package var width: Int { pieces.reduce(0) { $0 + DisplayWidth.of($1.text) } }
}

/// A part of a line that is being typed, with its style.
package struct StyledSpan: Sendable, Equatable {
  /// Its position in bytes of UTF-8.
  package let range: Range<Int>
  /// Its style.
  package let style: Page.Style

  /// Creates the style of a part of a line.
  package init(_ range: Range<Int>, _ style: Page.Style) {
    self.range = range
    self.style = style
  }
}
