/// Paints the last rows of the screen, and repaints the rows that have changed.
struct EntryPainter {
  private var rows: [EntryLayout.Row] = []
  private var cursor = EntryLayout.Place()

  /// Whether nothing is painted.
  var isEmpty: Bool { rows.isEmpty }

  /// Returns the bytes that show a layout; for one that is higher than the screen, the
  /// part around the cursor.
  mutating func paint(_ layout: EntryLayout, height: Int) -> [UInt8] {
    var wanted = layout.rows
    var place = layout.cursor
    if place.row == wanted.count { wanted.append(EntryLayout.Row()) }
    if place.column >= layout.columns { place.column = layout.columns - 1 }
    if wanted.count > height {
      let top = min(max(place.row - height + 1, 0), wanted.count - height)
      wanted = Array(wanted[top..<top + height])
      place.row -= top
    }
    var output: [UInt8] = []
    for (index, row) in wanted.enumerated() {
      if index < rows.count {
        guard rows[index] != row else { continue }
        move(to: index, &output)
      } else if !rows.isEmpty {
        move(to: rows.count - 1, &output)
        output.append(contentsOf: "\r\n".utf8)
        cursor.row += 1
      }
      output.append(UInt8(ascii: "\r"))
      output.append(contentsOf: row.bytes)
      // After the last column there is nothing to erase, and some terminals would erase that one.
      if row.width < layout.columns { output.append(contentsOf: "\u{1B}[K".utf8) }
      cursor = EntryLayout.Place(row: index, column: -1)
      if index < rows.count { rows[index] = row } else { rows.append(row) }
    }
    if wanted.count < rows.count {
      move(to: wanted.count, &output)
      output.append(contentsOf: "\r\u{1B}[J".utf8)
      rows.removeLast(rows.count - wanted.count)
      cursor.column = -1
    }
    guard cursor != place else { return output }
    move(to: place.row, &output)
    output.append(UInt8(ascii: "\r"))
    if place.column > 0 { output.append(contentsOf: "\u{1B}[\(place.column)C".utf8) }
    cursor = place
    return output
  }

  /// Returns the bytes that erase it, and move the cursor to its beginning.
  mutating func erase() -> [UInt8] {
    var output: [UInt8] = []
    guard !rows.isEmpty else { return output }
    move(to: 0, &output)
    output.append(contentsOf: "\r\u{1B}[J".utf8)
    invalidate()
    return output
  }

  /// Returns the bytes that continue below it.
  mutating func leave() -> [UInt8] {
    var output: [UInt8] = []
    guard !rows.isEmpty else { return output }
    move(to: rows.count - 1, &output)
    output.append(contentsOf: "\r\n".utf8)
    invalidate()
    return output
  }

  /// Marks it as no longer on the screen.
  mutating func invalidate() {
    rows = []
    cursor = EntryLayout.Place()
  }

  /// Adjusts the rows to a narrower terminal, which breaks them and moves the cursor down.
  mutating func narrow(to columns: Int, height: Int) {
    guard !rows.isEmpty else { return }
    let above = rows[..<cursor.row].reduce(0) { $0 + max(1, ($1.width + columns - 1) / columns) }
    cursor.row = min(above + max(cursor.column, 0) / columns, height - 1)
  }

  private mutating func move(to row: Int, _ output: inout [UInt8]) {
    let distance = row - cursor.row
    if distance != 0 {
      output.append(contentsOf: "\u{1B}[\(abs(distance))\(distance < 0 ? "A" : "B")".utf8)
    }
    cursor.row = row
  }
}
