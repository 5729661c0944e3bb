/// A place in a script where its text breaks the rules of the language.
public struct SyntaxError: Error, Sendable, Equatable {
  /// What is wrong, for people: one line, no full stop.
  public let message: String
  /// The offset of the byte the message is about.
  public let offset: Int

  /// Makes an error about the byte at that offset.
  public init(message: String, offset: Int) {
    self.message = message
    self.offset = offset
  }
}

/// A message about a place in a source, with what it takes to show it.
public struct Diagnostic: Sendable, Equatable {
  /// What is wrong, for people: one line, no full stop.
  public let message: String
  /// What people call the source.
  public let sourceName: String
  /// The place the message is about.
  public let position: SourcePosition
  /// The text of the physical line of that place.
  public let line: String

  /// Makes a message about a column of a line.
  public init(message: String, sourceName: String, position: SourcePosition, line: String) {
    self.message = message
    self.sourceName = sourceName
    self.position = position
    self.line = line
  }

  /// Makes a message about the byte of a source at that offset.
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

  /// Makes the message of a syntax error.
  ///
  /// Takes the time of ``SourceText/position(atByte:)``.
  public init(_ error: SyntaxError, in source: SourceText) {
    self.init(message: error.message, at: error.offset, in: source)
  }
}

extension Diagnostic {
  /// The message as three lines: the place and the message, the line of the source, a caret.
  ///
  ///     plan.todo:12:1: error: no command 'ad'; did you mean 'add'?
  ///       ad "Buy milk"
  ///       ^
  ///
  /// Nothing in it reaches the terminal as a control: such characters are shown escaped, tabs as
  /// one space. Of a line wider than 100 columns only those around the caret are shown, with `…`
  /// where it was cut. There is no newline at the end.
  ///
  /// - Parameter namesPlace: Whether the first line begins with the place; not where it is in
  ///   sight.
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

/// The part of a line that is shown, and where its caret stands.
private struct Excerpt {
  private(set) var text = ""
  /// The terminal columns before the caret.
  private(set) var caretColumn = 0
  /// What is left of the bytes that are shown: marks have no width, and there can be any number.
  private var room = 1000

  private static let widest = 100
  private static let widestAfterCaret = 40

  /// Takes the line from the column on, then before it, then after it again as space is left.
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

  /// Whether there is room for a further character.
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
