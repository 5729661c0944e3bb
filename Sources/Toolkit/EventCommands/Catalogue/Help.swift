import EventMVVM
import EventValues
import JSONText

extension CommandSpec {
  /// The syntax of the command in one line: `add TITLE… [--due DATE]`.
  public var usage: String {
    ([name] + grammar.rows.map { Self.usage(of: $0) }).joined(by: " ")
  }

  private static func usage(of row: Grammar.Row) -> String {
    let placeholder = row.placeholder
    switch row.kind {
    case .alias: return "[as @NAME]"
    case .text: return "\(row.name.uppercased())…"
    case .word:
      switch row.arity {
      case .some: return "\(placeholder) [\(placeholder)…]"
      case .many: return "[\(placeholder)…]"
      case .optional: return "[\(placeholder)]"
      default: return placeholder
      }
    case .option:
      let value = row.arity.heading(row.flag, placeholder)
      return row.arity == .many || row.arity == .some ? "[\(value)]…" : "[\(value)]"
    }
  }

  /// Writes the command's summary, its usage and a line for each property.
  func help(on page: inout Page) {
    page.write(summary)
    page.endLine()
    page.endLine()
    page.write("  \(name)", .bold)
    page.write(String(usage.dropFirst(name.count)))
    page.endLine()
    if !grammar.rows.isEmpty {
      page.endLine()
      grammar.lines(on: &page)
      explain(on: &page)
    }
    guard !examples.isEmpty else { return }
    page.endLine()
    for example in examples {
      page.write("  ")
      page.write(example, .cyan)
      page.endLine()
    }
  }

  /// Explains, once each, the kinds of values whose placeholder is not enough.
  private func explain(on page: inout Page) {
    var explained: [String] = []
    for row in grammar.rows {
      let shape = row.shape
      guard row.placeholder == shape.placeholder, !shape.explanation.isEmpty,
        !explained.contains(shape.placeholder)
      else { continue }
      if explained.isEmpty { page.endLine() }
      explained.append(shape.placeholder)
      let headings = [shape.placeholder] + shape.explanation.dropFirst().map { _ in "" }
      page.columns(Array(zip(headings, shape.explanation)), width: 4)
    }
  }
}

extension Grammar {
  /// Writes a line for each property.
  func lines(on page: inout Page) {
    page.columns(headings)
  }

  /// Each property as it is given, and what it is.
  var headings: [(String, String)] { rows.map { (Self.heading(of: $0), $0.summary) } }

  private static func heading(of row: Row) -> String {
    switch row.kind {
    case .alias: "as @NAME"
    case .text: "\(row.name.uppercased())…"
    case .word: row.placeholder
    case .option:
      row.arity.heading(row.flag, row.placeholder)
    }
  }
}

extension Page {
  /// Writes lines of two columns; the first is as wide as its longest entry, but at most 28
  /// columns, and at least the minimum.
  package mutating func columns(_ lines: [(String, String)], width least: Int = 0) {
    let width = max(least, min(28, lines.map { $0.0.count }.max() ?? 0))
    for (first, second) in lines {
      write("  ")
      write(first, .cyan)
      if first.count > width {
        endLine()
        write(String(repeating: " ", count: width + 4))
      } else {
        write(String(repeating: " ", count: width - first.count + 2))
      }
      write(second)
      endLine()
    }
  }
}

extension Command {
  static func help(on page: inout Page) {
    command.help(on: &page)
  }

  static var summary: String { command.summary }
  /// The syntax of the command in one line.
  public static var usage: String { command.usage }
  /// The flags of its options.
  public static var flags: [String] { command.flags }
}

extension ValueArity {
  /// An option and its value, as usage and help show them.
  fileprivate func heading(_ flag: String, _ placeholder: String) -> String {
    switch self {
    case .flag: flag
    case .flagOrValue: "\(flag)[=\(placeholder)]"
    case .one, .optional, .many, .some: "\(flag) \(placeholder)"
    }
  }
}
