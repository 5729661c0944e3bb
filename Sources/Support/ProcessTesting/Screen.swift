import EventCommands

/// The screen of a terminal, from the bytes that a program writes: a small emulator of an xterm.
///
/// A narrower screen breaks its lines, and a wider one joins broken ones, as most terminals do.
public struct Screen {
  /// One column of a row; a wide character is followed by an empty one.
  struct Cell: Equatable {
    var text = " "
    var width = 1
    var style = ""
  }

  struct Row {
    var cells: [Cell] = []
    /// Whether the row continues the one above.
    var isContinued = false
  }

  /// The columns.
  public private(set) var columns: Int
  /// The rows.
  public private(set) var height: Int
  /// The position of the cursor, counted from zero.
  public private(set) var cursor = (row: 0, column: 0)
  /// Whether pasted text is marked.
  public private(set) var marksPaste = false
  /// How often the terminal's bell has rung.
  public private(set) var bells = 0
  /// The escape sequences that it does not support.
  public private(set) var unknown: [String] = []
  private var above: [Row] = []
  private var rows: [Row]
  private var style = ""
  private var runsOver = false
  private var pending: [UInt8] = []

  /// Creates an empty screen.
  public init(columns: Int, height: Int) {
    self.columns = columns
    self.height = height
    rows = Array(repeating: Row(), count: height)
  }

  /// The rows without blanks at their ends, and without empty ones at the bottom.
  public var lines: [String] { Self.trimmed(rows.map { $0.text }) }
  /// The rows, with marks for styles: `⟨31:red⟩`.
  public var styledLines: [String] { Self.trimmed(rows.map { $0.styledText }) }
  /// The rows that have scrolled out at the top, and those on the screen.
  public var allLines: [String] { Self.trimmed((above + rows).map { $0.text }) }

  private static func trimmed(_ lines: [String]) -> [String] {
    lines.reversed().drop { $0.isEmpty }.reversed()
  }

  // MARK: Bytes

  /// Shows the bytes of a program.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    var rest = pending[...]
    while !rest.isEmpty, let length = take(rest) { rest = rest.dropFirst(length) }
    pending = Array(rest)
  }

  /// Applies a character or a sequence, and returns its length; nil if it is incomplete.
  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Int? {
    let first = bytes[bytes.startIndex]
    if first == 0x1B { return takeSequence(bytes) }
    if first < 0x20 || first == 0x7F {
      control(first)
      return 1
    }
    let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard bytes.count >= length else { return nil }
    for scalar in String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars {
      put(scalar)
    }
    return length
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x07: bells += 1
    case 0x08: go(cursor.row, cursor.column - 1)
    case 0x09: go(cursor.row, (cursor.column / 8 + 1) * 8)
    case 0x0A: lineFeed(isContinued: false)
    case 0x0D: go(cursor.row, 0)
    default: unknown.append("^\(UnicodeScalar(byte ^ 0x40))")
    }
  }

  private mutating func takeSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let kind = bytes.dropFirst().first else { return nil }
    guard kind == UInt8(ascii: "[") else {
      unknown.append(String(decoding: bytes.prefix(2).dropFirst(), as: UTF8.self))
      return 2
    }
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return nil
    }
    let parameters = String(
      decoding: bytes[(bytes.startIndex + 2)..<end],
      as: UTF8.self
    )
    obey(UnicodeScalar(bytes[end]), parameters)
    return end + 1 - bytes.startIndex
  }

  private mutating func obey(_ command: UnicodeScalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = numbers.first.flatMap { $0 }
    let count = max(first ?? 1, 1)
    switch command {
    case "A": go(cursor.row - count, cursor.column)
    case "B": go(cursor.row + count, cursor.column)
    case "C": go(cursor.row, cursor.column + count)
    case "D": go(cursor.row, cursor.column - count)
    case "G": go(cursor.row, count - 1)
    case "H": go(count - 1, max((numbers.count > 1 ? numbers[1] : nil) ?? 1, 1) - 1)
    case "J": eraseScreen(first ?? 0)
    case "K" where (first ?? 0) == 0: rows[cursor.row].cut(to: cursor.column)
    case "m": for number in numbers { setStyle(number ?? 0) }
    case "h" where parameters == "?2004": marksPaste = true
    case "l" where parameters == "?2004": marksPaste = false
    default: unknown.append("[\(parameters)\(command)")
    }
  }

  private mutating func setStyle(_ number: Int) {
    style = number == 0 ? "" : style.isEmpty ? "\(number)" : "\(style);\(number)"
  }

  private mutating func eraseScreen(_ part: Int) {
    switch part {
    case 0:
      rows[cursor.row].cut(to: cursor.column)
      for row in rows.indices where row > cursor.row { rows[row] = Row() }
    case 2: rows = Array(repeating: Row(), count: height)
    default: unknown.append("[\(part)J")
    }
  }

  // MARK: Characters

  private mutating func put(_ scalar: Unicode.Scalar) {
    if joins(scalar) { return }
    let text = String(scalar)
    let width = DisplayWidth.of(text)
    guard width > 0 else { return }
    if runsOver || cursor.column + width > columns { lineFeed(isContinued: true) }
    rows[cursor.row].put(Cell(text: text, width: width, style: style), at: cursor.column)
    cursor.column += width
    runsOver = cursor.column >= columns
    if runsOver { cursor.column = columns - 1 }
  }

  /// Adds a scalar to the character before the cursor, if it is a part of that.
  private mutating func joins(_ scalar: Unicode.Scalar) -> Bool {
    let behind = runsOver ? cursor.column + 1 : cursor.column
    guard let place = rows[cursor.row].place(before: behind) else { return false }
    let cell = rows[cursor.row].cells[place]
    let joined = cell.text + String(scalar)
    guard joined.count == 1, cell.text != " " || DisplayWidth.of(joined) == 1 else { return false }
    let width = DisplayWidth.of(joined)
    rows[cursor.row].put(Cell(text: joined, width: width, style: cell.style), at: place)
    cursor.column = min(place + width, columns - 1)
    runsOver = place + width >= columns
    return true
  }

  private mutating func lineFeed(isContinued: Bool) {
    runsOver = false
    if isContinued { cursor.column = 0 }
    if cursor.row + 1 < height {
      cursor.row += 1
    } else {
      above.append(rows.removeFirst())
      rows.append(Row())
    }
    rows[cursor.row].isContinued = isContinued
  }

  private mutating func go(_ row: Int, _ column: Int) {
    runsOver = false
    cursor = (min(max(row, 0), height - 1), min(max(column, 0), columns - 1))
  }

  // MARK: Size

  /// Changes the size; lines are broken anew.
  public mutating func resize(columns: Int, height: Int) {
    var joined: [Row] = []
    var place = (line: 0, column: 0)
    for (index, row) in rows.enumerated() {
      if row.isContinued, !joined.isEmpty {
        joined[joined.count - 1].cells += row.cells
      } else {
        joined.append(Row(cells: row.cells))
      }
      if index == cursor.row {
        let before = joined[joined.count - 1].cells.count - row.cells.count
        place = (joined.count - 1, max(0, before) + cursor.column)
      }
    }
    while joined.count > place.line + 1, joined.last?.cells.isEmpty == true { joined.removeLast() }
    var broken: [Row] = []
    var goal = (row: 0, column: 0)
    for (index, line) in joined.enumerated() {
      let first = broken.count
      broken += line.broken(to: columns)
      if index == place.line {
        let row = min(first + place.column / columns, broken.count - 1)
        goal = (
          max(row, first),
          row == first + place.column / columns ? place.column % columns : columns - 1
        )
      }
    }
    let excess = max(0, broken.count - height)
    above += broken.prefix(excess)
    rows = Array(broken.dropFirst(excess))
    rows += Array(repeating: Row(), count: height - rows.count)
    (self.columns, self.height) = (columns, height)
    go(goal.row - excess, goal.column)
  }
}

extension Screen.Row {
  var text: String {
    String(cells.map(\.text).joined().reversed().drop { $0 == " " }.reversed())
  }

  var styledText: String {
    var result = ""
    var style = ""
    for cell in cells where cell.width > 0 {
      if cell.style != style {
        if !style.isEmpty { result += "⟩" }
        if !cell.style.isEmpty { result += "⟨\(cell.style):" }
        style = cell.style
      }
      result += cell.text
    }
    if !style.isEmpty { result += "⟩" }
    return String(result.reversed().drop { $0 == " " }.reversed())
  }

  mutating func put(_ cell: Screen.Cell, at column: Int) {
    while cells.count < column + cell.width { cells.append(Screen.Cell()) }
    cells[column] = cell
    if cell.width == 2 { cells[column + 1] = Screen.Cell(text: "", width: 0, style: cell.style) }
  }

  mutating func cut(to column: Int) {
    if cells.count > column { cells.removeLast(cells.count - column) }
  }

  /// Returns the column of the character that ends before a column.
  func place(before column: Int) -> Int? {
    guard column > 0, column <= cells.count else { return nil }
    return cells[column - 1].width == 0 ? column - 2 : column - 1
  }

  func broken(to columns: Int) -> [Self] {
    guard cells.count > columns else { return [Self(cells: cells)] }
    var rows: [Self] = []
    var rest = cells[...]
    while !rest.isEmpty {
      rows.append(Self(cells: Array(rest.prefix(columns)), isContinued: !rows.isEmpty))
      rest = rest.dropFirst(columns)
    }
    return rows
  }
}
