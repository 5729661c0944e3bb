import Foundation

/// The findings as text, a line each, with a gap between scenarios.
struct Table {
  let findings: [Finding]

  private let titles = [
    "scenario", "contender", "ns", "× ours", "allocations", "instructions", "one order",
  ]

  var text: String {
    let rows = [titles] + findings.map(cells)
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines: [String] = []
    var scenario = ""
    for row in rows {
      if row[0] != scenario, !lines.isEmpty { lines.append("") }
      lines.append(line(row[0] == scenario ? [""] + row.dropFirst() : row, widths))
      scenario = row[0]
    }
    return lines.joined(separator: "\n")
  }

  /// Words stand left, numbers right.
  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = cells.enumerated()
      .map { column, cell in
        let gap = String(repeating: " ", count: widths[column] - cell.count)
        return column < 2 ? cell + gap : gap + cell
      }
    return padded.joined(separator: "  ")
  }

  private func cells(_ finding: Finding) -> [String] {
    let ours = findings.first { $0.scenario == finding.scenario }?.nanoseconds ?? .nan
    return [
      finding.scenario,
      finding.contender,
      number(finding.nanoseconds),
      number(finding.nanoseconds / ours),
      finding.allocations.map { $0 < 0.05 ? "0" : number($0) } ?? "–",
      finding.instructions.map { String(format: "%.0f", $0) } ?? "–",
      finding.keepsOneOrder.map { $0 ? "yes" : "no" } ?? "–",
    ]
  }

  private func number(_ value: Double) -> String {
    String(format: value < 1 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
  }
}
