package import EventCommands
import EventMVVM
import EventRecords
import EventValues

// The report as text: sparklines, a table with bars that fits the width, and the times of commands.

extension Report {
  package func show(on page: inout Page) {
    page.write("\(first.text) to \(last.text)", .bold)
    page.write(", \(Self.scope)")
    page.endLine()
    showTotals(on: &page)
    if !rows.isEmpty, !kinds.isEmpty {
      page.endLine()
      showRows(on: &page)
    }
    if !verbs.isEmpty {
      page.endLine()
      showTimes(on: &page)
    }
    showFailures(on: &page)
    if let earlierText {
      page.endLine()
      page.write(earlierText, .dim)
      page.endLine()
    }
    if let posting { show(posting, on: &page) }
  }

  private func show(_ posting: Posting.Outcome, on page: inout Page) {
    page.endLine()
    func batches(_ count: Int) -> String { count == 1 ? "1 batch" : "\(count) batches" }
    page.write("Posted \(batches(posting.posted)) to ")
    page.write(user: posting.target)
    page.endLine()
    if posting.waiting > 0 {
      page.write("  \(batches(posting.waiting)) will go with the next report: ", .yellow)
      page.write(user: posting.problem ?? "not sent yet", .yellow)
      page.endLine()
    }
    if let refused = posting.refused {
      page.write("  \(batches(refused)) will not be sent again: ", .yellow)
      page.write(user: posting.refusal ?? "", .yellow)
      page.endLine()
    }
    if posting.dropped > 0 {
      page.write("  \(batches(posting.dropped)) had waited too long and went to make room", .yellow)
      page.endLine()
    }
  }

  private func showTotals(on page: inout Page) {
    guard !kinds.isEmpty else {
      page.write("  nothing was counted yet")
      return page.endLine()
    }
    let names = kinds.map(\.name) + gauges.map(\.name)
    let numbers = totals + gauges.map(\.value)
    let nameWidth = names.map(\.count).max() ?? 0
    let numberWidth = numbers.map { "\($0)".count }.max() ?? 0
    let room = max(0, (page.width ?? 80) - nameWidth - numberWidth - 6)
    for (index, name) in names.enumerated() {
      page.write("  " + name.padded(to: nameWidth) + "  ")
      page.write("\(numbers[index])".padded(toLeft: numberWidth))
      if kinds.indices.contains(index) {
        page.write("  " + Sparkline.text(series[index], columns: room), .cyan)
      }
      page.endLine()
    }
  }

  private func showRows(on page: inout Page) {
    let nameWidth = min(
      24,
      max(rowKind.rawValue.count, rows.map { DisplayWidth.of($0.shownName) }.max() ?? 0)
    )
    let widths = kinds.indices.map { column in
      max(kinds[column].name.count, rows.map { "\($0.numbers[column])".count }.max() ?? 0)
    }
    page.write(rowKind.rawValue.padded(to: nameWidth), .dim)
    for (kind, width) in zip(kinds, widths) {
      page.write("  " + kind.name.padded(toLeft: width), .dim)
    }
    page.endLine()
    let room = max(
      0,
      min(40, (page.width ?? 80) - nameWidth - widths.reduce(0) { $0 + $1 + 2 } - 3)
    )
    let most = max(1, rows.map { $0.numbers.last ?? 0 }.max() ?? 1)
    for row in rows where isWorthALine(row) {
      let name = escapedForTerminal(row.shownName)
      let isLong = DisplayWidth.of(name) > nameWidth
      let shown = isLong ? DisplayWidth.prefix(of: name, columns: nameWidth - 1) + "…" : name
      page.write(shown + String(repeating: " ", count: nameWidth - DisplayWidth.of(shown)))
      for (number, width) in zip(row.numbers, widths) {
        page.write("  " + "\(number)".padded(toLeft: width))
      }
      page.write("  " + Sparkline.bar(row.numbers.last ?? 0, of: most, columns: room), .cyan)
      page.endLine()
    }
  }

  /// Whether a period has a line: empty ones are omitted, except the last one.
  private func isWorthALine(_ row: Row) -> Bool {
    guard rowKind.isPeriod, row != rows.last else { return true }
    return zip(kinds, row.numbers).contains { !$0.isLevel && $1 != 0 }
  }

  private func showTimes(on page: inout Page) {
    page.write(commandScope)
    page.endLine()
    let verbs = verbs.prefix(12)
    let width = max("command".count, verbs.map { $0.name.count }.max() ?? 0)
    page.write("command".padded(to: width) + "   times     median       95 %", .dim)
    page.endLine()
    for (name, times) in verbs {
      page.write(name.padded(to: width) + "  " + "\(times.count)".padded(toLeft: 6))
      for share in [0.5, 0.95] {
        page.write("  " + Self.milliseconds(times.percentile(share)).padded(toLeft: 9))
      }
      page.endLine()
    }
  }

  private func showFailures(on page: inout Page) {
    guard !usage.failures.isEmpty else { return }
    page.endLine()
    let failures = usage.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    page.write("failures  ", .dim)
    page.write(failures.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    page.endLine()
  }

  /// Returns a time with two significant digits: `0.42 ms`, `12 ms`.
  static func milliseconds(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    if value >= 10 { return "\(Int(value.rounded())) ms" }
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) ms"
  }
}

/// Small plots of numbers in text.
enum Sparkline {
  private static let heights = Array("▁▂▃▄▅▆▇█")

  /// Returns a character for each number, from the lowest to the highest; several to a character
  /// where there are more than columns.
  static func text(_ numbers: [Int], columns: Int) -> String {
    guard columns > 0, !numbers.isEmpty else { return "" }
    let share = max(1, (numbers.count + columns - 1) / columns)
    let shown = stride(from: 0, to: numbers.count, by: share)
      .map { numbers[$0..<min($0 + share, numbers.count)].max() ?? 0 }
    let most = max(1, shown.max() ?? 1)
    return String(
      shown.map { number in
        heights[min(7, max(0, (number * 8 + most - 1) / most - (number > 0 ? 1 : 0)))]
      }
    )
  }

  /// Returns a bar in eighths of a column.
  static func bar(_ number: Int, of most: Int, columns: Int) -> String {
    guard number > 0, columns > 0 else { return "" }
    let eighths = max(1, number * columns * 8 / most)
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}

extension String {
  /// Returns the text with trailing blanks.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Returns the text with leading blanks.
  func padded(toLeft width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
