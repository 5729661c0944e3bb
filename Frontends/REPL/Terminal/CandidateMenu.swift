import EventCommands
import EventValues

/// Candidates beneath an entry: in columns, or each in a row with its summary.
struct CandidateMenu {
  let candidates: [Candidate]

  /// Writes as many as there is room for, and the number of others.
  func write(to layout: inout EntryLayout, height: Int) {
    let rows = max(height, 2)
    let columns = max(layout.columns - 1, 1)
    let hasSummaries = candidates.contains { !$0.summary.isEmpty }
    let words = candidates.map { escapedForTerminal($0.word) }
    let widest = words.map(DisplayWidth.of).max() ?? 0
    let width = min(widest + 2, columns)
    let inRow = hasSummaries ? 1 : max(1, columns / width)
    let count = (words.count + inRow - 1) / inRow
    let shown = count <= rows ? count : rows - 1
    for row in 0..<shown {
      layout.endRow()
      // Down the columns, as people read them; a truncated list is written row by row.
      for column in 0..<inRow {
        let index = shown == count ? column * count + row : row * inRow + column
        guard index < words.count else { continue }
        write(words[index], width, to: &layout)
        if hasSummaries {
          let summary = escapedForTerminal(candidates[index].summary)
          layout.write(summary.cut(to: columns - width), "2")
        }
      }
    }
    let more = words.count - shown * inRow
    guard more > 0 else { return }
    layout.endRow()
    layout.write("… \(more) more".cut(to: columns), "2")
  }

  private func write(_ word: String, _ width: Int, to layout: inout EntryLayout) {
    let word = word.cut(to: width)
    layout.write(word)
    layout.write(String(repeating: " ", count: max(0, width - DisplayWidth.of(word))))
  }
}

extension String {
  /// Returns the text, truncated to a number of columns; no character is split.
  package func cut(to columns: Int) -> String {
    guard DisplayWidth.of(self) > columns else { return self }
    guard columns > 0 else { return "" }
    var width = 1
    var result = ""
    for character in self {
      width += DisplayWidth.of(character)
      guard width <= columns else { break }
      result.append(character)
    }
    return result + "…"
  }
}
