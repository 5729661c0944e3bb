import EventValues

/// A syntax error in a script.
public struct SyntaxError: Error, Sendable, Equatable {
  /// What is wrong, for people: one line, no full stop.
  public let message: String
  /// The offset of the byte the message is about.
  public let offset: Int

  /// Creates an error about the byte at an offset.
  public init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }
}

/// A message about a position in a source, with what is needed to show it.
public struct Diagnostic: Sendable, Equatable {
  /// What is wrong, for people: one line, no full stop.
  public let message: String
  /// The name of the source, for people.
  public let sourceName: String
  /// The position that the message is about.
  public let position: SourcePosition
  /// The text of the physical line at that position.
  public let line: String

  /// Creates a message about a column of a line.
  public init(message: String, sourceName: String, position: SourcePosition, line: String) {
    self.message = message
    self.sourceName = sourceName
    self.position = position
    self.line = line
  }

  /// Creates a message about the byte at an offset of a source.
  ///
  /// Takes the time of ``SourceText/position(atByte:)``.
  public init(message: String, at offset: Int, in source: SourceText) {
    self.init(
      message: message,
      sourceName: source.name,
      position: source.position(atByte: offset),
      line: source.line(containing: offset)
    )
  }

  /// Creates the message of a syntax error.
  ///
  /// Takes the time of ``SourceText/position(atByte:)``.
  public init(_ error: SyntaxError, in source: SourceText) {
    self.init(message: error.message, at: error.offset, in: source)
  }
}

extension Diagnostic {
  /// Returns three lines: the position and the message, the line of the source, a caret.
  ///
  ///     plan.todo:12:1: error: no command 'ad'; did you mean 'add'?
  ///       ad "Buy milk"
  ///       ^
  ///
  /// Control characters never reach the terminal: they are escaped, tabs shown as one space.
  /// Of a line wider than 100 columns only the part around the caret is shown, with `…` where it
  /// was cut. There is no newline at the end.
  ///
  /// - Parameter namesPlace: Whether the first line begins with the position; false where the
  ///   reader can see it.
  /// - Returns: The lines.
  public func rendered(namesPlace: Bool = true) -> String {
    let place =
      namesPlace
      ? "\(escapedForTerminal(sourceName)):\(position.line):\(position.column): " : ""
    let excerpt = Excerpt(of: line, around: position.column)
    let indent = String(repeating: " ", count: excerpt.caretColumn)
    return "\(place)error: \(escapedForTerminal(message))\n  \(excerpt.text)\n  \(indent)^"
  }
}

/// The part of a line that is shown, and the position of its caret.
private struct Excerpt {
  private(set) var text = ""
  /// The terminal columns before the caret.
  private(set) var caretColumn = 0
  /// The bytes that may still be shown: marks have no width, and there can be any number of them.
  private var room = 1000

  private static let widest = 100
  private static let widestAfterCaret = 40

  /// Takes the line from the column on, then before it, then after it again while space is left.
  init(of line: String, around column: Int) {
    let target =
      line.index(line.startIndex, offsetBy: max(column, 1) - 1, limitedBy: line.endIndex)
      ?? line.endIndex
    var width = 0
    var end = target
    extend(&end, in: line, width: &width, upTo: Self.widestAfterCaret)
    var start = target
    while start > line.startIndex {
      let previous = line.index(before: start)
      guard takes(line[previous], width: &width, upTo: Self.widest) else { break }
      start = previous
    }
    extend(&end, in: line, width: &width, upTo: Self.widest)
    assemble(line, start..<end, caret: target)
  }

  private mutating func extend(
    _ end: inout String.Index,
    in line: String,
    width: inout Int,
    upTo limit: Int
  ) {
    while end < line.endIndex, takes(line[end], width: &width, upTo: limit) {
      end = line.index(after: end)
    }
  }

  /// Whether there is room for a further character, which is then used.
  private mutating func takes(_ character: Character, width: inout Int, upTo limit: Int) -> Bool {
    let length = character.utf8.count
    guard length <= room else { return false }
    let wider = width + Self.width(of: character)
    guard wider <= limit else { return false }
    width = wider
    room -= length
    return true
  }

  private mutating func assemble(_ line: String, _ range: Range<String.Index>, caret: String.Index)
  {
    if range.lowerBound > line.startIndex { text += "…" }
    text += Self.shown(line[range.lowerBound..<caret])
    caretColumn = DisplayWidth.of(text)
    text += Self.shown(line[caret..<range.upperBound])
    if range.upperBound < line.endIndex { text += "…" }
  }

  private static func shown(_ part: Substring) -> String {
    escapedForTerminal(String(part.map { $0 == "\t" ? " " : $0 }))
  }

  private static func width(of character: Character) -> Int {
    if character == "\t" { return 1 }
    return DisplayWidth.of(escapedForTerminal(String(character)))
  }
}
