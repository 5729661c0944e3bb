/// A line that is being typed: scalars, and the index of the cursor among them.
struct EditedLine {
  let scalars: [Unicode.Scalar]
  let cursor: Int

  init(_ characters: UnsafeBufferPointer<Int32>, _ cursor: Int) {
    scalars = characters.map { Unicode.Scalar(UInt32(bitPattern: $0)) ?? "\u{FFFD}" }
    self.cursor = min(max(cursor, 0), scalars.count)
  }

  init(_ text: String, cursor: Int? = nil) {
    scalars = Array(text.unicodeScalars)
    self.cursor = cursor ?? scalars.count
  }

  var text: String { Self.text(scalars[...]) }
  var textToCursor: String { Self.text(scalars[..<cursor]) }
  var isAtEnd: Bool { cursor == scalars.count }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  // MARK: Characters

  /// Returns the beginning of the character at an index; the index itself, if one begins there.
  func startOfCharacter(at place: Int) -> Int {
    guard place > 0, place < scalars.count, !isPlain(place) else { return place }
    var start = 0
    for character in text {
      let end = start + character.unicodeScalars.count
      if end > place { return start }
      start = end
    }
    return place
  }

  /// Returns the end of the character at an index.
  func endOfCharacter(at place: Int) -> Int {
    guard place < scalars.count else { return place }
    guard !isPlain(place + 1) else { return place + 1 }
    var end = 0
    for character in text {
      end += character.unicodeScalars.count
      if end > place { return end }
    }
    return end
  }

  /// Whether a character certainly begins at an index: of ASCII only CR and LF combine.
  private func isPlain(_ place: Int) -> Bool {
    guard place < scalars.count, place > 0 else { return true }
    return scalars[place].isASCII && scalars[place - 1].isASCII
      && !(scalars[place] == "\n" && scalars[place - 1] == "\r")
  }

  // MARK: Lines

  /// The beginning of the cursor's line.
  var lineStart: Int { (scalars[..<cursor].lastIndex(of: "\n") ?? -1) + 1 }
  /// The end of the cursor's line.
  var lineEnd: Int { scalars[cursor...].firstIndex(of: "\n") ?? scalars.count }

  /// The index above the cursor, in the line before; nil in the first.
  var above: Int? {
    guard lineStart > 0 else { return nil }
    let start = (scalars[..<(lineStart - 1)].lastIndex(of: "\n") ?? -1) + 1
    return min(start + cursor - lineStart, lineStart - 1)
  }

  /// The index below the cursor, in the next line; nil in the last.
  var below: Int? {
    guard lineEnd < scalars.count else { return nil }
    let start = lineEnd + 1
    let end = scalars[start...].firstIndex(of: "\n") ?? scalars.count
    return min(start + cursor - lineStart, end)
  }
}
