import EventCommands
import EventValues
import Platform
import EventMVVM
import EventRecords

// The report as one page for a browser, which loads nothing: text, tables and plots as SVG.

extension Report {
  /// Writes the report's page, if one was requested, and returns the report.
  func written(for request: RequestReport, _ turn: borrowing Turn) -> Result<Report, Failure> {
    guard let path = request.html else { return .success(self) }
    guard !turn.isInUnit else {
      let message = "A script can't take a page back: write it by a command of its own."
      return .failure(Failure(.usage, message, field: "html"))
    }
    guard !path.isEmpty else {
      return .failure(Failure(.usage, "--html needs a file.", field: "html"))
    }
    // A replay compares no bytes of the page, and must not write the file.
    guard !turn.isReplay else { return .success(self) }
    let file = OutputFile(path) { $0.starts(with: Self.beginning.utf8) }
    do throws(OutputFile.Refusal) {
      try file.write(
        Array((request.commands ? self : withoutCommands).html.utf8),
        isForced: request.force
      )
      return .success(self)
    } catch {
      return .failure(Failure(.usage, error.message, field: "html"))
    }
  }

  /// The beginning by which a page is recognised.
  private static let beginning = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="generator" content="EventMVVM Analytics">

    """

  /// The page.
  var html: String {
    Self.beginning + """
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(first.text) to \(last.text)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>\(first.text) to \(last.text), \(Self.scope)</h1>
      <div class="totals">\(totalsHTML)</div>
      \(plots.joined(separator: "\n"))
      \(rowsHTML)
      \(timesHTML)
      </body>
      </html>

      """
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1d2433; --soft: #66708a; --line: #d9dee8; --back: #fff; \
    --a: #2f6fde; --b: #1f9d6b; --c: #d9822b; --d: #b04ad8; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6e9f0; --soft: #98a2b8; --line: #323a4a; \
    --back: #161a22; --a: #6ea2ff; --b: #4fce9a; --c: #f0a860; --d: #d38bf0; } }
    body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--back); \
    max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
    .totals { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; }
    .totals div { font-size: 1.9rem; font-weight: 600; } .totals span { display: block; \
    font-size: .85rem; font-weight: 400; color: var(--soft); }
    svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font-size: 11px; }
    .grid { stroke: var(--line); stroke-width: 1; } .k0 { --k: var(--a); } .k1 { --k: var(--b); } \
    .k2 { --k: var(--c); } .k3 { --k: var(--d); } .bar { fill: var(--k); } \
    .curve { fill: none; stroke: var(--k); stroke-width: 2; } .area { fill: var(--k); opacity: .15; }
    .legend { color: var(--soft); font-size: .85rem; } .legend b { color: var(--k); }
    table { border-collapse: collapse; width: 100%; } th, td { text-align: right; padding: .25rem .6rem; \
    border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; } \
    th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 500; }
    """

  private var totalsHTML: String {
    let all = zip(kinds.map(\.name), totals).map { ($0, $1) } + gauges.map { ($0.name, $0.value) }
    return all.map { "<div>\($1)<span>\($0.escapedForHTML)</span></div>" }.joined()
  }

  /// The kinds of what was done in the period.
  private var counts: [Int] { kinds.indices.filter { !kinds[$0].isLevel && totals[$0] != 0 } }

  /// Levels as curves, which is the burn-down; counts as bars, which is the throughput.
  private var plots: [String] {
    let levels = kinds.indices.filter { kinds[$0].isLevel }
    let counts = counts.prefix(4)
    var plots = levels.map { index in
      Plot.curve(title: "\(kinds[index].name), over time", series[index], periodNames)
    }
    if !counts.isEmpty {
      plots.append(
        Plot.bars(
          title: "By \(rowKind == .week ? "week" : "day")",
          counts.map { (kinds[$0].name, series[$0]) },
          periodNames
        )
      )
    }
    if !verbs.isEmpty {
      plots.append(
        Plot.ranges(
          title: "How long commands took: half of them, and 95 of 100",
          verbs.prefix(12).map { ($0.name, $0.times.percentile(0.5), $0.times.percentile(0.95)) }
        )
      )
    }
    return plots
  }

  private var rowsHTML: String {
    guard !rows.isEmpty, !kinds.isEmpty else { return "" }
    let head = kinds.map { "<th>\($0.name.escapedForHTML)</th>" }.joined()
    let lines = rows.reversed()
      .map { row in
        "<tr><td>\(row.shownName.escapedForHTML)</td>"
          + row.numbers.map { "<td>\($0)</td>" }.joined() + "</tr>"
      }
    // Days and weeks have the heading of their plot.
    return (rowKind.isPeriod && !counts.isEmpty ? "" : "<h2>By \(rowKind.rawValue)</h2>")
      + "<table><tr><th>\(rowKind.rawValue)</th>\(head)</tr>"
      + lines.joined(separator: "\n") + "</table>"
  }

  private var timesHTML: String {
    guard !verbs.isEmpty else { return "" }
    let lines = verbs.map { verb in
      "<tr><td>\(verb.name.escapedForHTML)</td><td>\(verb.times.count)</td>"
        + [0.5, 0.95, 0.99].map { "<td>\(Self.milliseconds(verb.times.percentile($0)))</td>" }
        .joined()
        + "</tr>"
    }
    return "<h2>Commands\(commandScope.dropFirst("commands".count))</h2>"
      + "<table><tr><th>command</th><th>times</th><th>median</th><th>95 %</th>"
      + "<th>99 %</th></tr>" + lines.joined(separator: "\n") + "</table>"
  }
}

extension String {
  /// The text, escaped for a page.
  var escapedForHTML: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        let isHarmless = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        result.unicodeScalars.append(isHarmless ? scalar : "\u{FFFD}")
      }
    }
    return result
  }
}
