import EventCommands

/// The layout of an entry on a terminal of some width: rows, and the position of the cursor.
struct EntryLayout {
  /// A row of the screen.
  struct Row: Equatable {
    /// The bytes to write for it, including styles.
    var bytes: [UInt8] = []
    /// The columns that it takes.
    var width = 0
  }

  /// The position of the cursor; the column may be the one after the last.
  struct Place: Equatable {
    var row = 0
    var column = 0
  }

  let columns: Int
  let hasColor: Bool
  private(set) var rows = [Row()]
  var cursor = Place()
  private var style = ""

  init(columns: Int, hasColor: Bool) {
    self.columns = max(columns, 1)
    self.hasColor = hasColor
  }

  /// The position of the next character.
  var end: Place {
    let width = rows[rows.count - 1].width
    return width < columns ? Place(row: rows.count - 1, column: width) : Place(row: rows.count)
  }

  /// Ends the row if a character does not fit, as a wide one may not.
  mutating func makeRoom(for character: Character) {
    let width = DisplayWidth.most(character) ?? DisplayWidth.of(character)
    if rows[rows.count - 1].width + width > columns { endRow() }
  }

  /// Ends the row.
  mutating func endRow() {
    setStyle("")
    rows.append(Row())
  }

  /// Writes escaped text, on as many rows as it takes.
  mutating func write(_ text: some StringProtocol, _ style: String = "") {
    for character in text { write(character, DisplayWidth.of(character), style) }
  }

  mutating func write(_ text: StyledText) {
    for piece in text.pieces { write(piece.text, piece.style?.rawValue ?? "") }
  }

  /// Writes escaped text at the right of the first row, if there is room.
  mutating func writeAtRight(_ text: StyledText) {
    let width = text.width
    let room = columns - 1 - width - rows[0].width
    guard width > 0, room > 0 else { return }
    var first = EntryLayout(columns: columns, hasColor: hasColor)
    first.rows = [rows[0]]
    first.write(String(repeating: " ", count: room))
    first.write(text)
    first.setStyle("")
    // What a terminal may take for wider than it is has no room.
    guard first.rows.count == 1 else { return }
    rows[0] = first.rows[0]
  }

  /// Writes a typed character, escaped where it would control the terminal.
  mutating func write(typed character: Character, _ style: String) {
    if let ascii = character.asciiValue {
      switch ascii {
      case 0x20...0x7E: write(character, 1, style)
      case UInt8(ascii: "\t"):
        write(String(repeating: " ", count: 8 - rows[rows.count - 1].width % 8), style)
      default: write("^" + String(UnicodeScalar(ascii ^ 0x40)), style)
      }
      return
    }
    let width = DisplayWidth.of(character)
    let escaped = escapedForTerminal(String(character))
    if escaped.utf8.count != character.utf8.count {
      write(escaped, style)
    } else if width > 0 {
      write(character, width, style)
    } else if character.unicodeScalars.allSatisfy({ $0.properties.generalCategory == .format }) {
      for scalar in character.unicodeScalars {
        write("\\u{\(String(scalar.value, radix: 16, uppercase: true))}", style)
      }
    } else {
      // A mark without a base character.
      write(Character("\u{25CC}" + String(character)), 1, style)
    }
  }

  private mutating func write(_ character: Character, _ width: Int, _ style: String) {
    let most = DisplayWidth.most(character)
    if rows[rows.count - 1].width + (most ?? width) > columns { endRow() }
    setStyle(style)
    let start = rows[rows.count - 1].width
    rows[rows.count - 1].width += width
    guard most != nil else { return rows[rows.count - 1].bytes.append(contentsOf: character.utf8) }
    // However wide the terminal takes it for: what was there before is erased, and what follows
    // begins in the column that is counted here.
    let (blanks, here) = (String(repeating: " ", count: width), "\u{1B}[\(start + 1)G")
    let text = "\(blanks)\(here)\(character)\u{1B}[\(start + width + 1)G"
    rows[rows.count - 1].bytes.append(contentsOf: text.utf8)
  }

  mutating func setStyle(_ wanted: String) {
    guard hasColor, style != wanted else { return }
    rows[rows.count - 1].bytes
      .append(
        contentsOf: (style.isEmpty
          ? "\u{1B}[\(wanted)m" : "\u{1B}[0\(wanted.isEmpty ? "" : ";" + wanted)m")
          .utf8
      )
    style = wanted
  }
}
