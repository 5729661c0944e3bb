import Platform
import EventCommands

/// The display of an entry in addition to its text.
struct EntryView {
  /// A search in the history.
  struct Search {
    var pattern = ""
    /// The entry that was found, counted from the oldest.
    var found: Int?
    var hasFailed = false
    var line: EditedLine
  }

  var size = TerminalSize(columns: 80, rows: 24)
  var prompt: StyledText = ""
  var continuation: StyledText = ""
  var rightPrompt: StyledText = ""
  /// The text that is shown while no entry is read.
  var status: StyledText = ""
  var menu: CandidateMenu?
  var search: Search?
  /// The latest hint that follows the text.
  var hint = ""
  /// Whether the entry has ended, and only its text stays on the screen.
  var isLeft = false
  /// Where the cursor was when the line was last painted.
  var lastCursor = 0

  /// Removes the aids for typing.
  mutating func removeAids() {
    menu = nil
    search = nil
    hint = ""
    lastCursor = 0
  }

  /// Returns the layout of a line with all its parts.
  mutating func layout(_ line: EditedLine, _ editor: LineEditor) -> EntryLayout {
    var layout = EntryLayout(columns: size.columns, hasColor: editor.hasColor)
    let shown = search?.line ?? line
    if let search {
      layout.write(search.hasFailed ? "no entry with '" : "search '")
      for character in search.pattern { layout.write(typed: character, "1") }
      layout.write("': ")
    } else {
      layout.write(prompt)
    }
    write(shown, &layout, editor)
    hint = ""
    if !isLeft, search == nil, menu == nil, shown.isAtEnd, shown.scalars.last == "\n" {
      writeAside(editor.assistant.advice(shown.text), &layout)
    } else if editor.hasColor, !isLeft, search == nil, menu == nil, shown.isAtEnd,
      !shown.scalars.isEmpty
    {
      hint = editor.assistant.hint(shown.text)
      writeAside(hint, &layout)
    }
    layout.setStyle("")
    if !isLeft { layout.writeAtRight(rightPrompt) }
    if let menu, !isLeft {
      menu.write(to: &layout, height: size.rows - layout.rows.count)
    }
    return layout
  }

  private func write(_ line: EditedLine, _ layout: inout EntryLayout, _ editor: LineEditor) {
    let text = line.text
    let spans = editor.hasColor ? editor.assistant.highlight(text) : []
    var span = spans.startIndex
    var place = 0
    var offset = 0
    var hasCursor = false
    for character in text {
      if place <= line.cursor && line.cursor < place + character.unicodeScalars.count {
        hasCursor = true
        layout.makeRoom(for: character)
        layout.cursor = layout.end
      }
      while span < spans.endIndex, spans[span].range.upperBound <= offset { span += 1 }
      let isStyled = span < spans.endIndex && spans[span].range.contains(offset)
      let style = isStyled ? spans[span].style.rawValue : ""
      if character == "\r\n" {
        layout.write("^M", style)
      }
      if character == "\n" || character == "\r\n" {
        layout.endRow()
        layout.write(continuation)
      } else {
        layout.write(typed: character, style)
      }
      place += character.unicodeScalars.count
      offset += character.utf8.count
    }
    if !hasCursor || isLeft { layout.cursor = layout.end }
  }

  /// Writes as much of a hint or of advice as fits into the row.
  private func writeAside(_ text: String, _ layout: inout EntryLayout) {
    var room = size.columns - 1 - layout.end.column
    for character in text {
      let width = DisplayWidth.of(character)
      guard width > 0, width <= room,
        escapedForTerminal(String(character)).utf8.count == character.utf8.count
      else { return }
      layout.write(String(character), "90")
      room -= width
    }
  }
}
